#include "algorithms/selection/candidates.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/methods/presets.h"
#include "algorithms/selection/selection_testing.h"
#include "base/seeded_random_source.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/junction_tree.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Setting {
  Domain domain;
  std::vector<Clique> model_cliques;
  std::vector<WeightedQuery> candidates;
};

Clique RandomClique(const Domain& domain, int max_attributes, RandomSource& random) {
  std::vector<AttributeIndex> attributes;
  const int size = 1 + static_cast<int>(random.NextBelow(max_attributes));
  for (int i = 0; i < size; ++i) attributes.push_back(static_cast<AttributeIndex>(random.NextBelow(domain.size())));
  return Clique(attributes);
}

Setting MakeSetting(std::uint64_t seed) {
  SeededRandomSource random(seed, "candidates");
  std::vector<Attribute> attributes;
  for (int i = 0; i < 8; ++i) attributes.push_back({fmt::format("c{}", i), 1 + std::int64_t(random.NextBelow(9))});
  Setting setting{Domain::Create(attributes).value(), {}, {}};
  for (int i = 0; i < 6; ++i) setting.model_cliques.push_back(RandomClique(setting.domain, 3, random));
  for (int i = 0; i < 25; ++i) setting.candidates.push_back({RandomClique(setting.domain, 4, random), 1});
  return setting;
}

std::int64_t TreeCells(const Setting& setting, const std::vector<Clique>& cliques) {
  return JunctionTree::Build(setting.domain, cliques, std::int64_t{1} << 40)->cells();
}

std::vector<std::size_t> AffordableOf(const Setting& setting, std::int64_t max_cells) {
  Parallel parallel(2);
  return AffordableCandidates(setting.candidates, setting.domain, setting.model_cliques, max_cells, parallel).value();
}

TEST(AffordableCandidates, AreThoseWhoseTreeFits) {
  int affordable_ones = 0;
  int others = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Setting setting = MakeSetting(seed);
    const std::int64_t now = TreeCells(setting, setting.model_cliques);
    for (const std::int64_t max_cells : {now, 2 * now, 10 * now}) {
      const std::vector<std::size_t> affordable = AffordableOf(setting, max_cells);
      ASSERT_TRUE(std::is_sorted(affordable.begin(), affordable.end()));
      for (std::size_t i = 0; i < setting.candidates.size(); ++i) {
        std::vector<Clique> enlarged = setting.model_cliques;
        enlarged.push_back(setting.candidates[i].clique);
        const bool is_affordable = std::binary_search(affordable.begin(), affordable.end(), i);
        EXPECT_EQ(is_affordable, TreeCells(setting, enlarged) <= max_cells) << "seed " << seed << ", candidate " << i;
        (is_affordable ? affordable_ones : others) += 1;
      }
    }
  }
  EXPECT_GT(affordable_ones, 500);
  EXPECT_GT(others, 500);
}

TEST(AffordableCandidates, AlwaysHoldWhatLeavesTheModelAsLargeAsItIs) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Setting setting = MakeSetting(seed);
    setting.candidates.clear();
    for (const Clique& clique : setting.model_cliques) {
      setting.candidates.push_back({clique, 1});
      for (const AttributeIndex attribute : clique) setting.candidates.push_back({Clique({attribute}), 1});
    }
    EXPECT_EQ(AffordableOf(setting, 0).size(), setting.candidates.size());
  }
}

TEST(AffordableCandidates, AreNotSoughtOnceTheRunIsToStop) {
  const Setting setting = MakeSetting(1);
  Parallel parallel(2, [] { return true; });
  EXPECT_TRUE(absl::IsCancelled(
      AffordableCandidates(setting.candidates, setting.domain, setting.model_cliques, 1 << 20, parallel).status()));
}

// Attributes of 2, 3, 4 and 5 values.
SelectionBench BenchOf(const Method& method) {
  const Domain domain = DomainOfSizes({2, 3, 4, 5});
  return {domain, method, PairsWeighing(domain, {1, 2, 3, 4, 5, 6})};
}

