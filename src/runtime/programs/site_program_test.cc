#include "runtime/programs/site_program.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/progress.h"
#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/hex.h"
#include "nlohmann/json.hpp"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/release/release.h"
#include "runtime/identity/identity_testing.h"
#include "runtime/identity/private_file.h"
#include "runtime/identity/signing_key_file.h"
#include "runtime/programs/manifest_files.h"
#include "runtime/programs/site_doctor.h"
#include "runtime/site/site_ledger.h"
#include "runtime/site/site_records.h"
#include "runtime/study/manifest_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;

constexpr const char* kRows = "a,b,c\nx,y,z\ny,x,w\n";

// The folder of a site that has joined a study, whose coordinator is never there.
class SiteProgramTest : public testing::Test {
 protected:
  SiteProgramTest() {
    SecureRandomSource random;
    const CertificateAuthority authority = *CertificateAuthority::Create("a test", clock_);
    const std::string key = *MakePrivateKey();
    const std::string request = *MakeSigningRequest(key, "site");
    CHECK(CreateSigningKey(File("signing.key"), random).ok() && WritePrivateFile(File("site.key"), key).ok());
    CHECK(WriteTextFile(File("site.csr"), request).ok());
    CHECK(WriteTextFile(File("site.pem"), *authority.IssueForSite(request, "hospital-1", clock_)).ok());
    CHECK(WriteTextFile(File("authority.pem"), authority.certificate()).ok());
    CHECK(WriteTextFile(File("site.json"), R"({"site": "hospital-1", "address": "127.0.0.1:1"})").ok());
    CHECK(WriteManifest(folder_.path(), Sign(manifest_, KeyForTest("coordinator"))).ok());
  }

  std::string File(const std::string& name) const { return folder_.File(name); }

  // Until the site would begin to serve, with consent for these rows. Cancelled if it comes that far.
  absl::Status Run(const std::string& rows) { return Run(rows, progress_); }
  absl::Status Run(const std::string& rows, ProgressSink& progress) {
    std::ofstream(File("rows.csv")) << rows;
    const SiteFolder folder = SiteFolder::Open(folder_.path()).value();
    CHECK(folder
              .WriteConsent({.manifest = ToHex(folder.manifest().digest()),
                             .rows = CsvRows{File("rows.csv")},
                             .ledger = File("site.ledger")})
              .ok());
    return RunSite(folder, std::chrono::seconds(1),
                   {.software = manifest_.software,
                    .clock = clock_,
                    .log = log_,
                    .parallel = parallel_,
                    .progress = progress,
                    .is_stopping = [] { return true; },
                    .research_noise = [](std::uint64_t) -> NoiseByLabel {
                      return [](const std::string&) { return std::make_unique<SecureRandomSource>(); };
                    }});
  }

  // As if the site had contributed so many times.
  void Serve(int times) {
    const Study study = StudyForTest(manifest_).value();
    SiteRecords records = SiteRecords::Open(File("records.log"), study.domain()).value();
    for (int i = 0; i < times; ++i) {
      CountsRequest counts;
      counts.name = {manifest_.id, 1, fmt::format("{}", i)};
      counts.cliques = {Clique({0})};
      counts.sigma_squared = Rational(1'000'000, 1);
      const SumRequest request{.body = counts};
      CHECK(records.Serve(Sha256(AsBytes(fmt::format("session {}", i))), Encode(request).request).ok());
    }
  }

  // As if the coordinator had shown another manifest before anybody joined.
  void Take(const Manifest& manifest) {
    manifest_ = manifest;
    CHECK(WriteManifest(folder_.path(), Sign(manifest_, KeyForTest("coordinator"))).ok());
  }

  Study ThisStudy() const { return StudyForTest(manifest_).value(); }

  // The ledger that the consent names, made on these terms.
  Ledger MakeLedger(const LedgerTerms& terms) const {
    return Ledger::Create(File("site.ledger"), terms, clock_, {.plan_of_run = terms.exact_run.value_or("")}).value();
  }

  // Refused, and nothing was paid.
  absl::Status Refusal() {
    const Rho before = Ledger::Open(File("site.ledger"), clock_)->spent();
    const absl::Status status = Run(kRows);
    EXPECT_FALSE(status.ok() || absl::IsCancelled(status)) << status;
    EXPECT_EQ(Ledger::Open(File("site.ledger"), clock_)->spent(), before);
    return status;
  }

