#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/release/release.h"

namespace flaim {
namespace {

using testing::HasSubstr;
using testing_support::Fraction64;
using testing_support::kExponential32;
using testing_support::kGaussian64;
using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::TermsAllowing;

constexpr const char* kRun = "study-1";

// One release that the exact accountant finds just sufficient for the promise, and zCDP does not.
GaussianMechanism ExactlySufficient(const PrivacyBudget& budget) {
  const std::vector<Step> plan = {SplitGaussian{{.sigma_squared = Rational(100, 1)}}};
  return std::get<SplitGaussian>(ScaleNoise(plan, CalibrateNoise(plan, budget).value())->front()).mechanism;
}

LedgerTerms ExactTerms(const PrivacyBudget& budget) {
  return {.data_name = "clinic", .budget = budget, .total = CostOf(ExactlySufficient(budget)), .exact_run = kRun};
}

Ledger ExactLedger(const std::string& path, const PrivacyBudget& budget, const std::string& plan_of_run) {
  return Ledger::OpenOrCreate(path, ExactTerms(budget), NoonClock(), {.plan_of_run = plan_of_run}).value();
}

class LedgerAccountant : public testing::Test {
 protected:
  const PrivacyBudget budget_ = *PrivacyBudget::Create(1, 1e-6);
  const ScratchPath path_{"accountant"};
};

TEST_F(LedgerAccountant, HasNoTotalBeyondWhatZcdpAffordsUnlessItBelongsToOneRun) {
  const Rho beyond = RhoFor(budget_) + Rho::RoundUp(1e-6);
  const absl::Status refused = Ledger::Create(path_, {"clinic", budget_, beyond}, NoonClock()).status();
  EXPECT_TRUE(absl::IsInvalidArgument(refused));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("is more than epsilon 1 and delta 1e-06 afford"));
  EXPECT_TRUE(Ledger::Create(path_, {"clinic", budget_, RhoFor(budget_)}, NoonClock()).ok());
  EXPECT_GT(ExactTerms(budget_).total, RhoFor(budget_));
}

TEST_F(LedgerAccountant, LetsNobodySpendWhatBelongsToTheRunOfAnExactPlan) {
  const GaussianMechanism mechanism = ExactlySufficient(budget_);
  for (const char* opener : {"", "study-2"}) {
    Ledger ledger = ExactLedger(path_, budget_, opener);
    for (const char* run : {kRun, "study-2", "fit"}) {
      const absl::Status refused = ledger.Debit({run, 0, "age"}, mechanism).status();
      EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << opener << run;
      EXPECT_THAT(std::string(refused.message()), HasSubstr("belongs to the run 'study-1'"));
    }
    EXPECT_FALSE(ledger.CheckSpendableByAll().ok());
    EXPECT_EQ(ledger.spent(), Rho());
  }
  Ledger ledger = ExactLedger(path_, budget_, kRun);
  EXPECT_FALSE(ledger.Debit({"fit", 0, "age"}, mechanism).ok());
  EXPECT_TRUE(ledger.Debit({kRun, 0, "age"}, mechanism).ok());
  EXPECT_EQ(ledger.left(), Rho());
}

TEST_F(LedgerAccountant, ComparesWhatWasSpentWithThePromise) {
  Ledger ledger = ExactLedger(path_, budget_, kRun);
  ASSERT_TRUE(ledger.Debit({kRun, 0, "age"}, ExactlySufficient(budget_)).ok());
  const LedgerSummary summary = VerifyLedger(path_).value();
  EXPECT_EQ(AccountantInWords(summary.terms), "exact accountant of run 'study-1'");
  EXPECT_GT(EpsilonOf(summary.spent, 1e-6), 1.02) << "zCDP alone would not vouch for it";
  EXPECT_LE(summary.epsilon_spent, 1 + 1e-3);
  EXPECT_GT(summary.epsilon_spent, 0.98);
  EXPECT_TRUE(summary.is_within_promise);
}

// A plan that the exact accountant was never asked about: the ledger's total lets it through, its report does not.
TEST_F(LedgerAccountant, SaysSoWhenASpendingIsBeyondThePromise) {
  LedgerTerms terms = ExactTerms(budget_);
  terms.total = terms.total + terms.total;
  Ledger ledger = Ledger::Create(path_, terms, NoonClock(), {.plan_of_run = kRun}).value();
  ASSERT_TRUE(ledger.Debit({kRun, 0, "age"}, ExactlySufficient(budget_)).ok());
  ASSERT_TRUE(ledger.Debit({kRun, 1, "age"}, ExactlySufficient(budget_)).ok());
  const LedgerSummary summary = VerifyLedger(path_).value();
  EXPECT_FALSE(summary.is_within_promise);
  EXPECT_GT(summary.epsilon_spent, 1.3);
}

// One draw on the whole lattice may have this little noise. Sites bring theirs along in shares, and then a finer
// lattice shows more: 9.82 with two of them.
TEST_F(LedgerAccountant, CountsTheNoiseOfSitesAsTheSharesThatItIs) {
  const PrivacyBudget budget = *PrivacyBudget::Create(8.25, 1e-6);
  const std::vector<Step> plan = {GaussianMechanism{.sigma_squared = Rational(1, 1)}};
  const auto whole = std::get<GaussianMechanism>(ScaleNoise(plan, CalibrateNoise(plan, budget).value())->front());
  EXPECT_NEAR(whole.sigma_squared.ToDouble(), 0.303, 0.001);
  const LedgerTerms terms{.data_name = "clinic", .budget = budget, .total = CostOf(whole), .exact_run = kRun};
  Ledger ledger = Ledger::Create(path_, terms, NoonClock(), {.plan_of_run = kRun}).value();
  ASSERT_TRUE(ledger.Debit({kRun, 0, "age"}, whole).ok());
  const LedgerSummary summary = VerifyLedger(path_).value();
  EXPECT_FALSE(summary.is_within_promise);
  EXPECT_GT(summary.epsilon_spent, 9);
}

TEST_F(LedgerAccountant, ComparesTheWholeOfAZcdpTotalWithThePromise) {
  for (const double epsilon : {0.01, 1.0, 10.0}) {
    path_.Remove();
    const PrivacyBudget budget = *PrivacyBudget::Create(epsilon, 1e-6);
    Ledger ledger = Ledger::Create(path_, {"clinic", budget, RhoFor(budget)}, NoonClock()).value();
    const Rational sigma_squared = Rational::RoundUp(1 / (2 * RhoFor(budget).ToDouble()) * (1 + 1e-9)).value();
    ASSERT_TRUE(ledger.Debit({"fit", 0, "age"}, GaussianMechanism{sigma_squared}).ok());
    const LedgerSummary summary = VerifyLedger(path_).value();
    EXPECT_TRUE(summary.is_within_promise);
    EXPECT_NEAR(summary.epsilon_spent, epsilon, 1e-5 * epsilon);
    EXPECT_LE(summary.epsilon_spent, epsilon * (1 + 1e-9));
  }
}

class LedgerNoise : public LedgerAccountant {
 protected:
  static absl::Status Release(Ledger& ledger, const char* query, RandomSource& noise) {
    const std::vector<std::int64_t> counts = {1, 2, 3};
    absl::StatusOr<Spend<GaussianMechanism>> spend = ledger.Debit({"run", 0, query}, kGaussian64);
    if (!spend.ok()) return spend.status();
    return ReleaseGaussian(*std::move(spend), counts, noise).status();
  }

