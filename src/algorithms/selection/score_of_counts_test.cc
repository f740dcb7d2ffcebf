#include <cmath>
#include <numbers>

#include "algorithms/methods/presets.h"
#include "algorithms/selection/selection_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pointwise;

const Group kLarge = {.round = 1, .members = 60};
const Group kSmall = {.round = 2, .members = 20};
const ReleaseName kName = {"run", 2, "select 1"};

RoundSpending Spending(bool is_last = false) {
  RoundSpending spending;
  spending.sigma_squared = Rational(9, 1);
  spending.epsilon = Rational(1, 4);
  spending.selections = 1;
  spending.choices = 1;
  spending.measured = 1;
  spending.is_last = is_last;
  return spending;
}

// Two groups of 900 and 100 rows have released their one-ways; the second one chooses.
SelectionBench BenchOf(const Method& method) {
  const Domain domain = DomainOfSizes({2, 3, 4});
  SelectionBench bench(domain, method, PairsWeighing(domain, {5, 1, 3}));
  bench.state.StartRound();
  bench.MeasureOneWays(kLarge, 900);
  bench.MeasureOneWays(kSmall, 100);
  bench.Fit();
  return bench;
}

Choices Select(SelectionBench& bench, const RoundSpending& spending = Spending()) {
  return SelectByScoreOfCounts()->Select(spending, kName, kSmall, bench.Run(), bench.state).value();
}

TEST(ScoreOfCounts, AsksForOneChoiceByWeightPenaltyAndEpsilon) {
  SelectionBench bench = BenchOf(DistAim());
  bench.method.noise_penalty = 0.6;
  Select(bench);
  const SumSelection& asked = *bench.federation.asked_for_choice;
  EXPECT_EQ(asked.name, kName);
  EXPECT_EQ(asked.candidates, bench.state.candidates);
  EXPECT_EQ(asked.epsilon, Rational(1, 4));
  const double penalty = 0.6 * std::sqrt(2 / std::numbers::pi) * 3;
  EXPECT_THAT(asked.penalty_records,
              Pointwise(DoubleNear(1e-12), std::vector<double>{6 * penalty, 8 * penalty, 12 * penalty}));
}

// What the model expects of as many rows as the *group* has, not of all.
TEST(ScoreOfCounts, ComparesWithWhatTheModelExpectsOfTheGroup) {
  SelectionBench bench = BenchOf(DistAim());
  Select(bench);
  ASSERT_GT(bench.state.model->total(), 1000);
  const std::vector<double> b = BenchShares(3);
  const std::vector<double> c = BenchShares(4);
  std::vector<double> expected;
  for (const double one : b) {
    for (const double other : c) expected.push_back(100 * one * other);
  }
  ASSERT_EQ(bench.federation.expected.size(), 3u);
  EXPECT_THAT(bench.federation.expected[2], Pointwise(DoubleNear(0.01), expected));
}

TEST(ScoreOfCounts, IsOneMarginalOfEverybodyOrNone) {
  SelectionBench bench = BenchOf(DistAim());
  bench.federation.choice = 1;
  const Choices choices = Select(bench);
  EXPECT_THAT(choices.cliques, ElementsAre(Clique({0, 2})));
  EXPECT_EQ(choices.contributors, Contributors::kEverybody);
  EXPECT_EQ(bench.state.provenance, "as recorded");
  bench.federation.choice = std::nullopt;
  EXPECT_THAT(Select(bench).cliques, IsEmpty());
}

// A marginal that is measured by all groups to come must be worth it.
TEST(ScoreOfCounts, MayBeNoneOnlyWhereChoicesAreMeasuredAgain) {
  for (const Method& method : {AimOfPaper(), DistAim(), FlaimOnceJoint()}) {
    SelectionBench bench = BenchOf(method);
    Select(bench);
    EXPECT_EQ(bench.federation.asked_for_choice->may_choose_none, method == FlaimOnceJoint()) << method.name;
  }
}

// The last choice on one table: positions among the run's candidates, of which 0 is no candidate here; the noise of a
// score is 2 * largest weight / epsilon records.
TEST(ScoreOfCounts, RemembersTheLastChoiceForErrorBounds) {
  SelectionBench bench = BenchOf(AimOfPaper());
  bench.method.one_way_candidates = false;
  bench.method.noise_penalty = 0.6;
  bench.state.candidates.insert(bench.state.candidates.begin(), {Clique({0}), 100});
  bench.federation.choice = 1;
  Select(bench);
  EXPECT_FALSE(bench.state.last_selection.has_value());
  Select(bench, Spending(/*is_last=*/true));
  ASSERT_TRUE(bench.state.last_selection.has_value());
  const LastSelection& last = *bench.state.last_selection;
  EXPECT_THAT(last.affordable, ElementsAre(1, 2, 3));
  EXPECT_EQ(last.selected, 2u);
  EXPECT_DOUBLE_EQ(last.penalty_records_per_cell, 0.6 * std::sqrt(2 / std::numbers::pi) * 3);
  EXPECT_DOUBLE_EQ(last.score_noise_records, 2 * 5 / 0.25);

  SelectionBench pool = BenchOf(DistAim());
  pool.federation.choice = 1;
  Select(pool, Spending(/*is_last=*/true));
  EXPECT_FALSE(pool.state.last_selection.has_value());
}

}  // namespace
}  // namespace flaim
