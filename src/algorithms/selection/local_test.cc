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
using ::testing::Pointwise;

const Group kGroup = {.round = 3, .members = 50};
const ReleaseName kName = {"run", 3, "select 1"};

SelectionBench BenchOf(const Method& method) {
  const Domain domain = DomainOfSizes({2, 3, 4});
  SelectionBench bench(domain, method, PairsWeighing(domain, {5, 1, 3}));
  bench.state.StartRound();
  bench.MeasureOneWays(kGroup, 1000);
  bench.Fit();
  bench.federation.choosers = {0, 7, 1};
  return bench;
}

RoundSpending Spending(int choices) {
  RoundSpending spending;
  spending.sigma_squared = Rational(25, 1);
  spending.epsilon = Rational(1, 3);
  spending.selections = 1;
  spending.choices = choices;
  spending.measured = choices;
  return spending;
}

Choices SelectBy(Selector& selector, SelectionBench& bench, int choices = 1) {
  return selector.Select(Spending(choices), kName, kGroup, bench.Run(), bench.state).value();
}

LocalSelection AskedBy(const Method& method, int choices) {
  SelectionBench bench = BenchOf(method);
  SelectBy(*SelectLocally(), bench, choices);
  return *bench.federation.asked_clients;
}

TEST(LocalSelector, TellsClientsTheCandidatesTheModelAndTheNoise) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  bench.method.noise_penalty = 0.6;
  SelectBy(*SelectLocally(), bench);
  const LocalSelection& asked = *bench.federation.asked_clients;
  EXPECT_EQ(asked.name, kName);
  EXPECT_EQ(asked.candidates, bench.state.candidates);
  const double penalty = 0.6 * std::sqrt(2 / std::numbers::pi) * 5;
  EXPECT_THAT(asked.penalty_records,
              Pointwise(DoubleNear(1e-12), std::vector<double>{6 * penalty, 8 * penalty, 12 * penalty}));
  EXPECT_EQ(asked.epsilon, Rational(1, 3));
  EXPECT_EQ(&asked.model.model(), &*bench.state.model);
}

TEST(LocalSelector, ChoosesWhateverAClientChose) {
  SelectionBench bench = BenchOf(NaiveFlaim());
  const Choices choices = SelectBy(*SelectLocally(), bench);
  EXPECT_THAT(choices.cliques, ElementsAre(Clique({0, 2}), Clique({1, 2})));
  EXPECT_EQ(choices.contributors, Contributors::kChoosers);
  EXPECT_EQ(bench.state.provenance, "as recorded");
}

TEST(LocalSelector, AsksForNoMoreStepsThanThereAreCandidates) {
  EXPECT_EQ(AskedBy(NaiveFlaim(), 1).steps, 1);
  EXPECT_EQ(AskedBy(NaiveFlaim(), 3).steps, 3);
  EXPECT_EQ(AskedBy(NaiveFlaim(), 8).steps, 3);
}

TEST(LocalSelector, LetsTheOneWaysStandInForHeterogeneityWhereTheMethodDoes) {
  EXPECT_EQ(AskedBy(NaiveFlaim(), 1).heterogeneity, Heterogeneity::kIgnored);
  EXPECT_EQ(AskedBy(AugFlaimPrivate(), 1).heterogeneity, Heterogeneity::kProxy);
}

// With the noise that a measurement of the round has, and all that was released, scaled to the model's records.
TEST(LocalSelector, LetsClientsFitBetweenStepsWhereTheMethodDoes) {
  Method method = NaiveFlaim();
  method.local_steps = 2;
  EXPECT_FALSE(AskedBy(method, 2).refit.has_value());
  method.stepping = LocalStepping::kMeasuring;
  EXPECT_FALSE(AskedBy(method, 1).refit.has_value()) << "there is nothing between one step";

  SelectionBench bench = BenchOf(method);
  SelectBy(*SelectLocally(), bench, 2);
  const LocalSelection& asked = *bench.federation.asked_clients;
  ASSERT_TRUE(asked.refit.has_value());
  EXPECT_EQ(asked.refit->sigma_squared, Rational(25, 1));
  EXPECT_EQ(asked.refit->known.total, bench.state.model->total());
  EXPECT_EQ(asked.refit->known.measurements,
            bench.state.released.Weighted(method.weighting, bench.state.model->total()));
}

TEST(RandomSelector, AsksForNothingButSteps) {
  SelectionBench bench = BenchOf(FlaimRandom());
  const Choices choices = SelectBy(*SelectAtRandom(), bench, 2);
  EXPECT_EQ(bench.federation.asked_at_random->name, kName);
  EXPECT_EQ(bench.federation.asked_at_random->candidates, bench.state.candidates);
  EXPECT_EQ(bench.federation.asked_at_random->steps, 2);
  EXPECT_THAT(choices.cliques, ElementsAre(Clique({0, 2}), Clique({1, 2})));
  EXPECT_EQ(choices.contributors, Contributors::kChoosers);
}

}  // namespace
}  // namespace flaim
