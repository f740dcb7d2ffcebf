#include "algorithms/spending/spending.h"

#include <cmath>
#include <map>
#include <string>

#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending_testing.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

PrivacyBudget Budget(double epsilon, double delta) { return PrivacyBudget::Create(epsilon, delta).value(); }

std::string Describe(const Method& method, const PrivacyBudget& budget, int attributes) {
  return fmt::format(
      "selection {}, one-ways {}, membership {}, accounting {}, cap {}, rounds {}, steps {}, stepping {}, "
      "attributes {}, epsilon {}",
      static_cast<int>(method.selection), static_cast<int>(method.one_ways), static_cast<int>(method.membership),
      static_cast<int>(method.accounting), method.participation_cap, method.rounds.index(), method.local_steps,
      static_cast<int>(method.stepping), attributes, budget.epsilon());
}

// The claim of the privacy page: whatever the method, no client is asked for more than it was promised, and hardly
// anything of that is left unused.
TEST(Spending, AsksNoClientForMoreThanTheBudgetAndHardlyLess) {
  const int repeats = 6000;
  std::map<std::string, int> covered;
  for (std::uint64_t seed = 1; seed <= repeats; ++seed) {
    SeededRandomSource random(seed, "methods");
    const Method method = RandomMethod(random);
    const PrivacyBudget budget = RandomBudget(random);
    const int attributes = 1 + static_cast<int>(random.NextBelow(30));
    if (!CheckMethod(method).ok()) continue;
    SCOPED_TRACE(fmt::format("seed {}: {}", seed, Describe(method, budget, attributes)));
    auto plan = MakeSpendingPlan(method, budget, attributes);
    ASSERT_TRUE(plan.ok()) << plan.status();
    const ClientTerms terms = (*plan)->client_terms();
    const Audit audit = Replay(method, attributes, **plan, random);
    ASSERT_TRUE(audit.has_ended);
    const long double paid = PaysForAllRounds(method) ? audit.AllRounds() : audit.WorstClient(terms.participation_cap);
    const long double rho = RhoFor(budget).ToDouble();
    ASSERT_LE(paid, static_cast<long double>(terms.allowance.ToDouble()));
    if (!PaysForAllRounds(method)) {
      ASSERT_EQ(terms.participation_cap, method.participation_cap);
    }
    ASSERT_EQ(terms.allowance, RhoFor(budget));
    ASSERT_LE(paid, rho);
    ASSERT_GE(paid, rho * (1 - 1e-3L));
    ++covered[fmt::format("rounds {}, selection {}", method.rounds.index(), static_cast<int>(method.selection))];
    if (const auto* fixed = std::get_if<FixedRounds>(&method.rounds); fixed != nullptr && fixed->rounds < attributes) {
      ++covered["fewer rounds than attributes"];
    }
    if (method.stepping == LocalStepping::kMeasuring && method.local_steps > 1) ++covered["local measurements"];
  }
  EXPECT_EQ(covered.size(), 2U + 5 + 5 + 3) << "some combination was never tried";
  for (const auto& [what, times] : covered) EXPECT_GE(times, 20) << what;
}

Method FixedMethod(Selection selection, OneWays one_ways, Accounting accounting, int rounds, int steps, int cap) {
  Method method;
  method.selection = selection;
  method.one_ways = one_ways;
  method.accounting = accounting;
  method.rounds = FixedRounds{rounds};
  method.local_steps = steps;
  method.participation_cap = cap;
  return method;
}

Method OnceMethod(Selection selection, const ChooseThenMeasure& rounds) {
  Method method;
  method.selection = selection;
  method.one_ways = OneWays::kEveryRound;
  method.rounds = rounds;
  return method;
}

RoundSpending FirstRound(const Method& method, const PrivacyBudget& budget, int attributes) {
  return MakeSpendingPlan(method, budget, attributes).value()->Next(0).value().value();
}

TEST(Spending, IsLemmaFourOneUnderThePapersAccounting) {
  const double rho = RhoFor(Budget(1, 1e-5)).ToDouble();
  for (const int rounds : {1, 10, 37}) {
    for (const int steps : {1, 2, 4}) {
      for (const int attributes : {1, 14, 30}) {
        const Method naive = FixedMethod(Selection::kLocal, OneWays::kFirstRound, Accounting::kPaper, rounds, steps, 1);
        const RoundSpending round = FirstRound(naive, Budget(1, 1e-5), attributes);
        const double sigma = std::sqrt((rounds * steps + attributes) / (2 * 0.9 * rho));
        const double epsilon = std::sqrt(8 * 0.1 * rho / (rounds * steps));
        EXPECT_NEAR(round.Sigma() / sigma, 1, 1e-8);
        EXPECT_NEAR(round.epsilon.ToDouble() / epsilon, 1, 1e-8);
        EXPECT_FALSE(round.one_way_sigma_squared.has_value());

        const Method with_one_ways =
            FixedMethod(Selection::kLocal, OneWays::kEveryRound, Accounting::kPaper, rounds, steps, 1);
        const RoundSpending other = FirstRound(with_one_ways, Budget(1, 1e-5), attributes);
        EXPECT_NEAR(other.Sigma() / std::sqrt(rounds * (steps + attributes) / (2 * 0.9 * rho)), 1, 1e-8);
        EXPECT_NEAR(other.epsilon.ToDouble() / epsilon, 1, 1e-8);
        EXPECT_EQ(other.one_way_sigma_squared, other.sigma_squared);
      }
    }
  }
}

