#include "algorithms/spending/annealed.h"

#include <cmath>
#include <limits>

#include "algorithms/methods/presets.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

constexpr double kRounding = 1e-8;  // fractions keep 30 bits

PrivacyBudget BudgetOf(double epsilon) { return PrivacyBudget::Create(epsilon, 1e-6).value(); }

// From far below to far above any sensible budget, on a logarithmic scale.
PrivacyBudget RandomBudget(RandomSource& random) { return BudgetOf(std::pow(10, 3 * random.NextUnit() - 1)); }

Method AimWith(const Rounds& rounds) {
  Method method = Aim();
  method.rounds = rounds;
  return method;
}

absl::StatusOr<std::unique_ptr<SpendingPlan>> PlanOf(double epsilon, int attributes, const Rounds& rounds) {
  return MakeSpendingPlan(AimWith(rounds), BudgetOf(epsilon), attributes);
}

Rounds RandomRounds(RandomSource& random) {
  if (random.NextBelow(2) == 0) return FixedRounds{1 + static_cast<int>(random.NextBelow(60))};
  return Annealed{1 + 20 * random.NextUnit()};
}

Rho CostOfOneWays(const SpendingPlan& plan, int attributes) {
  return CostOf(GaussianMechanism{*plan.Initialisation()->one_way_sigma_squared, attributes});
}

Rho CostOfRound(const RoundSpending& round) {
  return CostOf(GaussianMechanism{*round.sigma_squared}) + CostOf(ExponentialMechanism{round.epsilon});
}

// The costs of all that a plan allows, added up by an auditor who knows nothing of its arithmetic.
struct Audit {
  Rho paid;
  std::optional<RoundSpending> last;
};

Audit RunToTheEnd(SpendingPlan& plan, int attributes, RandomSource& random) {
  const std::uint64_t odds = 1 + random.NextBelow(8);
  Audit audit{CostOfOneWays(plan, attributes), std::nullopt};
  while (const std::optional<RoundSpending> round = plan.Next(0).value()) {
    EXPECT_FALSE(audit.last.has_value() && audit.last->is_last) << "a round after the last";
    audit.paid = audit.paid + CostOfRound(*round);
    audit.last = round;
    plan.Observe(random.NextBelow(odds) != 0);
  }
  return audit;
}

TEST(SpendingOfAim, NeverExceedsItsAllowanceAndUsesHardlyLess) {
  int plans = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SeededRandomSource random(seed, "schedules");
    const PrivacyBudget budget = RandomBudget(random);
    const int attributes = 1 + static_cast<int>(random.NextBelow(60));
    const auto plan = MakeSpendingPlan(AimWith(RandomRounds(random)), budget, attributes);
    if (!plan.ok()) continue;
    ++plans;
    const Audit audit = RunToTheEnd(**plan, attributes, random);
    ASSERT_LE(audit.paid, RhoFor(budget)) << "seed " << seed;
    ASSERT_EQ(audit.paid, (*plan)->Spent()) << "seed " << seed;
    ASSERT_GE(audit.paid.ToDouble(), RhoFor(budget).ToDouble() * (1 - kRounding)) << "seed " << seed;
    ASSERT_TRUE(audit.last.has_value() && audit.last->is_last) << "seed " << seed;
    ASSERT_FALSE((*plan)->Next(0).value().has_value());
  }
  EXPECT_GT(plans, 2500);
}

TEST(SpendingOfAim, ChargesTheOneWaysForEveryAttribute) {
  for (const Rounds& rounds : {Rounds(FixedRounds{10}), Rounds(Annealed{})}) {
    const auto plan = PlanOf(1, 14, rounds).value();
    EXPECT_EQ(plan->Spent(), CostOfOneWays(*plan, 14));
  }
}

TEST(SpendingOfAim, FollowsTheFormulasForAFixedNumberOfRounds) {
  const double rho = RhoFor(BudgetOf(1)).ToDouble();
  for (const int rounds : {1, 10, 100}) {
    for (const int attributes : {1, 14, 55}) {
      const auto plan = PlanOf(1, attributes, FixedRounds{rounds}).value();
      const double sigma_squared = (rounds + attributes) / (2 * 0.9 * rho);
      EXPECT_NEAR(plan->Initialisation()->one_way_sigma_squared->ToDouble(), sigma_squared, kRounding * sigma_squared);
      for (int i = 1; i <= rounds; ++i) {
        const std::optional<RoundSpending> round = plan->Next(0).value();
        ASSERT_TRUE(round.has_value());
        EXPECT_EQ(round->is_last, i == rounds);
        EXPECT_NEAR(round->sigma_squared->ToDouble(), sigma_squared, kRounding * sigma_squared);
        EXPECT_NEAR(round->epsilon.ToDouble(), std::sqrt(8 * 0.1 * rho / rounds), kRounding);
        plan->Observe(i % 2 == 0);
      }
      EXPECT_FALSE(plan->Next(0).value().has_value());
    }
  }
}

