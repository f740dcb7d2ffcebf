#include "algorithms/spending/within_ledger.h"

#include <optional>
#include <vector>

#include "algorithms/loop/release_names.h"
#include "algorithms/methods/presets.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger_disk_testing.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/release/release.h"

namespace flaim {
namespace {

using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::TermsAllowing;

constexpr int kColumns = 5;
constexpr const char* kRun = "fit";
const std::vector<std::int64_t> kCounts = {3, 1, 2};

// Rounds as a run on one table pays for them, without rows.
class WithinLedgerTest : public testing::Test {
 protected:
  struct Round {
    Rational epsilon;
    Rational sigma_squared;
    bool is_last = false;

    bool operator==(const Round&) const = default;
  };

  WithinLedger Plan(const Ledger& ledger) const {
    Method method = Aim();
    method.rounds = Annealed{4};
    return {MakeSpendingPlan(method, budget_, kColumns).value(), ledger, kRun};
  }
  Ledger Open() const { return Ledger::OpenOrCreate(path_, TermsAllowing(RhoFor(budget_)), NoonClock()).value(); }

  void StartAnew() {
    disk_.reset();
    disk_.emplace();
  }

  void Measure(Ledger& ledger, const ReleaseName& name, const GaussianMechanism& mechanism) {
    ASSERT_TRUE(ReleaseGaussian(*ledger.Debit(name, mechanism), kCounts, random_).ok());
  }
  void Choose(Ledger& ledger, const ReleaseName& name, const ExponentialMechanism& mechanism) {
    ASSERT_TRUE(ReleaseExponential(*ledger.Debit(name, mechanism), kCounts, random_).ok());
  }

  // To the end, or this many rounds, with these answers to whether a round taught something, over and over.
  std::vector<Round> Run(const std::vector<bool>& answers, std::size_t most = 1000) {
    Ledger ledger = Open();
    WithinLedger plan = Plan(ledger);
    Measure(ledger, OneWaysName(kRun, kInitialRound), {*plan.Initialisation()->one_way_sigma_squared, kColumns});
    std::vector<Round> rounds;
    while (rounds.size() < most && !plan.IsOver()) {
      const std::optional<RoundSpending> round = plan.Next(0).value();
      if (!round) break;
      const auto number = static_cast<std::int64_t>(rounds.size()) + 1 + kInitialRound;
      Choose(ledger, SelectionName(kRun, number, 0), {round->epsilon});
      Measure(ledger, ChosenName(kRun, number, 0), {*round->sigma_squared, 1});
      plan.Observe(answers[rounds.size() % answers.size()]);
      rounds.push_back({round->epsilon, *round->sigma_squared, round->is_last});
    }
    return rounds;
  }

  const PrivacyBudget budget_ = *PrivacyBudget::Create(1, 1e-6);
  const ScratchPath path_{"within-ledger"};
  std::optional<testing_support::SimulatedDisk> disk_;
  SeededRandomSource random_{1};
};

TEST_F(WithinLedgerTest, GoesOnAsTheRecordDoesWhateverItIsToldAboutTheRounds) {
  for (const std::vector<bool>& answers :
       {std::vector<bool>{true}, {false}, {true, false}, {false, true, true}, {true, true, true, false}}) {
    std::vector<bool> contrary = answers;
    contrary.flip();
    StartAnew();
    const std::vector<Round> rounds = Run(answers);
    ASSERT_GT(rounds.size(), 2);
    EXPECT_TRUE(rounds.back().is_last);
    const Rho spent = Open().spent();
    EXPECT_EQ(Run(contrary), rounds);
    EXPECT_EQ(Open().spent(), spent) << "what is on record was paid again";
  }
}

TEST_F(WithinLedgerTest, SpendsNearlyAllAndNeverMoreThanItsLedgerHasWhateverOthersSpend) {
  for (int percent = 0; percent < 100; percent += 7) {
    for (const std::size_t before : {1, 4}) {
      StartAnew();
      Run({true, false}, before);
      {
        Ledger others = Open();
        const double rho = percent * 0.01 * others.left().ToDouble();
        if (rho > 0) Measure(others, {"others", 1, "all"}, {Rational::RoundUp(1 / (2 * rho)).value(), 1});
      }
      const std::vector<Round> rounds = Run({true, false});
      EXPECT_GE(rounds.size(), before);
      EXPECT_LT(Open().left().ToDouble(), 0.05 * RhoFor(budget_).ToDouble());
      EXPECT_EQ(Run({false, true}), rounds);
    }
  }
}

}  // namespace
}  // namespace flaim
