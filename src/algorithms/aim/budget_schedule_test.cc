#include "algorithms/aim/budget_schedule.h"

#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

constexpr double kRounding = 1e-8;  // fractions keep 30 bits

Rho AllowanceOf(double epsilon) { return RhoFor(PrivacyBudget::Create(epsilon, 1e-6).value()); }

// From far below to far above any sensible budget, on a logarithmic scale.
Rho RandomAllowance(RandomSource& random) { return Rho::RoundDown(std::pow(10, 7 * random.NextUnit() - 5)); }

RoundPlan RandomPlan(RandomSource& random) {
  if (random.NextBelow(2) == 0) return FixedRounds{1 + static_cast<int>(random.NextBelow(60))};
  return Annealed{1 + 20 * random.NextUnit()};
}

// The costs of all that a schedule allows, added up by an auditor who knows nothing of its arithmetic.
struct Audit {
  Rho paid;
  int rounds = 0;
  std::optional<RoundBudget> last;
};

Audit RunToTheEnd(BudgetSchedule& schedule, RandomSource& random) {
  const std::uint64_t odds = 1 + random.NextBelow(8);
  Audit audit;
  audit.paid = CostOf(schedule.one_ways());
  while (const std::optional<RoundBudget> round = schedule.Next()) {
    EXPECT_FALSE(audit.last.has_value() && audit.last->is_last) << "a round after the last";
    audit.paid = audit.paid + CostOf(GaussianMechanism{round->sigma_squared});
    audit.paid = audit.paid + CostOf(ExponentialMechanism{round->epsilon});
    ++audit.rounds;
    audit.last = round;
    schedule.Observe(random.NextBelow(odds) != 0);
  }
  return audit;
}

TEST(BudgetSchedule, NeverSpendsMoreThanItsAllowanceAndHardlyLess) {
  int schedules = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SeededRandomSource random(seed, "schedules");
    const Rho allowance = RandomAllowance(random);
    const int attributes = 1 + static_cast<int>(random.NextBelow(60));
    auto schedule = BudgetSchedule::Create(allowance, attributes, RandomPlan(random));
    if (!schedule.ok()) continue;
    ++schedules;
    const Audit audit = RunToTheEnd(*schedule, random);
    ASSERT_LE(audit.paid, allowance) << "seed " << seed;
    ASSERT_EQ(audit.paid, schedule->spent()) << "seed " << seed;
    ASSERT_GE(audit.paid.ToDouble(), allowance.ToDouble() * (1 - kRounding)) << "seed " << seed;
    ASSERT_TRUE(audit.last.has_value() && audit.last->is_last) << "seed " << seed;
    ASSERT_FALSE(schedule->Next().has_value());
  }
  EXPECT_GT(schedules, 2500);
}

TEST(BudgetSchedule, ChargesTheOneWaysForEveryAttribute) {
  for (const RoundPlan& plan : {RoundPlan(FixedRounds{10}), RoundPlan(Annealed{})}) {
    const BudgetSchedule schedule = BudgetSchedule::Create(AllowanceOf(1), 14, plan).value();
    EXPECT_EQ(schedule.one_ways().sensitivity_squared, 14);
    EXPECT_EQ(schedule.spent(), CostOf(schedule.one_ways()));
  }
}

TEST(BudgetSchedule, OfFixedRoundsFollowsTheFormulas) {
  for (const int rounds : {1, 10, 100}) {
    for (const int attributes : {1, 14, 55}) {
      const Rho allowance = AllowanceOf(1);
      const double rho = allowance.ToDouble();
      BudgetSchedule schedule = BudgetSchedule::Create(allowance, attributes, FixedRounds{rounds}).value();
      const double sigma_squared = (rounds + attributes) / (2 * 0.9 * rho);
      EXPECT_NEAR(schedule.one_ways().sigma_squared.ToDouble(), sigma_squared, kRounding * sigma_squared);
      for (int i = 1; i <= rounds; ++i) {
        const std::optional<RoundBudget> round = schedule.Next();
        ASSERT_TRUE(round.has_value());
        EXPECT_EQ(round->is_last, i == rounds);
        EXPECT_NEAR(round->sigma_squared.ToDouble(), sigma_squared, kRounding * sigma_squared);
        EXPECT_NEAR(round->epsilon.ToDouble(), std::sqrt(8 * 0.1 * rho / rounds), kRounding);
        schedule.Observe(i % 2 == 0);
      }
      EXPECT_FALSE(schedule.Next().has_value());
    }
  }
}