const Group kGroup = {.round = 1, .members = 10};

RoundSpending SpendingAt(std::int64_t sigma, int measured = 1) {
  RoundSpending spending;
  spending.sigma_squared = Rational(sigma * sigma, 1);
  spending.measured = measured;
  spending.selections = 1;
  spending.choices = 1;
  return spending;
}

// The bench as a round finds it: one group of so many rows has released its one-ways.
void Begin(SelectionBench& bench, double rows) {
  bench.state.StartRound();
  bench.MeasureOneWays(kGroup, rows);
  bench.Fit();
}

std::vector<Clique> CliquesOf(const std::vector<Candidate>& candidates) {
  std::vector<Clique> cliques;
  for (const Candidate& candidate : candidates) cliques.push_back(candidate.query.clique);
  return cliques;
}

std::vector<Clique> CandidatesOf(SelectionBench& bench, const RoundSpending& spending = SpendingAt(1)) {
  return CliquesOf(FindCandidates(spending, kGroup, bench.Run(), bench.state).value());
}

double PenaltyPerCell(SelectionBench& bench, const RoundSpending& spending) {
  const std::vector<Candidate> candidates = FindCandidates(spending, kGroup, bench.Run(), bench.state).value();
  const double penalty = candidates.front().penalty_records / 6;
  for (const Candidate& candidate : candidates) {
    const auto cells = static_cast<double>(*CellCount(bench.federation.domain(), candidate.query.clique));
    EXPECT_DOUBLE_EQ(candidate.penalty_records, penalty * cells);
  }
  return penalty;
}

TEST(FindCandidates, ArePenalisedForTheNoiseThatSumsHaveAndNotForWhatWasPaid) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  Begin(bench, 1000);
  const double paid = PenaltyPerCell(bench, SpendingAt(1));
  bench.state.surplus = 2.25;
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(1)), 1.5 * paid);
}

TEST(FindCandidates, KnowsTheirPlacesAndWeights) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  bench.state.candidates.insert(bench.state.candidates.begin(), {Clique({0}), 7});
  bench.method.one_way_candidates = false;
  Begin(bench, 1000);
  const std::vector<Candidate> candidates = FindCandidates(SpendingAt(1), kGroup, bench.Run(), bench.state).value();
  ASSERT_EQ(candidates.size(), 6u);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    EXPECT_EQ(candidates[i].position, i + 1);
    EXPECT_EQ(candidates[i].query, bench.state.candidates[i + 1]);
  }
}

// The L1 norm of the noise of one measurement, times the method's constant.
TEST(FindCandidates, HoldsTheExpectedNoiseAgainstThem) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  Begin(bench, 1000);
  const double expected = std::sqrt(2 / std::numbers::pi) * 4;
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(4)), expected);
  bench.method.noise_penalty = 0.6;
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(4)), 0.6 * expected);
}

// Of 10 rounds, 8 marginals are measured now and 16 in the end: twice the variance, over all groups that are left.
TEST(FindCandidates, HoldsTheNoiseAgainstThemThatIsLeftWhenAllGroupsHaveMeasured) {
  Method method = FlaimOnceJoint();
  method.rounds = ChooseThenMeasure{.rounds = 10, .choosing_rounds = 2, .marginals = 16};
  method.noise_penalty = 1;
  SelectionBench bench = BenchOf(method);
  Begin(bench, 1000);
  const double once = std::sqrt(2 / std::numbers::pi) * 4;
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(4, 8)), once * std::sqrt(2.0) / std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(4, 16)), once / std::sqrt(10.0));
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(4, 20)), once / std::sqrt(10.0)) << "as many as planned by now";
  bench.state.rounds = 7;
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(4, 16)), once / std::sqrt(4.0));
  bench.state.rounds = 12;
  EXPECT_DOUBLE_EQ(PenaltyPerCell(bench, SpendingAt(4, 16)), once) << "at least this group";
}