  static absl::Status Choose(Ledger& ledger, const char* query, RandomSource& noise) {
    const std::vector<std::int64_t> scores = {1, 2, 3};
    absl::StatusOr<Spend<ExponentialMechanism>> spend = ledger.Debit({"run", 0, query}, kExponential32);
    if (!spend.ok()) return spend.status();
    return ReleaseExponential(*std::move(spend), scores, noise).status();
  }

  SecureRandomSource secure_;
  SeededRandomSource seeded_{1};
};

TEST_F(LedgerNoise, IsOfOneKindInALedger) {
  const std::pair<RandomSource*, RandomSource*> orders[] = {{&secure_, &seeded_}, {&seeded_, &secure_}};
  for (const auto& [first, second] : orders) {
    path_.Remove();
    Ledger ledger = Ledger::Create(path_, TermsAllowing(Fraction64(10)), NoonClock()).value();
    EXPECT_TRUE(ledger.CheckNoise(true).ok());
    EXPECT_TRUE(ledger.CheckNoise(false).ok());
    ASSERT_TRUE(Release(ledger, "a", *first).ok());
    EXPECT_TRUE(absl::IsFailedPrecondition(Release(ledger, "b", *second)));
    EXPECT_TRUE(absl::IsFailedPrecondition(ledger.CheckNoise(second->IsSecure())));
    EXPECT_TRUE(ledger.CheckNoise(first->IsSecure()).ok());
    EXPECT_TRUE(absl::IsFailedPrecondition(Choose(ledger, "chosen", *second)));
    EXPECT_TRUE(Release(ledger, "c", *first).ok());
    EXPECT_TRUE(Choose(ledger, "chosen again", *first).ok());
    const LedgerSummary summary = VerifyLedger(path_).value();
    EXPECT_EQ(summary.releases, 3);
    EXPECT_EQ(summary.seeded_releases, first->IsSecure() ? 0 : 3);
  }
}

class LedgerBinding : public LedgerAccountant {
 protected:
  static LedgerHash Hash(int value) {
    LedgerHash hash{};
    hash[0] = static_cast<std::byte>(value);
    return hash;
  }
};

TEST_F(LedgerBinding, GivesARunBackOnlyToTheRowsThatItWasAbout) {
  {
    Ledger ledger = Ledger::Create(path_, TermsAllowing(Fraction64(10)), NoonClock()).value();
    ASSERT_TRUE(ledger.BindRun("fit", ledger.BindingKey("fit"), Hash(1)).ok());
  }
  Ledger ledger = Ledger::Open(path_, NoonClock()).value();
  const LedgerHash key = ledger.BindingKey("fit");
  EXPECT_EQ(key, ledger.BindingKey("fit")) << "the key is on record";
  EXPECT_NE(key, LedgerHash{});
  EXPECT_TRUE(ledger.BindRun("fit", key, Hash(1)).ok());
  const absl::Status other = ledger.BindRun("fit", key, Hash(2));
  EXPECT_TRUE(absl::IsFailedPrecondition(other));
  EXPECT_THAT(std::string(other.message()), HasSubstr("of other rows than these"));
  EXPECT_NE(ledger.BindingKey("another fit"), key) << "no two runs have a key in common";
  EXPECT_TRUE(ledger.BindRun("another fit", Hash(3), Hash(2)).ok()) << "one ledger, many runs";
  EXPECT_TRUE(absl::IsAborted(ledger.BindRun("another fit", Hash(4), Hash(2))));
  EXPECT_TRUE(absl::IsInvalidArgument(ledger.BindRun("", Hash(3), Hash(2))));
  EXPECT_TRUE(VerifyLedger(path_).ok());
}

TEST_F(LedgerBinding, TakesNobodysWordForTheRowsOfValuesThatItHas) {
  Ledger ledger = Ledger::Create(path_, TermsAllowing(Fraction64(10)), NoonClock()).value();
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts = {1, 2, 3};
  ASSERT_TRUE(ReleaseGaussian(*ledger.Debit({"fit", 0, "age"}, kGaussian64), counts, noise).ok());
  const absl::Status refused = ledger.BindRun("fit", ledger.BindingKey("fit"), Hash(1));
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("does not say of which rows"));
  EXPECT_TRUE(ledger.BindRun("fi", ledger.BindingKey("fi"), Hash(1)).ok());
}

}  // namespace
}  // namespace flaim