TEST(Spending, HasThePapersNoiseForItsPrivateMethod) {
  Method method = FindMethod("augflaim-private").value();
  method.accounting = Accounting::kPaper;
  EXPECT_NEAR(FirstRound(method, Budget(1, 1e-5), 14).Sigma(), 52.2, 0.05);
}

// One marginal beside fourteen one-ways, half of the counts' budget for each.
TEST(Spending, HasTheNoiseOfCappedAndSplitParticipations) {
  Method method =
      OnceMethod(Selection::kScoreOfSum, {.rounds = 10, .choosing_rounds = 1, .marginals = 1, .one_way_share = 0.5});
  const double expected[][2] = {{6.0, 22.6}, {8.5, 32}, {10.4, 39}};
  for (int cap = 1; cap <= 3; ++cap) {
    method.participation_cap = cap;
    const RoundSpending round = FirstRound(method, Budget(1, 1e-5), 14);
    EXPECT_NEAR(round.Sigma(), expected[cap - 1][0], 0.1) << cap;
    EXPECT_NEAR(std::sqrt(round.one_way_sigma_squared->ToDouble()), expected[cap - 1][1], 0.1) << cap;
  }
}

TEST(Spending, PaysForTheCapInsteadOfAllRounds) {
  const double rho = RhoFor(Budget(1, 1e-6)).ToDouble();
  for (int cap = 1; cap <= 12; ++cap) {
    const Method method = FixedMethod(Selection::kLocal, OneWays::kFirstRound, Accounting::kCapped, 10, 2, cap);
    const int paid = std::min(cap, 10);
    EXPECT_NEAR(FirstRound(method, Budget(1, 1e-6), 5).Sigma() / std::sqrt((paid * 2 + 5) / (1.8 * rho)), 1, 1e-8);
  }
}

// Peeling is free beyond its choices, and choices at random cost nothing at all.
TEST(Spending, PaysForLocalMeasurementsOnlyWhereTheyHappen) {
  const double rho = RhoFor(Budget(1, 1e-6)).ToDouble();
  Method method = FixedMethod(Selection::kLocal, OneWays::kFirstRound, Accounting::kCapped, 10, 3, 1);
  method.stepping = LocalStepping::kMeasuring;
  EXPECT_NEAR(FirstRound(method, Budget(1, 1e-6), 5).Sigma() / std::sqrt((3 + 2 + 5) / (1.8 * rho)), 1, 1e-8);
  method.selection = Selection::kRandom;
  EXPECT_NEAR(FirstRound(method, Budget(1, 1e-6), 5).Sigma() / std::sqrt((3 + 5) / (2 * rho)), 1, 1e-8);
}

// The members of a pool pay in every round, whatever the cap of those who come and go.
TEST(Spending, SpreadsAPoolOverAllRounds) {
  Method method = OnceMethod(Selection::kScoreOfSum, {.rounds = 4, .choosing_rounds = 2, .marginals = 6});
  method.membership = Membership::kPool;
  SeededRandomSource random(1, "pool");
  const auto plan = MakeSpendingPlan(method, Budget(1, 1e-6), 5).value();
  const Audit audit = Replay(method, 5, *plan, random);
  ASSERT_EQ(audit.rounds.size(), 4U);
  for (const long double cost : audit.rounds) {
    EXPECT_NEAR(static_cast<double>(4 * cost / RhoFor(Budget(1, 1e-6)).ToDouble()), 1, 1e-6);
  }
}

TEST(Spending, ChoosesAsManyMarginalsAsPlannedAndNeverMore) {
  for (const int at_once : {0, 1, 2, 3, 5}) {
    for (int marginals = 1; marginals <= 23; ++marginals) {
      const Method method =
          OnceMethod(Selection::kSummedScores,
                     {.rounds = 6, .choosing_rounds = 3, .marginals = marginals, .choices_at_once = at_once});
      const auto plan = MakeSpendingPlan(method, Budget(1, 1e-6), 5).value();
      int chosen = 0;
      for (int number = 1; number <= 6; ++number) {
        const RoundSpending round = plan->Next(static_cast<std::size_t>(chosen)).value().value();
        chosen += round.selections * round.choices;
        EXPECT_EQ(round.is_last, number == 6);
        if (number > 3) {
          EXPECT_EQ(round.selections, 0);
        }
        if (at_once > 0) {
          EXPECT_LE(round.choices, at_once);
        }
      }
      EXPECT_LE(chosen, marginals);
      if (at_once <= 1) {
        EXPECT_EQ(chosen, marginals);
      }
      EXPECT_GE(2 * chosen, marginals);
      EXPECT_FALSE(plan->Next(static_cast<std::size_t>(chosen)).value().has_value());
    }
  }
}