// Of 20 rows, no distance is above 40: a pair of 12 cells has less noise than that, at 3.2 a cell, and one of 15 more.
TEST(FindCandidates, LeavesOutWhatNoiseWouldDrownWhereItIsMeasuredAgain) {
  Method method = FlaimOnceJoint();
  method.rounds = ChooseThenMeasure{.rounds = 1, .choosing_rounds = 1, .marginals = 1};
  method.noise_penalty = 1;
  SelectionBench once = BenchOf(method);
  Begin(once, 20);
  EXPECT_THAT(CandidatesOf(once, SpendingAt(4)),
              ElementsAre(Clique({0, 1}), Clique({0, 2}), Clique({0, 3}), Clique({1, 2})));
  SelectionBench fixed = BenchOf(NaiveFlaim());
  Begin(fixed, 20);
  EXPECT_EQ(CandidatesOf(fixed, SpendingAt(4)).size(), 6u);
}

TEST(FindCandidates, HasOneWaysOnlyIfTheMethodAsksForThem) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  bench.state.candidates = {{Clique({0}), 1}, {Clique({1, 2}), 1}, {Clique({3}), 1}};
  Begin(bench, 1000);
  EXPECT_THAT(CandidatesOf(bench), ElementsAre(Clique({0}), Clique({1, 2}), Clique({3})));
  bench.method.one_way_candidates = false;
  EXPECT_THAT(CandidatesOf(bench), ElementsAre(Clique({1, 2})));
}

TEST(FindCandidates, LeavesOutWhatLiesWithinAChoiceThatIsMeasuredAgain) {
  for (const Method& method : {NaiveFlaim(), FlaimOnceJoint()}) {
    SelectionBench bench = BenchOf(method);
    bench.state.candidates = {{Clique({0, 1}), 1}, {Clique({0, 2}), 1}, {Clique({0, 1, 2}), 1}, {Clique({2, 3}), 1}};
    Begin(bench, 1e6);
    bench.state.MarkChosen(Clique({0, 1, 2}));
    EXPECT_EQ(CandidatesOf(bench).size(), bench.Run().MeasuresAgain() ? 1u : 4u);
    EXPECT_EQ(CandidatesOf(bench).back(), Clique({2, 3}));
  }
}

// The one-ways have 14 cells. Of the pairs, 1 and 3 would make it 21, 2 and 3 even 25.
TEST(FindCandidates, KeepsToTheCellsOfTheModelOrToTheShareThatIsAllowedByNow) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  bench.options.max_model_cells = 20;
  Begin(bench, 1000);
  const auto small = ElementsAre(Clique({0, 1}), Clique({0, 2}), Clique({0, 3}), Clique({1, 2}));
  EXPECT_THAT(CandidatesOf(bench), small);
  bench.options.max_model_cells = 200;
  EXPECT_EQ(CandidatesOf(bench).size(), 6u);
  bench.options.model_grows_with_budget = true;
  EXPECT_THAT(CandidatesOf(bench), IsEmpty());
  ASSERT_TRUE(bench.plan->Next(0).ok());  // one round of ten
  EXPECT_THAT(CandidatesOf(bench), small);
  for (int round = 2; round <= 10; ++round) ASSERT_TRUE(bench.plan->Next(0).ok());
  EXPECT_EQ(CandidatesOf(bench).size(), 6u);
}

// Each of the chosen fits the model, but not all of them: 0,1 and 0,2 make 19 cells together, with 0,3 it would be 24,
// and 1,2 would close a triangle.
TEST(SelectorAmongCandidates, LeavesOutChoicesThatDoNotFitTogether) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  bench.options.max_model_cells = 20;
  Begin(bench, 1000);
  bench.federation.choosers = {3, 1, 1, 2};
  const Choices choices =
      SelectLocally()->Select(SpendingAt(1), {"run", 1, "select 1"}, kGroup, bench.Run(), bench.state).value();
  EXPECT_THAT(choices.cliques, ElementsAre(Clique({0, 1}), Clique({0, 2})));
}

