#include "algorithms/selection/selector.h"

#include "algorithms/methods/presets.h"
#include "algorithms/selection/selection_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::IsEmpty;

const Group kGroup = {.round = 1, .members = 50};

// What a selection asks the federation for.
struct Asked {
  bool scores = false;
  bool choice = false;
  bool clients = false;
  bool at_random = false;

  bool operator==(const Asked&) const = default;
};

Asked AskedBy(const Method& method) {
  const Domain domain = DomainOfSizes({2, 3});
  SelectionBench bench(domain, method, PairsWeighing(domain));
  bench.state.StartRound();
  bench.MeasureOneWays(kGroup, 1000);
  bench.Fit();
  bench.federation.scores = {0};
  bench.federation.choosers = {0};
  RoundSpending spending;
  spending.sigma_squared = Rational(1, 1);
  spending.epsilon = Rational(1, 1);
  spending.score_rho = 0.01;
  spending.selections = spending.choices = spending.measured = 1;
  const auto choices = MakeSelector(method)->Select(spending, {"run", 1, "select 1"}, kGroup, bench.Run(), bench.state);
  EXPECT_TRUE(choices.ok()) << choices.status();
  EXPECT_THAT(choices->cliques, IsEmpty());
  return {bench.federation.asked_for_scores.has_value(), bench.federation.asked_for_choice.has_value(),
          bench.federation.asked_clients.has_value(), bench.federation.asked_at_random.has_value()};
}

TEST(MakeSelector, AsksTheFederationForWhatTheMethodSays) {
  Method summed = AugFlaimPrivate();
  summed.selection = Selection::kSummedScores;
  EXPECT_EQ(AskedBy(summed), Asked{.scores = true});
  EXPECT_EQ(AskedBy(AimOfPaper()), Asked{.choice = true});
  EXPECT_EQ(AskedBy(DistAim()), Asked{.choice = true});
  EXPECT_EQ(AskedBy(NaiveFlaim()), Asked{.clients = true});
  EXPECT_EQ(AskedBy(FlaimRandom()), Asked{.at_random = true});
  EXPECT_EQ(AskedBy(FedNaiveBayes()), Asked{});
  EXPECT_EQ(AskedBy(FlaimOnce()), Asked{}) << "noisy sums are chosen from when all of them are there";
}

}  // namespace
}  // namespace flaim
