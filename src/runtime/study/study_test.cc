#include "runtime/study/study.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/hex.h"
#include "runtime/study/manifest_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void ExpectRefused(const Manifest& manifest, absl::StatusCode code, const std::string& because) {
  const absl::Status status = StudyForTest(manifest).status();
  EXPECT_EQ(status.code(), code) << because << ": " << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(because));
}

void ExpectDenied(const MethodChanges& method, const std::string& because) {
  ExpectRefused(ManifestForTest(method), absl::StatusCode::kPermissionDenied, because);
}

TEST(OpenStudy, TakesTheMethodsThatSitesCanCheck) {
  for (const char* preset : {"naive-flaim", "augflaim-private", "flaim-random", "fed-naive-bayes", "flaim-once"}) {
    const absl::StatusOr<Study> study = StudyForTest(ManifestForTest(PresetForTest(preset)));
    ASSERT_TRUE(study.ok()) << preset << ": " << study.status();
    EXPECT_EQ(study->plan.method.name, preset);
    EXPECT_EQ(study->domain().size(), 3);
    EXPECT_EQ(study->workload.size(), 3U);
    EXPECT_EQ(study->plan.options.run, study->manifest.id);
    EXPECT_EQ(study->RoundCheck().has_value(), std::string(preset) == "flaim-once");
  }
}

TEST(OpenStudy, RefusesASignatureThatDoesNotFit) {
  const Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  EXPECT_TRUE(absl::IsUnauthenticated(OpenStudy(Sign(manifest, KeyForTest("somebody else"))).status()));
}

TEST(OpenStudy, RefusesMethodsThatAreNotPrivate) {
  ExpectDenied(PresetForTest("augflaim-oracle"), "NOT private");
  MethodChanges oracle = PresetForTest("naive-flaim");
  oracle.Set("penalty", "oracle");
  ExpectDenied(oracle, "NOT private");
  MethodChanges true_sizes = PresetForTest("naive-flaim");
  true_sizes.Set("weighting", "true-sizes");
  ExpectDenied(true_sizes, "NOT private");
}

TEST(OpenStudy, RefusesMethodsThatNeedMoreThanSumsOfSites) {
  ExpectDenied(PresetForTest("aim"), "in one place");
  for (const char* preset : {"dist-aim", "flaim-once-joint", "dist-aim-once"}) {
    ExpectDenied(PresetForTest(preset), "secret shares");
  }
}

TEST(OpenStudy, RefusesLocalMeasurementsBetweenSteps) {
  MethodChanges method = PresetForTest("naive-flaim");
  method.Set("local-steps", 2);
  method.Set("local-stepping", "measure");
  ExpectDenied(method, "peel");
  method.Set("local-stepping", "peel");
  EXPECT_TRUE(StudyForTest(ManifestForTest(method)).ok());
}

TEST(OpenStudy, RefusesExactAccountingThatASiteCouldNotCheck) {
  MethodChanges method = PresetForTest("naive-flaim");
  method.Set("accounting", "exact");
  method.Set("rounds", 2);
  ExpectDenied(method, "accounting cap");
  MethodChanges summed = PresetForTest("flaim-once");
  summed.Set("selection", "summed-scores");
  ExpectDenied(summed, "accounting cap");
}

TEST(OpenStudy, RefusesARuleByWhichAValueKeepsASiteAway) {
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  for (const UnfitRule rule : {UnfitRule::kRefuse, UnfitRule::kOther}) {
    manifest.unfit = rule;
    EXPECT_FALSE(StudyForTest(manifest).ok());
  }
  ExpectRefused(manifest, absl::StatusCode::kInvalidArgument, "column 'a' has no code");
  std::string total;
  for (const char* name : {"a", "b", "c"}) {
    total += fmt::format("[[column]]\nname = \"{}\"\ntype = \"categorical\"\nvalues = [\"x\"]\nother = \"o\"\n", name);
  }
  manifest.schema = total;
  EXPECT_TRUE(StudyForTest(manifest).ok());
  manifest.unfit = UnfitRule::kRefuse;
  ExpectRefused(manifest, absl::StatusCode::kPermissionDenied, "tells that it has one");
}

TEST(OpenStudy, RefusesNamesThatWouldSplitAFileInAnotherWay) {
  for (const char* delimiter : {",", ";", "|", "\\t", ":", "^", "~", "\\u001F"}) {
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    manifest.schema.replace(manifest.schema.find("\"a\""), 3, fmt::format("\"a{}d\"", delimiter));
    ExpectRefused(manifest, absl::StatusCode::kPermissionDenied, "separates columns");
    manifest.schema = fmt::format("drop = [\"e{}f\"]\n{}", delimiter, SchemaForTest());
    ExpectRefused(manifest, absl::StatusCode::kPermissionDenied, "separates columns");
  }
}

// A letter, a digit or a blank splits names and values alike.
TEST(OpenStudy, RefusesUnusualDelimiters) {
  for (const char* delimiter : {"e", "0", " ", ":", ".", "-", "_", "#"}) {
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    manifest.schema = fmt::format("delimiter = \"{}\"\n{}", delimiter, SchemaForTest());
    ExpectRefused(manifest, absl::StatusCode::kPermissionDenied, "delimiter");
  }
  for (const char* delimiter : {",", ";", "|", "\\t"}) {
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    manifest.schema = fmt::format("delimiter = \"{}\"\n{}", delimiter, SchemaForTest());
    EXPECT_TRUE(StudyForTest(manifest).ok()) << delimiter;
  }
}

TEST(OpenStudy, RefusesASchemaThatWasMadeFromPrivateRows) {
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  manifest.schema = "derived_from_private_rows = true\n\n" + SchemaForTest();
  ExpectRefused(manifest, absl::StatusCode::kPermissionDenied, "private rows");
}