TEST(Spending, PlansAsManyMarginalsAsThereMayBe) {
  const Method method =
      OnceMethod(Selection::kSummedScores, {.rounds = 100'000, .choosing_rounds = 100'000, .marginals = 100'000});
  const auto plan = MakeSpendingPlan(method, Budget(10, 1e-6), 5).value();
  for (std::size_t round = 0; round < 30'000; ++round) ASSERT_EQ(plan->Next(round).value()->choices, 1);
}

TEST(Spending, AnnealsFasterWhenARoundTaughtNothing) {
  Method method = FixedMethod(Selection::kLocal, OneWays::kFirstRound, Accounting::kPaper, 1, 1, 1);
  method.rounds = Annealed{};
  const auto plan = MakeSpendingPlan(method, Budget(1, 1e-6), 14).value();
  const RoundSpending first = plan->Next(0).value().value();
  plan->Observe(true);
  const RoundSpending second = plan->Next(0).value().value();
  EXPECT_EQ(second.Sigma(), first.Sigma());
  plan->Observe(false);
  const RoundSpending third = plan->Next(0).value().value();
  EXPECT_NEAR(third.Sigma() / first.Sigma(), 0.5, 1e-7);
  EXPECT_NEAR(third.epsilon.ToDouble() / first.epsilon.ToDouble(), 2, 1e-7);
}

TEST(Spending, RefusesWhatCannotBePaidFor) {
  for (const char* name : {"naive-flaim", "augflaim-private", "flaim-random", "dist-aim"}) {
    Method method = FindMethod(name).value();
    method.accounting = Accounting::kPaper;
    method.rounds = FixedRounds{100'000};
    const absl::Status status = MakeSpendingPlan(method, Budget(1e-6, 1e-9), 30).status();
    EXPECT_TRUE(IsBudgetRefusal(status)) << name << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("Raise epsilon")) << name;
  }
  for (const char* name : {"flaim-once", "flaim-once-joint"}) {
    Method method = FindMethod(name).value();
    const absl::Status status = MakeSpendingPlan(method, Budget(1e-9, 1e-12), 30).status();
    EXPECT_TRUE(IsBudgetRefusal(status)) << name << ": " << status;
  }
}

TEST(Spending, RefusesToPlanNothing) {
  Method method;
  method.rounds = FixedRounds{0};
  EXPECT_TRUE(absl::IsInvalidArgument(MakeSpendingPlan(method, Budget(1, 1e-6), 5).status()));
  method = FindMethod("flaim-once").value();
  method.rounds = ChooseThenMeasure{.rounds = 0};
  EXPECT_TRUE(absl::IsInvalidArgument(MakeSpendingPlan(method, Budget(1, 1e-6), 5).status()));
}

TEST(Spending, RefusesTheExactAccountantForAPoolThatPaysInSeveralRounds) {
  Method method = FindMethod("dist-aim-once").value();
  method.accounting = Accounting::kExact;
  method.rounds = ChooseThenMeasure{.rounds = 2, .choosing_rounds = 1};
  EXPECT_TRUE(absl::IsInvalidArgument(MakeSpendingPlan(method, Budget(1, 1e-6), 5).status()));
}

// At this epsilon one draw per count may have less noise than shares on a finer lattice.
TEST(Spending, AsksForTheNoiseThatKeepsThePromiseInShares) {
  Method method = FindMethod("fed-naive-bayes").value();
  method.accounting = Accounting::kExact;
  const auto delta_in_shares = [&](SumNoise noise) {
    const auto plan = MakeSpendingPlan(method, Budget(8.25, 1e-6), 1, noise).value();
    const Rational sigma_squared = *plan->Initialisation()->one_way_sigma_squared;
    return BestDelta(std::vector<Step>{SplitGaussian{{sigma_squared, 1}}}, 8.25).value();
  };
  EXPECT_LE(delta_in_shares(SumNoise::kSplit), 1e-6);
  EXPECT_GT(delta_in_shares(SumNoise::kWhole), 2e-6);
}

// Costs are rounded up to whole units; with many rounds and a small promise that adds up, and must have been planned.
TEST(Spending, LeavesRoomForRounding) {
  for (const double epsilon : {0.001, 0.01, 0.1}) {
    Method method = FixedMethod(Selection::kLocal, OneWays::kEveryRound, Accounting::kPaper, 1000, 3, 1);
    const PrivacyBudget budget = Budget(epsilon, 1e-6);
    const auto plan = MakeSpendingPlan(method, budget, 3).value();
    EXPECT_EQ(plan->client_terms().allowance, RhoFor(budget)) << epsilon;
    Rho spent;
    while (const std::optional<RoundSpending> round = plan->Next(0).value()) {
      spent = spent + CostOf(GaussianMechanism{*round->one_way_sigma_squared, 3});
      spent = spent + CostOf(GaussianMechanism{*round->sigma_squared, 3});
      for (int step = 0; step < 3; ++step) spent = spent + CostOf(ExponentialMechanism{round->epsilon});
    }
    EXPECT_LE(spent, RhoFor(budget)) << epsilon;
  }
}

}  // namespace
}  // namespace flaim