  ScratchFolder folder_;
  Manifest manifest_ = ManifestForTest(PresetForTest("naive-flaim"));
  const SystemClock clock_;
  std::ostringstream logged_;
  Log log_{logged_, LogFormat::kJson, clock_};
  Parallel parallel_{1};
  NoProgress progress_;
};

// The coordinator sees whether a site comes: what it reads must decide nothing.
TEST_F(SiteProgramTest, BeginsWhateverItsRowsHold) {
  for (const char* more : {"", "q,y,z\n", "x,y\n", "x,y,z,z\n", ",,\n", "\"x\"\"\",y,z\n"}) {
    EXPECT_TRUE(absl::IsCancelled(Run(std::string(kRows) + more))) << more;
  }
  EXPECT_TRUE(absl::IsCancelled(Run("a,b,c\n")));
  EXPECT_TRUE(absl::IsFailedPrecondition(Run("a,b\nx,y\n"))) << "the header is no value";
}

// One that counts rows can be large.
class AskedToStop final : public ProgressSink {
 public:
  void Report(const Progress&) override {}
  bool ShouldStop() override { return true; }
};

TEST_F(SiteProgramTest, EndsWhileItReadsItsRowsIfAskedTo) {
  AskedToStop progress;
  const absl::Status status = Run(kRows, progress);
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("interrupted")) << "by the reader of the rows";
}

Manifest ExactManifest() {
  Manifest manifest = ManifestForTest(PresetForTest("flaim-once"));
  manifest.request.method.Set("accounting", "exact");
  return manifest;
}

TEST_F(SiteProgramTest, SpendsTheLedgerOfItsOwnExactStudy) {
  Take(ExactManifest());
  EXPECT_TRUE(absl::IsCancelled(Run(kRows)));
  EXPECT_EQ(Ledger::Open(File("site.ledger"), clock_)->terms().exact_run, manifest_.id);
  EXPECT_TRUE(absl::IsCancelled(Run(kRows))) << "once more";
}

TEST_F(SiteProgramTest, SpendsNoLedgerOfAnotherExactStudy) {
  Take(ExactManifest());
  LedgerTerms terms = SiteLedgerTerms(ThisStudy(), "hospital-1");
  terms.exact_run = std::string(32, 'b');
  (void)MakeLedger(terms);
  EXPECT_THAT(std::string(Refusal().message()), HasSubstr("nobody else may spend it"));
  Take(ManifestForTest(PresetForTest("naive-flaim")));
  EXPECT_THAT(std::string(Refusal().message()), HasSubstr("nobody else may spend it"));
}

// An id is the coordinator's choice.
TEST_F(SiteProgramTest, SpendsNoExactLedgerOfAnotherBudgetOrAccountantWhateverTheIdSays) {
  Take(ExactManifest());
  (void)MakeLedger(SiteLedgerTerms(ThisStudy(), "hospital-1"));
  for (const auto& [epsilon, delta] : {std::pair(0.5, 1e-6), std::pair(2.0, 1e-6), std::pair(1.0, 1e-9)}) {
    Manifest other = ExactManifest();
    other.epsilon = epsilon;
    other.delta = delta;
    Take(other);
    EXPECT_THAT(std::string(Refusal().message()), HasSubstr("another plan")) << epsilon << " " << delta;
  }
  Take(ManifestForTest(PresetForTest("naive-flaim")));
  EXPECT_THAT(std::string(Refusal().message()), HasSubstr("nobody else may spend it"));
}

TEST_F(SiteProgramTest, SpendsNoLedgerWithTheOtherKindOfNoise) {
  const GaussianMechanism cheap{Rational(1'000'000, 1)};
  for (const bool is_research : {false, true}) {
    std::filesystem::remove(File("site.ledger"));
    Manifest manifest = ManifestForTest(PresetForTest("naive-flaim"));
    if (is_research) manifest.research_seed = 1;
    Take(manifest);
    Ledger ledger = MakeLedger(SiteLedgerTerms(ThisStudy(), "hospital-1"));
    SecureRandomSource secure;
    SeededRandomSource seeded(1, "noise");
    RandomSource& noise = is_research ? static_cast<RandomSource&>(secure) : seeded;
    const std::vector<std::int64_t> counts = {1, 2};
    ASSERT_TRUE(ReleaseGaussian(*ledger.Debit({"fit", 1, "counts"}, cheap), counts, noise).ok());
    EXPECT_TRUE(absl::IsFailedPrecondition(Refusal())) << is_research;
  }
}