TEST(BudgetSchedule, OfAnnealedRoundsStartsFromTheFormula) {
  const Rho allowance = AllowanceOf(1);
  const double rho = allowance.ToDouble();
  for (const int attributes : {1, 14, 55}) {
    for (const double rounds_per_attribute : {4.0, 16.0}) {
      BudgetSchedule schedule = BudgetSchedule::Create(allowance, attributes, Annealed{rounds_per_attribute}).value();
      const double rounds = rounds_per_attribute * attributes;
      const double sigma_squared = rounds / (2 * 0.9 * rho);
      EXPECT_NEAR(schedule.one_ways().sigma_squared.ToDouble(), sigma_squared, kRounding * sigma_squared);
      const RoundBudget first = schedule.Next().value();
      EXPECT_NEAR(first.sigma_squared.ToDouble(), sigma_squared, kRounding * sigma_squared);
      EXPECT_NEAR(first.epsilon.ToDouble(), std::sqrt(8 * 0.1 * rho / rounds), kRounding);
      EXPECT_NEAR(first.Sigma(), std::sqrt(sigma_squared), 1e-6 * std::sqrt(sigma_squared));
    }
  }
}

TEST(BudgetSchedule, HalvesSigmaAndDoublesEpsilonOnlyAfterARoundThatTaughtLittle) {
  BudgetSchedule schedule = BudgetSchedule::Create(AllowanceOf(1), 14, Annealed{}).value();
  const RoundBudget first = schedule.Next().value();
  schedule.Observe(true);
  const RoundBudget second = schedule.Next().value();
  EXPECT_EQ(second.sigma_squared, first.sigma_squared);
  EXPECT_EQ(second.epsilon, first.epsilon);
  schedule.Observe(false);
  const RoundBudget third = schedule.Next().value();
  EXPECT_NEAR(third.Sigma(), second.Sigma() / 2, kRounding * second.Sigma());
  EXPECT_NEAR(third.epsilon.ToDouble(), 2 * second.epsilon.ToDouble(), kRounding);
}

TEST(BudgetSchedule, TakesInTheLastRoundWhatIsLeft) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SeededRandomSource random(seed, "last round");
    const Rho allowance = RandomAllowance(random);
    auto schedule = BudgetSchedule::Create(allowance, 1 + static_cast<int>(random.NextBelow(30)), Annealed{});
    if (!schedule.ok()) continue;
    Rho before = schedule->spent();
    while (const std::optional<RoundBudget> round = schedule->Next()) {
      const Rho left = allowance - before;
      if (round->is_last) {
        EXPECT_NEAR(CostOf(GaussianMechanism{round->sigma_squared}).ToDouble(), 0.9 * left.ToDouble(),
                    kRounding * left.ToDouble());
        EXPECT_NEAR(CostOf(ExponentialMechanism{round->epsilon}).ToDouble(), 0.1 * left.ToDouble(),
                    kRounding * left.ToDouble());
      } else {
        EXPECT_GE(left, round->Cost() + round->Cost());
      }
      before = schedule->spent();
      schedule->Observe(random.NextBelow(6) != 0);
    }
  }
}

TEST(BudgetSchedule, RefusesABudgetThatDoesNotReachForTheOneWays) {
  EXPECT_EQ(BudgetSchedule::Create(Rho::FromUnits(0), 3, Annealed{}).status().code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(BudgetSchedule::Create(Rho::FromUnits(300), 3, FixedRounds{10}).status().code(),
            absl::StatusCode::kResourceExhausted);
  // All would go into the one-ways: 0.9 / 0.5 of the budget, or all but a crumb.
  for (const double rounds_per_attribute : {0.5, 0.9, 0.9000001}) {
    const auto schedule = BudgetSchedule::Create(AllowanceOf(1), 10, Annealed{rounds_per_attribute});
    EXPECT_EQ(schedule.status().code(), absl::StatusCode::kResourceExhausted) << rounds_per_attribute;
  }
}

TEST(BudgetSchedule, RefusesAPlanWithoutRoundsOrWithTooMany) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const RoundPlan& plan :
       {RoundPlan(FixedRounds{0}), RoundPlan(FixedRounds{-3}), RoundPlan(FixedRounds{1'000'001}),
        RoundPlan(Annealed{0}), RoundPlan(Annealed{not_a_number}), RoundPlan(Annealed{1e9})}) {
    EXPECT_EQ(BudgetSchedule::Create(AllowanceOf(1), 5, plan).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace flaim
