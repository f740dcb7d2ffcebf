#include "simulation/research/published_code.h"

#include "algorithms/methods/presets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "simulation/research/research.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

PrivacyBudget Budget() { return PrivacyBudget::Create(1, 1e-5).value(); }

Domain SmallDomain() { return Domain::Create({{"a", 2}, {"b", 3}}).value(); }

TEST(PublishedCode, AsksForMoreThanItClaimsAndThePlanSaysHowMuch) {
  const auto plan = MakePublishedSpending(AugFlaimPrivate(), Budget(), 14).value();
  const double rho = RhoFor(Budget()).ToDouble();
  // 14 one-ways more among 150 marginals, and choices at twice the epsilon.
  const double real = 0.9 * rho * (150 + 14) / 150 + 4 * 0.1 * rho;
  EXPECT_NEAR(plan->client_terms().allowance.ToDouble() / real, 1, 1e-7);
  EXPECT_EQ(MakeSpendingPlan(AugFlaimPrivate(), Budget(), 14).value()->client_terms().allowance, RhoFor(Budget()));
}

TEST(PublishedCode, SpendsWhatItsTermsSayOverAllRounds) {
  for (const char* name : {"naive-flaim", "augflaim-private", "flaim-random", "dist-aim", "fed-naive-bayes"}) {
    const auto made = MakePublishedSpending(FindMethod(name).value(), Budget(), 7);
    ASSERT_TRUE(made.ok()) << name << ": " << made.status();
    const std::unique_ptr<SpendingPlan> plan = (*made)->Clone();
    ASSERT_TRUE(plan->Initialisation().has_value()) << name;
    while (plan->Next(0).value()) {
    }
    EXPECT_TRUE(plan->IsOver()) << name;
    EXPECT_LE(plan->Spent(), plan->client_terms().allowance) << name;
    EXPECT_GT(plan->Spent().ToDouble(), 0.999 * plan->client_terms().allowance.ToDouble()) << name;
  }
}

TEST(PublishedCode, DoesNotPayForWhatClientsMeasureBetweenTheirSteps) {
  Method method = NaiveFlaim();
  method.local_steps = 3;
  const double peeling = MakePublishedSpending(method, Budget(), 7).value()->Next(0).value()->Sigma();
  method.stepping = LocalStepping::kMeasuring;
  EXPECT_EQ(MakePublishedSpending(method, Budget(), 7).value()->Next(0).value()->Sigma(), peeling);
  EXPECT_GT(MakeSpendingPlan(method, Budget(), 7).value()->Next(0).value()->Sigma(), peeling);
}

TEST(PublishedCode, ExistsOnlyForThePapersFederatedMethods) {
  for (const char* name : {"flaim-once", "flaim-once-joint", "dist-aim-once", "aim", "aim-paper"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckHasPublishedCode(FindMethod(name).value()))) << name;
  }
  Method method = NaiveFlaim();
  method.rounds = Annealed{};
  EXPECT_THAT(std::string(CheckHasPublishedCode(method).message()), HasSubstr("fixed number of rounds"));
  method = NaiveFlaim();
  method.accounting = Accounting::kExact;
  EXPECT_THAT(std::string(CheckHasPublishedCode(method).message()), HasSubstr("exact"));
}

ReleasedMarginal Released(const Clique& clique, std::vector<double> values) {
  return {{clique, std::move(values), 4}, {.round = 1, .members = 2, .newcomers = 2}};
}

// The mistake that turns a marginal over when its noisy sum is negative.
TEST(PublishedCode, ScalesMarginalsByTheirNoisySums) {
  Oracle oracle(TableBuilder(SmallDomain()).Build(), false);
  const std::unique_ptr<Insider> insider = MakePublishedInsider(oracle);
  ReleasedMarginals released(2);
  released.Add(Released(Clique({0}), {6, 2}));
  released.Add(Released(Clique({0}), {-3, 1}));
  released.Add(Released(Clique({0}), {1, -1}));  // no scale: left out
  const auto weighted = insider->Weighted(released, Weighting::kNoisySizes, 80).value();
  ASSERT_EQ(weighted.size(), 2U);
  EXPECT_EQ(weighted[0].values, (std::vector<double>{60, 20}));
  EXPECT_EQ(weighted[0].variance, 400);
  EXPECT_EQ(weighted[1].values, (std::vector<double>{120, -40}));
  EXPECT_EQ(insider->Weighted(released, Weighting::kInverseSigma, 80).value()[0].variance, 4);
  EXPECT_EQ(insider->Rows(), 1) << "of an empty table, at least one";
  EXPECT_FALSE(insider->LearnsBeforeChoosing());
}

TEST(Research, IsForMethodsThatAreNotPrivateOnly) {
  const Table rows = TableBuilder(SmallDomain()).Build();
  for (const Method& method : AllMethods()) {
    const bool is_needed = !IsPrivate(method);
    EXPECT_EQ(MakeResearch(method, {}, rows) != nullptr, is_needed) << method.name;
    EXPECT_EQ(!ReasonsNotPrivate(method, {}).empty(), is_needed) << method.name;
    EXPECT_NE(MakeResearch(method, {.is_published_code = true}, rows), nullptr);
    EXPECT_FALSE(ReasonsNotPrivate(method, {.is_published_code = true}).empty());
  }
  EXPECT_TRUE(MakeResearch(AugFlaimOracle(), {}, rows)->oracle.guides_choices());
}

TEST(Research, WeighsByTheRowsThatAreReallyInASum) {
  const auto research = MakeResearch(AugFlaimOracle(), {}, TableBuilder(SmallDomain()).Build());
  research->oracle.Note(1, Clique({0}), Contributors::kEverybody, 4);
  ReleasedMarginals released(2);
  released.Add(Released(Clique({0}), {6, 2}));
  const auto weighted = research->insider->Weighted(released, Weighting::kTrueSizes, 8).value();
  EXPECT_EQ(weighted[0].values, (std::vector<double>{12, 4}));
  EXPECT_EQ(weighted[0].variance, 16);
  EXPECT_FALSE(research->insider->Weighted(released, Weighting::kNoisySizes, 8).has_value());
  EXPECT_FALSE(research->insider->Rows().has_value());
  EXPECT_TRUE(research->insider->LearnsBeforeChoosing());
}

TEST(OracleDeathTest, KnowsOnlySumsThatWereMade) {
  const Oracle oracle(TableBuilder(SmallDomain()).Build(), false);
  EXPECT_DEATH((void)oracle.RowsIn(1, Clique({0}), Contributors::kEverybody), "no sum of round 1");
}

}  // namespace
}  // namespace flaim
