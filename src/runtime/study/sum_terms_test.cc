#include "runtime/study/sum_terms.h"

#include "base/int128.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/study/manifest_testing.h"
#include "secagg/noise/noise_plan_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;

class SumTermsTest : public testing::Test {
 protected:
  absl::StatusOr<secagg::SessionTerms> TermsOf(const SumBody& body, int invited = 4, int attempt = 1) const {
    const SumRequest request{.attempt = attempt, .body = body};
    return TermsOfSum(study_, roster_, request, Encode(request), invited);
  }

  Model ModelOf(double total) {
    return Model::Create(study_.domain(), {Clique({0})}, {0, 0.5, 1}, total, 1000, parallel_).value();
  }

  static std::vector<secagg::VerifyingKey> Keys() {
    std::vector<secagg::VerifyingKey> keys;
    for (int site = 0; site < 6; ++site) keys.push_back(KeyForTest(fmt::format("site {}", site)).verifying_key());
    return keys;
  }

  Parallel parallel_{1};
  Study study_ = StudyForTest(ManifestForTest(PresetForTest("naive-flaim"))).value();
  secagg::Roster roster_ = secagg::Roster::Make(study_.manifest.server, Keys()).value();
  CountsRequest counts_{{"run", 1, "counts"}, {Clique({0}), Clique({0, 2}), Clique({1})}, Rational(25, 2)};
};

TEST_F(SumTermsTest, HaveABlockForEachMarginalWithAHairMoreNoiseThanIsPaid) {
  const secagg::SessionTerms terms = TermsOf(counts_).value();
  ASSERT_EQ(terms.blocks.size(), 3U);
  EXPECT_EQ(terms.blocks[0].entries, 3U);
  EXPECT_EQ(terms.blocks[1].entries, 12U);
  EXPECT_EQ(terms.blocks[2].entries, 2U);
  const Rational with_price = secagg::WithPriceOfSplitting(Rational(25, 2)).value();
  EXPECT_GT(with_price, Rational(25, 2));
  EXPECT_LT(with_price.ToDouble(), 12.5 * (1 + 0x1p-32));
  EXPECT_THAT(terms.blocks, Each(Field(&secagg::Block::sigma_squared, with_price)));
  EXPECT_EQ(terms.entry_bound, study_.manifest.max_rows_per_site);
  EXPECT_EQ(terms.bounds, (secagg::ParticipantBounds{.invited = 4, .dropouts = 1, .colluders = 0}));
  EXPECT_EQ(terms.roster, roster_.digest());
  EXPECT_TRUE(secagg::ValidateTerms(terms).ok());
}

TEST_F(SumTermsTest, BoundScoresByWhatTheRowsOfASiteCanMake) {
  const Model model = ModelOf(100);
  ScoresRequest scores;
  scores.name = {"run", 1, "scores"};
  scores.candidates = {Clique({0, 1}), Clique({1, 2})};
  scores.sigma_squared = Rational(1000, 1);
  scores.model = ModelView(model);
  const secagg::SessionTerms terms = TermsOf(scores).value();
  ASSERT_EQ(terms.blocks.size(), 1U);
  EXPECT_EQ(terms.blocks[0].entries, 2U);
  EXPECT_EQ(terms.blocks[0].sigma_squared, secagg::WithPriceOfSplitting(Rational(1000, 1)).value());
  EXPECT_EQ(terms.entry_bound, 2 * kSummedScoreScale * study_.manifest.max_rows_per_site);
}

// One of four may drop out, so three are sure to bring the noise that was paid for; in halves, as 25/2 is little for
// three, whose rounding adds an eighth.
TEST_F(SumTermsTest, TellHowMuchNoiseTheContributorsBring) {
  const secagg::SessionTerms terms = TermsOf(counts_).value();
  EXPECT_NEAR(VarianceOfSum(terms, 4), 12.5 * 4 / 3 + 0.125, 1e-6);
  EXPECT_NEAR(VarianceOfSum(terms, 3), 12.5 + 0.125, 1e-6);
  RandomSelection random{.name = counts_.name, .candidates = {{Clique({0, 1}), 1}}};
  EXPECT_EQ(VarianceOfSum(TermsOf(random).value(), 4), 0);
}

TEST_F(SumTermsTest, SumChoicesExactlyAndOneForEachCandidate) {
  const Model model = ModelOf(100);
  LocalSelection local;
  local.name = {"run", 1, "select"};
  local.candidates = {{Clique({0, 1}), 1}, {Clique({1, 2}), 1}};
  local.penalty_records = {0, 0};
  local.epsilon = Rational(1, 10);
  local.model = ModelView(model);
  RandomSelection random{.name = local.name, .candidates = local.candidates};
  for (const SumBody& body : {SumBody(local), SumBody(random)}) {
    const secagg::SessionTerms terms = TermsOf(body).value();
    ASSERT_EQ(terms.blocks.size(), 1U);
    EXPECT_EQ(terms.blocks[0].entries, 2U);
    EXPECT_EQ(terms.blocks[0].sigma_squared, Rational(0, 1));
    EXPECT_EQ(terms.entry_bound, 1);
  }
}

