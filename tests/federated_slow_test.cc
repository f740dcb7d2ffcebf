#include <map>

#include "algorithms/spending/spending_testing.h"
#include "base/seeded_random_source.h"
#include "federated_testing.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

Availability RandomAvailability(RandomSource& random) {
  const double rate = 0.1 + 0.9 * random.NextUnit();
  switch (random.NextBelow(3)) {
    case 0:
      return Poisson{rate};
    case 1:
      return TakingTurns{rate};
    default:
      return Everybody{};
  }
}

// Any combination of choices runs to its end, and the accounts of its clients are those of the independent accountant.
TEST(FederatedMethods, KeepToTheirTermsInAnyCombination) {
  std::map<Selection, int> covered;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    SeededRandomSource random(seed, "whole methods");
    Method method = RandomMethod(random);
    method.weighting = static_cast<Weighting>(1 + random.NextBelow(4));  // all but that of one table
    method.one_way_candidates = random.NextBelow(2) == 0;
    if (std::holds_alternative<Annealed>(method.rounds)) method.rounds = Annealed{1.5 + random.NextUnit()};
    if (auto* fixed = std::get_if<FixedRounds>(&method.rounds)) fixed->rounds = std::min(fixed->rounds, 8);
    if (auto* once = std::get_if<ChooseThenMeasure>(&method.rounds)) once->rounds = std::min(once->rounds, 8);
    if (!CheckMethod(method).ok()) continue;
    ++covered[method.selection];
    SCOPED_TRACE(seed);
    const DealtStudy study = MakeStudy(300, 1 + random.NextBelow(12), seed);
    const RunSettings settings{.availability = RandomAvailability(random), .seed = seed};
    const FinishedRun run = RunStudy(method, study, settings);
    ASSERT_TRUE(run.model.ok() || absl::IsFailedPrecondition(run.model.status())) << run.model.status();
    const AccountBook& accounts = run.federation->accounts();
    for (AccountIndex client = 0; client < accounts.size(); ++client) {
      const auto paid = static_cast<double>(AuditAccount(accounts, client));
      EXPECT_NEAR(paid, accounts.spent(client).ToDouble(), 1e-9 * RhoFor(settings.budget).ToDouble());
      EXPECT_LE(accounts.spent(client), accounts.allowance());
      EXPECT_LE(paid, RhoFor(settings.budget).ToDouble());
      if (!PaysForAllRounds(method)) {
        EXPECT_LE(run.federation->participations()[client], method.participation_cap);
      }
    }
  }
  EXPECT_EQ(covered.size(), 6U);
  for (const auto& [selection, times] : covered) EXPECT_GE(times, 10);
}

// The exact accountant lets a client spend more than zCDP would, and its account agrees.
TEST(FederatedMethods, RunUnderTheExactAccountant) {
  int runs = 0;
  for (Method method : SmallPresets()) {
    method.accounting = Accounting::kExact;
    if (!CheckMethod(method).ok()) continue;
    ++runs;
    const RunSettings settings{.availability = Everybody{}};
    const FinishedRun run = RunStudy(method, MakeStudy(500, 10), settings);
    ASSERT_TRUE(run.model.ok()) << method.name << ": " << run.model.status();
    EXPECT_LE(run.federation->accounts().MostSpent(), run.federation->accounts().allowance()) << method.name;
    EXPECT_GT(run.federation->accounts().MostSpent().ToDouble(), RhoFor(settings.budget).ToDouble()) << method.name;
  }
  EXPECT_GE(runs, 8);
}

}  // namespace
}  // namespace flaim
