#include <cmath>
#include <numbers>

#include "algorithms/methods/presets.h"
#include "algorithms/selection/selection_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Group kGroup = {.round = 1, .members = 50};
const ReleaseName kName = {"run", 1, "select 1"};

Method SummedScores() {
  Method method = AugFlaimPrivate();
  method.selection = Selection::kSummedScores;
  method.penalty = Penalty::kNone;
  method.noise_penalty = 0.5;
  return method;
}

// Pairs of 4, 6, 6, 9, ... cells, and a penalty of a quarter of sqrt(2/pi) 16 a cell.
SelectionBench BenchOf(std::vector<WeightedQuery> candidates) {
  SelectionBench bench(DomainOfSizes({2, 2, 3, 3}), SummedScores(), std::move(candidates));
  bench.state.StartRound();
  bench.MeasureOneWays(kGroup, 1000);
  bench.Fit();
  return bench;
}

RoundSpending Spending(int choices) {
  RoundSpending spending;
  spending.sigma_squared = Rational(64, 1);
  spending.score_rho = 0.01;
  spending.selections = 1;
  spending.choices = choices;
  spending.measured = choices;
  return spending;
}

constexpr double kSigma = 8;

double Penalty(double cells) { return 0.5 * std::sqrt(2 / std::numbers::pi) * kSigma * cells; }

// The sum of scores, in their units, of a candidate that is off by so many records more than its penalty.
std::int64_t ScoreAbovePenalty(double cells, double records) {
  return std::lround((Penalty(cells) + records) * static_cast<double>(kSummedScoreScale));
}

Choices Select(SelectionBench& bench, int choices) {
  return SelectBySummedScores()->Select(Spending(choices), kName, kGroup, bench.Run(), bench.state).value();
}

TEST(SummedScores, AreAskedForEveryCandidateAgainstTheModel) {
  const Domain domain = DomainOfSizes({2, 2, 3, 3});
  SelectionBench bench = BenchOf(PairsWeighing(domain));
  bench.federation.scores.assign(6, 0);
  Select(bench, 2);
  const ScoresRequest& asked = *bench.federation.asked_for_scores;
  EXPECT_EQ(asked.name, kName);
  ASSERT_EQ(asked.candidates.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(asked.candidates[i], bench.state.candidates[i].clique);
  // 6 scores, each of which a record moves by 2 records of 16 units: 6 * 32^2 / (2 rho).
  EXPECT_NEAR(asked.sigma_squared.ToDouble(), 6 * 32 * 32 / (2 * 0.01), 1);
  EXPECT_EQ(&asked.model.model(), &*bench.state.model);
}

// Records by which the candidates exceed their penalty: 10 * 1, 4 * 3, 5 * 1 and less than nothing.
TEST(SummedScores, ChooseTheLargestGainsBeyondNoiseByWeight) {
  const std::vector<WeightedQuery> candidates = {
      {Clique({0, 1}), 1}, {Clique({0, 2}), 3}, {Clique({1, 3}), 1}, {Clique({2, 3}), 9}};
  const std::vector<std::int64_t> scores = {ScoreAbovePenalty(4, 10), ScoreAbovePenalty(6, 4), ScoreAbovePenalty(6, 5),
                                            ScoreAbovePenalty(9, -1)};
  ASSERT_GT(scores[3], scores[0]) << "the last would be chosen first but for its noise";
  const std::vector<Clique> by_gain = {Clique({0, 2}), Clique({0, 1}), Clique({1, 3})};
  for (int most = 1; most <= 4; ++most) {
    SelectionBench bench = BenchOf(candidates);
    bench.federation.scores = scores;
    const Choices choices = Select(bench, most);
    EXPECT_EQ(choices.cliques, std::vector<Clique>(by_gain.begin(), by_gain.begin() + std::min(most, 3)));
    EXPECT_EQ(choices.contributors, Contributors::kEverybody);
    EXPECT_EQ(bench.state.provenance, "as recorded");
  }
}

TEST(SummedScores, ChooseNothingThatIsNotWorthItsNoise) {
  SelectionBench bench = BenchOf({{Clique({0, 1}), 1}, {Clique({0, 2}), 3}});
  bench.federation.scores = {ScoreAbovePenalty(4, -0.5), -1000};
  EXPECT_THAT(Select(bench, 2).cliques, IsEmpty());
}

// Forty of fifty found this much, so all would have found a quarter more.
TEST(SummedScores, AreScaledForThoseWhoDroppedOut) {
  SelectionBench bench = BenchOf({{Clique({0, 1}), 1}});
  bench.federation.scores = {ScoreAbovePenalty(4, -0.1 * Penalty(4))};
  EXPECT_THAT(Select(bench, 1).cliques, IsEmpty());
  bench.federation.contributors = 40;
  EXPECT_THAT(Select(bench, 1).cliques, ElementsAre(Clique({0, 1})));
}

// The second shares two attributes with the first, and would tell the model much the same; the third only one.
TEST(SummedScores, LetWhatOverlapsMuchWait) {
  SelectionBench bench = BenchOf({{Clique({0, 1, 2}), 1}, {Clique({1, 2, 3}), 1}, {Clique({2, 3}), 1}});
  bench.federation.scores = {ScoreAbovePenalty(12, 50), ScoreAbovePenalty(18, 40), ScoreAbovePenalty(9, 30)};
  EXPECT_THAT(Select(bench, 2).cliques, ElementsAre(Clique({0, 1, 2}), Clique({2, 3})));
  bench.federation.scores[1] = ScoreAbovePenalty(18, 60);
  EXPECT_THAT(Select(bench, 3).cliques, ElementsAre(Clique({1, 2, 3})));
}

}  // namespace
}  // namespace flaim