// Counts of a marginal that was chosen, as if there was no noise.
void Release(const Clique& clique, SelectionBench& bench) {
  const auto cells = static_cast<std::size_t>(CellCount(bench.federation.domain(), clique).value());
  ReleasedMarginal released;
  released.measured = {clique, std::vector<double>(cells, 1000.0 / static_cast<double>(cells)), 1};
  released.group = kGroup;
  bench.state.Add(std::move(released));
  bench.state.MarkChosen(clique);
}

struct RandomRun {
  Domain domain;
  std::int64_t max_cells;
};

// Sizes as different as in real tables, and a limit that is met after some choices.
RandomRun MakeRandomRun(RandomSource& random) {
  std::vector<std::int64_t> sizes(3 + random.NextBelow(8));
  std::int64_t one_ways = 0;
  for (std::int64_t& size : sizes) {
    size = static_cast<std::int64_t>(1 + random.NextBelow(1 + random.NextBelow(12)));
    one_ways += size;
  }
  return {DomainOfSizes(sizes), one_ways + static_cast<std::int64_t>(random.NextBelow(1 + random.NextBelow(1000)))};
}

// Two thousand domains and limits, and whatever is chosen in whatever order: the next fit takes all of it in, and keeps
// to the limit.
TEST(FindCandidates, NeverOffersWhatTheNextFitCannotTakeIn) {
  SeededRandomSource random(12, "paid runs");
  int choices_made = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const RandomRun random_run = MakeRandomRun(random);
    SelectionBench bench(random_run.domain, NaiveFlaim(), PairsWeighing(random_run.domain));
    for (int i = 0; i < 5; ++i) bench.state.candidates.push_back({RandomClique(random_run.domain, 4, random), 1});
    bench.options.max_model_cells = random_run.max_cells;
    bench.MeasureOneWays(kGroup, 1000);
    for (int round = 0; round < 14; ++round) {
      ASSERT_TRUE(bench.state.Refit(bench.Run(), {.max_iterations = 1}).ok()) << "trial " << trial;
      ASSERT_LE(bench.state.model->tree().cells(), random_run.max_cells);
      ASSERT_EQ(bench.state.model->layout().size(), std::ssize(bench.state.ModelCliques())) << "something was left out";
      const std::vector<Clique> candidates = CandidatesOf(bench);
      if (candidates.empty()) break;
      Release(candidates[random.NextBelow(candidates.size())], bench);
      ++choices_made;
    }
  }
  EXPECT_GT(choices_made, 10'000);
}

// A run whose releases do not fit together, as one resumed with other limits might be, still ends with a model.
TEST(RunState, IsFittedToWhatTheModelCanHold) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  bench.options.max_model_cells = 20;
  bench.MeasureOneWays(kGroup, 1000);
  for (const Clique& clique : {Clique({0, 1}), Clique({2, 3}), Clique({0, 2})}) Release(clique, bench);
  ASSERT_TRUE(bench.state.Refit(bench.Run(), {}).ok());
  EXPECT_LE(bench.state.model->tree().cells(), 20);
  EXPECT_THAT(bench.state.model->layout().cliques(), testing::Contains(Clique({0, 1})));
  EXPECT_THAT(bench.state.model->layout().cliques(), testing::Not(testing::Contains(Clique({2, 3}))));
}

TEST(SelectorAmongCandidates, AsksNobodyWhereThereIsNothingToChoose) {
  for (const Method& method : {AimOfPaper(), FlaimOnceJoint()}) {
    SelectionBench bench = BenchOf(method);
    bench.state.candidates.clear();
    Begin(bench, 1000);
    const Choices choices = SelectByScoreOfCounts()
                                ->Select(SpendingAt(1), {"run", 1, "select 1"}, kGroup, bench.Run(), bench.state)
                                .value();
    EXPECT_THAT(choices.cliques, IsEmpty());
    EXPECT_FALSE(bench.federation.asked_for_choice.has_value());
    EXPECT_EQ(bench.state.nothing_left_to_choose, bench.Run().MeasuresAgain());
  }
}

}  // namespace
}  // namespace flaim