TEST_F(SumTermsTest, AreRefusedForFewerSitesThanTheManifestPromises) {
  EXPECT_TRUE(TermsOf(counts_, 3).ok());
  for (const int invited : {2, 1, 0, -1}) {
    EXPECT_TRUE(absl::IsPermissionDenied(TermsOf(counts_, invited).status())) << invited;
  }
}

TEST_F(SumTermsTest, AreAboutOneRequestAndOneModel) {
  const secagg::SessionTerms terms = TermsOf(counts_).value();
  CountsRequest other_name = counts_;
  other_name.name.round = 2;
  CountsRequest other_cliques = counts_;
  other_cliques.cliques = {Clique({0}), Clique({1, 2}), Clique({1})};
  CountsRequest other_choosers = counts_;
  other_choosers.contributors = Contributors::kChoosers;
  for (const CountsRequest& other : {other_name, other_cliques, other_choosers}) {
    EXPECT_NE(TermsOf(other)->workload, terms.workload);
  }
  EXPECT_NE(TermsOf(counts_, 4, 2)->workload, terms.workload) << "a second attempt is a second request";
  EXPECT_EQ(*TermsOf(counts_), terms);

  const Model model = ModelOf(100);
  const Model other_model = ModelOf(101);
  ScoresRequest scores;
  scores.name = {"run", 1, "scores"};
  scores.candidates = {Clique({0, 1})};
  scores.sigma_squared = Rational(1000, 1);
  scores.model = ModelView(model);
  const secagg::SessionTerms with_model = TermsOf(scores).value();
  EXPECT_NE(with_model.model, terms.model);
  scores.model = ModelView(other_model);
  EXPECT_NE(TermsOf(scores)->model, with_model.model);
  EXPECT_EQ(TermsOf(scores)->workload, with_model.workload);
}

TEST_F(SumTermsTest, RefuseNoiseThatCannotBeSplitOrSummed) {
  counts_.sigma_squared = Rational(Rational::kMaxTerm, 1);
  EXPECT_TRUE(absl::IsInvalidArgument(TermsOf(counts_).status()));
  counts_.sigma_squared = Rational(1, Rational::kMaxTerm);
  EXPECT_TRUE(absl::IsInvalidArgument(TermsOf(counts_).status()));
}

// What is paid, 1 / (2 sigma^2) for each marginal, covers the noise that is really there and the price of splitting it.
TEST(PriceOfSplitting, IsBelowWhatTheHairPaysFor) {
  SeededRandomSource random(1, "prices");
  int checked = 0;
  for (int repeat = 0; repeat < 20'000; ++repeat) {
    const std::int64_t numerator = 1 + static_cast<std::int64_t>(random.NextBelow(1ULL << (1 + random.NextBelow(40))));
    const std::int64_t denominator = 1 + static_cast<std::int64_t>(random.NextBelow(1ULL << random.NextBelow(41)));
    if (numerator >= Rational::kMaxTerm || denominator > Rational::kMaxTerm) continue;
    const Rational paid(numerator, denominator);
    const secagg::GroupBounds bounds{.dropout_share = random.NextUnit() * 0.5,
                                     .colluders = static_cast<int>(random.NextBelow(3))};
    const auto invited = static_cast<int>(2 + random.NextBelow(1ULL << random.NextBelow(20)));
    const secagg::ParticipantBounds group = bounds.Of(invited);
    const int honest = group.LeastSurvivors() - group.colluders;
    const absl::StatusOr<Rational> real = secagg::WithPriceOfSplitting(paid);
    if (!real.ok() || honest < 1) continue;
    const absl::StatusOr<secagg::NoisePlan> plan = secagg::NoisePlan::Make(*real, group);
    if (!plan.ok()) continue;
    ++checked;
    ASSERT_GT(*real, paid);
    const int moved = 1 + static_cast<int>(random.NextBelow(100));
    // 1 / paid - 1 / real, as a fraction whose numerator is exact.
    const auto product = [](std::int64_t a, std::int64_t b) {
      return static_cast<UInt128>(a) * static_cast<UInt128>(b);
    };
    const UInt128 difference =
        product(paid.denominator(), real->numerator()) - product(real->denominator(), paid.numerator());
    const long double hair =
        static_cast<long double>(difference) / static_cast<long double>(product(paid.numerator(), real->numerator()));
    EXPECT_GE(moved * hair / 2, secagg::PriceOfSplitting(*plan, honest, moved))
        << paid.ToString() << " over " << honest;
  }
  EXPECT_GT(checked, 10'000);
}

}  // namespace
}  // namespace flaim::runtime