TEST(AnnealedSpending, StartsFromTheFormula) {
  const double rho = RhoFor(BudgetOf(1)).ToDouble();
  for (const int attributes : {1, 14, 55}) {
    for (const double rounds_per_attribute : {4.0, 16.0}) {
      const auto plan = PlanOf(1, attributes, Annealed{rounds_per_attribute}).value();
      const double rounds = rounds_per_attribute * attributes;
      const double sigma_squared = rounds / (2 * 0.9 * rho);
      EXPECT_NEAR(plan->Initialisation()->one_way_sigma_squared->ToDouble(), sigma_squared, kRounding * sigma_squared);
      const RoundSpending first = plan->Next(0).value().value();
      EXPECT_NEAR(first.sigma_squared->ToDouble(), sigma_squared, kRounding * sigma_squared);
      EXPECT_NEAR(first.epsilon.ToDouble(), std::sqrt(8 * 0.1 * rho / rounds), kRounding);
    }
  }
}

TEST(AnnealedSpending, HalvesSigmaAndDoublesEpsilonOnlyAfterARoundThatTaughtLittle) {
  const auto plan = PlanOf(1, 14, Annealed{}).value();
  const RoundSpending first = plan->Next(0).value().value();
  plan->Observe(true);
  const RoundSpending second = plan->Next(0).value().value();
  EXPECT_EQ(second.sigma_squared, first.sigma_squared);
  EXPECT_EQ(second.epsilon, first.epsilon);
  plan->Observe(false);
  const RoundSpending third = plan->Next(0).value().value();
  EXPECT_NEAR(third.Sigma(), second.Sigma() / 2, kRounding * second.Sigma());
  EXPECT_NEAR(third.epsilon.ToDouble(), 2 * second.epsilon.ToDouble(), kRounding);
}

TEST(AnnealedSpending, TakesInTheLastRoundWhatIsLeft) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SeededRandomSource random(seed, "last round");
    const PrivacyBudget budget = RandomBudget(random);
    const auto plan = MakeSpendingPlan(AimWith(Annealed{}), budget, 1 + static_cast<int>(random.NextBelow(30)));
    if (!plan.ok()) continue;
    Rho before = (*plan)->Spent();
    while (const std::optional<RoundSpending> round = (*plan)->Next(0).value()) {
      const Rho left = RhoFor(budget) - before;
      if (round->is_last) {
        EXPECT_NEAR(CostOf(GaussianMechanism{*round->sigma_squared}).ToDouble(), 0.9 * left.ToDouble(),
                    kRounding * left.ToDouble());
        EXPECT_NEAR(CostOf(ExponentialMechanism{round->epsilon}).ToDouble(), 0.1 * left.ToDouble(),
                    kRounding * left.ToDouble());
      } else {
        EXPECT_GE(left, CostOfRound(*round) + CostOfRound(*round));
      }
      before = (*plan)->Spent();
      (*plan)->Observe(random.NextBelow(6) != 0);
    }
  }
}

TEST(AnnealedSpending, IsACopyOfItsOwnInEveryRun) {
  const auto plan = PlanOf(1, 5, Annealed{}).value();
  const auto run = plan->Clone();
  SeededRandomSource random(1, "copies");
  RunToTheEnd(*run, 5, random);
  EXPECT_TRUE(run->IsOver());
  EXPECT_FALSE(plan->IsOver());
  EXPECT_EQ(plan->Spent(), CostOfOneWays(*plan, 5));
}

TEST(AnnealedSpending, RefusesABudgetThatDoesNotReachForTheOneWays) {
  // All would go into the one-ways: 0.9 / 0.5 of the budget, or all but a crumb.
  for (const double rounds_per_attribute : {0.5, 0.9, 0.9000001}) {
    const auto plan = PlanOf(1, 10, Annealed{rounds_per_attribute});
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kResourceExhausted) << rounds_per_attribute;
  }
}

TEST(SpendingOfAim, RefusesAPlanWithoutRoundsOrWithTooMany) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const Rounds& rounds : {Rounds(FixedRounds{0}), Rounds(FixedRounds{-3}), Rounds(FixedRounds{1'000'001}),
                               Rounds(Annealed{0}), Rounds(Annealed{not_a_number}), Rounds(Annealed{1e9})}) {
    EXPECT_EQ(PlanOf(1, 5, rounds).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace flaim