// One-ways would be paid for and the pairs refused, so that the budget is lost.
TEST_F(SiteProgramTest, PaysForNothingOfAnExactStudyThatItCannotPayForAsAWhole) {
  Take(ExactManifest());
  const Study study = ThisStudy();
  LedgerTerms terms = SiteLedgerTerms(study, "hospital-1");
  terms.exact_run.reset();
  terms.total = RhoFor(terms.budget);
  ASSERT_LT(terms.total, study.plan.terms().allowance);
  (void)MakeLedger(terms);
  EXPECT_TRUE(absl::IsResourceExhausted(Refusal()));
  const std::vector<Finding> findings =
      ExamineSite(SiteFolder::Open(folder_.path()).value(), std::chrono::milliseconds(1), clock_, progress_);
  EXPECT_EQ(findings.back().what, "budget");
  EXPECT_TRUE(absl::IsResourceExhausted(findings.back().status)) << findings.back().detail;

  std::filesystem::remove(File("site.ledger"));
  terms.budget = PrivacyBudget::Create(3, 1e-6).value();
  terms.total = RhoFor(terms.budget);
  (void)MakeLedger(terms);
  EXPECT_TRUE(absl::IsCancelled(Run(kRows))) << "one that is large enough";
}

TEST_F(SiteProgramTest, KeepsAllOfAConsent) {
  const SiteFolder folder = SiteFolder::Open(folder_.path()).value();
  const SiteFolder::Consent given{.manifest = ToHex(folder.manifest().digest()),
                                  .rows = CsvRows{"rows.csv"},
                                  .ledger = "a.ledger",
                                  .time_unix_s = 1'800'000'000,
                                  .roster = {.roster = Sha256(AsBytes("a roster")), .is_any = true, .known = 3}};
  ASSERT_TRUE(folder.WriteConsent(given).ok());
  const SiteFolder::Consent read = folder.ReadConsent().value();
  EXPECT_EQ(read.manifest, given.manifest);
  EXPECT_EQ(read.ledger, given.ledger);
  EXPECT_EQ(read.time_unix_s, given.time_unix_s);
  EXPECT_EQ(read.roster.roster, given.roster.roster);
  EXPECT_EQ(read.roster.is_any, given.roster.is_any);
  EXPECT_EQ(read.roster.known, given.roster.known);
}

// Whoever reads the file sees one of them, and the program would go by the other.
TEST_F(SiteProgramTest, RefusesAConsentThatSaysAThingTwice) {
  const SiteFolder folder = SiteFolder::Open(folder_.path()).value();
  const std::string consent =
      fmt::format(R"({{"manifest": "{}", "ledger": "a", "ledger": "b", "rows": {{"csv": "rows.csv"}}}})",
                  ToHex(folder.manifest().digest()));
  CHECK(WritePrivateFile(File("consent.json"), consent).ok());
  EXPECT_TRUE(absl::IsDataLoss(folder.ReadConsent().status())) << folder.ReadConsent().status();
}

// Another version may work out another plan.
TEST_F(SiteProgramTest, ServesNoStudyOfAnotherVersion) {
  const std::string software = manifest_.software;
  Manifest other = manifest_;
  other.software = software + ".1";
  Take(other);
  manifest_.software = software;
  const absl::Status status = Run(kRows);
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("all must run the same"));
}

TEST_F(SiteProgramTest, MakesNoNewLedgerAfterItHasContributed) {
  Serve(1);
  const absl::Status status = Run(kRows);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("is gone"));
  EXPECT_FALSE(std::filesystem::exists(File("site.ledger")));
}

TEST_F(SiteProgramTest, TakesNoLedgerThatDidNotPayForItsContributions) {
  ASSERT_TRUE(absl::IsCancelled(Run(kRows)));
  Serve(2);
  const absl::Status status = Run(kRows);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("another ledger"));
}

}  // namespace
}  // namespace flaim::runtime