TEST(OpenStudy, RefusesTracesWithoutLookingForTheirFile) {
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  manifest.request.availability = "trace:no such file";
  ExpectRefused(manifest, absl::StatusCode::kPermissionDenied, "not as in a trace");
}

TEST(OpenStudy, RefusesNamesThatItDoesNotKnow) {
  ExpectRefused(ManifestForTest(PresetForTest("strange")), absl::StatusCode::kInvalidArgument, "strange");
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  manifest.request.availability = "sometimes";
  ExpectRefused(manifest, absl::StatusCode::kInvalidArgument, "sometimes");
}

TEST(OpenStudy, RefusesAChoiceThatItsMethodHasNoUseFor) {
  const std::pair<const char*, ChoiceValue> useless[] = {
      {"marginals", 5}, {"wait-for", 0.5}, {"cap", 2}, {"local-stepping", "peel"}, {"one-way-share", 0.5}};
  for (const auto& [name, value] : useless) {
    MethodChanges method = PresetForTest("naive-flaim");
    method.Set(name, value);
    ExpectRefused(ManifestForTest(method), absl::StatusCode::kInvalidArgument, name);
  }
}

TEST(OpenStudy, RefusesParticipationsThatAreNone) {
  for (const double rate : {0.0, -0.5, 1.5}) {
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    manifest.request.availability = "poisson";
    manifest.request.participation = rate;
    ExpectRefused(manifest, absl::StatusCode::kInvalidArgument, "participation");
  }
}

TEST(OpenStudy, RefusesWorkloadsThatItCannotMake) {
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  manifest.workload = "some/file.json";
  ExpectRefused(manifest, absl::StatusCode::kInvalidArgument, "the file itself");
  manifest.workload = "[[\"a\", \"no such column\"]]";
  EXPECT_FALSE(StudyForTest(manifest).ok());
  manifest.workload = "all:9";
  EXPECT_FALSE(StudyForTest(manifest).ok());
  manifest.schema = "not a schema";
  EXPECT_FALSE(StudyForTest(manifest).ok());
}

TEST(OpenStudy, RefusesPromisesThatAreNone) {
  for (const auto& [epsilon, delta] : std::vector<std::pair<double, double>>{{0, 1e-6}, {-1, 1e-6}, {1, 0}, {1, 1}}) {
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    manifest.epsilon = epsilon;
    manifest.delta = delta;
    EXPECT_FALSE(StudyForTest(manifest).ok()) << epsilon << " " << delta;
  }
}

// Of how many sites, dropouts and colluders a sum is safe is secagg's business; here, that it is asked.
TEST(OpenStudy, RefusesBoundsUnderWhichNoSumHidesAnybody) {
  struct Bounds {
    int minimum_sites;
    double dropout_share;
    int colluders;
    bool is_taken;
  };
  const Bounds cases[] = {{2, 0, 0, true},
                          {1, 0, 0, false},
                          {0, 0, 0, false},
                          {-1, 0, 0, false},
                          {3, 0.34, 0, true},
                          {3, 0.34, 1, false},
                          {2, 0.5, 0, false},
                          {5, 0.2, 1, true},
                          {5, 0.2, 3, false},
                          {10, 0.9, 0, false},
                          {10, 1.0, 0, false},
                          {10, -0.1, 0, false},
                          {10, 0.1, -1, false},
                          {10, 0.1, 1'000'000'000, false},
                          {2'000'000'000, 0, 0, false}};
  for (const Bounds& bounds : cases) {
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    manifest.minimum_sites = bounds.minimum_sites;
    manifest.bounds = {.dropout_share = bounds.dropout_share, .colluders = bounds.colluders};
    const absl::Status status = StudyForTest(manifest).status();
    EXPECT_EQ(status.ok(), bounds.is_taken)
        << bounds.minimum_sites << " " << bounds.dropout_share << " " << bounds.colluders << ": " << status;
    EXPECT_TRUE(bounds.is_taken || absl::IsInvalidArgument(status)) << status;
  }
}

TEST(OpenStudy, RefusesSitesOfNoRowOrOfMoreThanASumHolds) {
  for (const std::int64_t rows : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    manifest.max_rows_per_site = rows;
    EXPECT_TRUE(absl::IsInvalidArgument(StudyForTest(manifest).status())) << rows;
  }
}

TEST(CheckSoftware, TakesTheVersionThatTheStudyWasMadeWith) {
  const Study study = StudyForTest(ManifestForTest(PresetForTest("naive-flaim"))).value();
  EXPECT_TRUE(CheckSoftware(study, study.manifest.software).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(CheckSoftware(study, study.manifest.software + ".1")));
}

TEST(ExplainStudy, HasThePromiseAndSaysWhenThereIsNone) {
  Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
  const std::string in_earnest = Explain(StudyForTest(manifest).value());
  EXPECT_THAT(in_earnest, HasSubstr("epsilon 1, delta 1e-06"));
  EXPECT_THAT(in_earnest, HasSubstr("at least 3 sites; 34% may drop out, 0 may collude"));
  EXPECT_THAT(in_earnest, HasSubstr(ToHex(StudyForTest(manifest)->digest)));
  EXPECT_THAT(in_earnest, Not(HasSubstr("RESEARCH")));
  manifest.research_seed = 7;
  const Study research = StudyForTest(manifest).value();
  EXPECT_TRUE(research.IsResearch());
  EXPECT_THAT(Explain(research), HasSubstr("RESEARCH"));
  EXPECT_THAT(Explain(research), HasSubstr("NOT private"));
}

}  // namespace
}  // namespace flaim::runtime
