#include "simulation/account_book.h"

#include <map>
#include <numeric>
#include <type_traits>

#include "base/int128.h"
#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/budget/budget_refusal.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/release/release.h"
#include "privacy/release/sum_permit.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/exponential_sampler.h"

namespace flaim {
namespace {

using testing_support::Fraction64;
using testing_support::kExponential32;
using testing_support::kGaussian64;
using Payers = std::vector<AccountIndex>;

static_assert(!std::is_copy_constructible_v<AccountBook>);
static_assert(!std::is_copy_assignable_v<AccountBook>);

const std::vector<std::int64_t> kCounts = {100, 0, 31, 7};
const std::vector<std::int64_t> kScores = {3, 1, 4, 1, 5, 9, 2, 6};

std::vector<Rho> SpentByEach(const AccountBook& book) {
  std::vector<Rho> spent;
  for (AccountIndex account = 0; account < book.size(); ++account) spent.push_back(book.spent(account));
  return spent;
}

TEST(AccountBook, StartsWithNothingSpent) {
  const AccountBook book(3, Fraction64(5));
  EXPECT_EQ(book.size(), 3U);
  EXPECT_EQ(book.allowance(), Fraction64(5));
  EXPECT_EQ(SpentByEach(book), std::vector<Rho>(3));
  EXPECT_EQ(book.MostSpent(), Rho());
  EXPECT_TRUE(book.debits().empty());
}

TEST(AccountBook, DebitsEveryPayerAndNobodyElse) {
  AccountBook book(4, Fraction64(5));
  ASSERT_TRUE(book.Debit(Payers{3, 1}, {"run", 0, "a"}, kGaussian64).ok());
  ASSERT_TRUE(book.Debit(Payers{1}, {"run", 0, "b"}, kExponential32).ok());
  ASSERT_TRUE(book.DebitEach(Payers{0, 3}, {"run", 1, "a"}, kExponential32).ok());
  EXPECT_EQ(SpentByEach(book), (std::vector<Rho>{Fraction64(2), Fraction64(3), Fraction64(0), Fraction64(3)}));
}

TEST(AccountBook, DebitsAllPayersOrNone) {
  AccountBook book(3, Fraction64(3));
  ASSERT_TRUE(book.Debit(Payers{2}, {"run", 0, "a"}, kExponential32).ok());
  const std::vector<Rho> before = SpentByEach(book);
  for (const Payers& payers : {Payers{0, 1, 2}, Payers{2, 0}, Payers{0, 2, 1}}) {
    const absl::Status together = book.Debit(payers, {"run", 1, "b"}, kExponential32).status();
    const absl::Status each = book.DebitEach(payers, {"run", 1, "b"}, kExponential32).status();
    EXPECT_TRUE(IsBudgetRefusal(together)) << together;
    EXPECT_TRUE(absl::IsResourceExhausted(together)) << together;
    EXPECT_TRUE(IsBudgetRefusal(each)) << each;
  }
  EXPECT_EQ(SpentByEach(book), before);
  EXPECT_EQ(book.debits().size(), 1U);
  EXPECT_TRUE(book.Debit(Payers{0, 1}, {"run", 1, "b"}, kExponential32).ok()) << "a refused name is still free";
  EXPECT_TRUE(book.Debit(Payers{0, 1, 2}, {"run", 2, "c"}, kGaussian64).ok()) << "what fits exactly is not refused";
  EXPECT_EQ(SpentByEach(book), std::vector<Rho>(3, Fraction64(3)));
}

TEST(AccountBook, RefusesWhatCostsOneUnitTooMuch) {
  AccountBook book(1, Rho::FromUnits(CostOf(kGaussian64).units() - 1));
  EXPECT_TRUE(IsBudgetRefusal(book.Debit(Payers{0}, {"run", 0, "a"}, kGaussian64).status()));
  EXPECT_EQ(book.MostSpent(), Rho());
}

TEST(AccountBook, ReleasesANameOnce) {
  AccountBook book(4, Fraction64(64));
  ASSERT_TRUE(book.Debit(Payers{0}, {"run", 0, "a"}, kGaussian64).ok());
  ASSERT_TRUE(book.DebitEach(Payers{0}, {"run", 0, "b"}, kExponential32).ok());
  const std::vector<Rho> before = SpentByEach(book);
  for (const char* query : {"a", "b"}) {
    EXPECT_TRUE(absl::IsAlreadyExists(book.Debit(Payers{0}, {"run", 0, query}, kGaussian64).status()));
    EXPECT_TRUE(absl::IsAlreadyExists(book.Debit(Payers{1}, {"run", 0, query}, kExponential32).status()));
    EXPECT_TRUE(absl::IsAlreadyExists(book.DebitEach(Payers{2}, {"run", 0, query}, kGaussian64).status()));
    EXPECT_TRUE(absl::IsAlreadyExists(book.DebitEach(Payers{3}, {"run", 0, query}, kExponential32).status()));
  }
  EXPECT_EQ(SpentByEach(book), before);
  EXPECT_TRUE(book.Debit(Payers{0}, {"run", 1, "a"}, kGaussian64).ok());
  EXPECT_TRUE(book.Debit(Payers{0}, {"another run", 0, "a"}, kGaussian64).ok());
}

TEST(AccountBook, GivesEachPayerAReceiptOfItsOwn) {
  AccountBook book(5, Fraction64(4));
  auto gaussian = book.DebitEach(Payers{4, 0, 2}, {"run", 0, "a"}, kGaussian64);
  auto exponential = book.DebitEach(Payers{1, 3}, {"run", 0, "b"}, kExponential32);
  ASSERT_TRUE(gaussian.ok() && exponential.ok());
  ASSERT_EQ(gaussian->size(), 3U);
  ASSERT_EQ(exponential->size(), 2U);
  SeededRandomSource noise(1);
  for (auto& spend : *gaussian) {
    EXPECT_EQ(spend.mechanism(), kGaussian64);
    EXPECT_FALSE(spend.IsResend());
    EXPECT_EQ(spend.debit(), 1);
    EXPECT_TRUE(ReleaseGaussian(std::move(spend), kCounts, noise).ok());
  }
  for (auto& spend : *exponential) {
    EXPECT_EQ(spend.debit(), 2);
    EXPECT_TRUE(ReleaseExponential(std::move(spend), kScores, noise).ok());
  }
}

TEST(AccountBook, PaysForTheNoiseOfTheReleasingFunctions) {
  AccountBook book(2, Fraction64(64));
  SeededRandomSource noise(5);
  SeededRandomSource same_noise(5);
  const auto counts = ReleaseGaussian(*book.Debit(Payers{0, 1}, {"run", 0, "a"}, kGaussian64), kCounts, noise);
  ASSERT_TRUE(counts.ok()) << counts.status();
  std::vector<std::int64_t> expected = kCounts;
  DiscreteGaussian(kGaussian64.sigma_squared).Add(same_noise, expected);
  EXPECT_EQ(counts->values, expected);
  EXPECT_EQ(counts->provenance, "seeded:5 (NOT PRIVATE)");

  const auto choice = ReleaseExponential(*book.Debit(Payers{0, 1}, {"run", 0, "b"}, kExponential32), kScores, noise);
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_EQ(choice->index, SampleExponential(kScores, kExponential32.epsilon, 1, same_noise));
  EXPECT_EQ(choice->provenance, "seeded:5 (NOT PRIVATE)");

  SecureRandomSource secure;
  EXPECT_EQ(ReleaseGaussian(*book.Debit(Payers{1}, {"run", 1, "a"}, kGaussian64), kCounts, secure)->provenance,
            "secure");
}

TEST(AccountBook, ReceiptsOutliveIt) {
  auto spend = AccountBook(1, Fraction64(1)).Debit(Payers{0}, {"run", 0, "a"}, kGaussian64);
  SeededRandomSource noise(1);
  EXPECT_TRUE(ReleaseGaussian(*std::move(spend), kCounts, noise).ok());
}

TEST(AccountBook, RefusesAMechanismThatHasNoMeaningAndOneThatNobodyPays) {
  AccountBook book(2, Fraction64(64));
  const ReleaseName name{"run", 0, "a"};
  EXPECT_TRUE(absl::IsInvalidArgument(book.Debit(Payers{0}, name, GaussianMechanism{Rational(0, 1)}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(book.Debit(Payers{0}, name, ExponentialMechanism{Rational(1, 2), 0}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(book.DebitEach(Payers{0}, name, GaussianMechanism{Rational(9, 1), 0}).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(book.DebitEach(Payers{0}, name, ExponentialMechanism{Rational(999, 1)}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(book.Debit(Payers{}, name, kGaussian64).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(book.Debit(Payers{}, name, kExponential32).status()));
  EXPECT_TRUE(book.debits().empty());
  EXPECT_TRUE(book.Debit(Payers{0}, name, kGaussian64).ok());
  EXPECT_EQ(book.DebitEach(Payers{}, {"run", 0, "b"}, kGaussian64)->size(), 0U) << "nothing for nothing";
}

TEST(AccountBook, KnowsWhoHasSpentMost) {
  AccountBook book(3, Fraction64(64));
  ASSERT_TRUE(book.Debit(Payers{0, 1}, {"run", 0, "a"}, kGaussian64).ok());
  ASSERT_TRUE(book.Debit(Payers{1, 2}, {"run", 0, "b"}, kExponential32).ok());
  EXPECT_EQ(book.MostSpent(), Fraction64(3));
  EXPECT_EQ(AccountBook(0, Fraction64(1)).MostSpent(), Rho());
}

TEST(AccountBookDeathTest, PayersAreDistinctAndHaveAnAccount) {
  AccountBook book(2, Fraction64(64));
  EXPECT_DEATH((void)book.Debit(Payers{2}, {"run", 0, "a"}, kGaussian64).ok(), "payer < size");
  EXPECT_DEATH((void)book.Debit(Payers{0, 1, 0}, {"run", 0, "a"}, kGaussian64).ok(), "pay twice");
}

TEST(AccountBookDeathTest, OnePaymentIsGoodForOneRelease) {
  AccountBook book(1, Fraction64(64));
  SeededRandomSource noise(1);
  auto spend = book.Debit(Payers{0}, {"run", 0, "a"}, kGaussian64);
  ASSERT_TRUE(ReleaseGaussian(*std::move(spend), kCounts, noise).ok());
  EXPECT_DEATH(ReleaseGaussian(*std::move(spend), kCounts, noise).status().IgnoreError(), "has been used");
}

// Costs from first principles, in units of 2^-50, rounded up.
std::int64_t UnitsOf(const Mechanism& mechanism) {
  const auto rounded_up = [](Int128 dividend, Int128 divisor) {
    return static_cast<std::int64_t>(((dividend << 50) + divisor - 1) / divisor);
  };
  if (const auto* gaussian = std::get_if<GaussianMechanism>(&mechanism)) {
    return rounded_up(static_cast<Int128>(gaussian->sensitivity_squared) * gaussian->sigma_squared.denominator(),
                      static_cast<Int128>(2) * gaussian->sigma_squared.numerator());
  }
  const Rational epsilon = std::get<ExponentialMechanism>(mechanism).epsilon;
  return rounded_up(static_cast<Int128>(epsilon.numerator()) * epsilon.numerator(),
                    static_cast<Int128>(8) * epsilon.denominator() * epsilon.denominator());
}

Mechanism RandomMechanism(RandomSource& random) {
  const auto term = [&](std::uint64_t bound) { return static_cast<std::int64_t>(1 + random.NextBelow(bound)); };
  if (random.NextBelow(2) == 0) return GaussianMechanism{Rational(term(500), term(20)), term(20)};
  return ExponentialMechanism{Rational(term(5), term(30)), term(10)};
}

Payers RandomPayers(std::size_t accounts, RandomSource& random) {
  Payers payers;
  for (AccountIndex account = 0; account < accounts; ++account) {
    if (random.NextBelow(3) == 0) payers.insert(payers.begin() + random.NextBelow(payers.size() + 1), account);
  }
  if (payers.empty()) payers.push_back(static_cast<AccountIndex>(random.NextBelow(accounts)));
  return payers;
}

absl::Status Attempt(AccountBook& book, const Payers& payers, const ReleaseName& name, const Mechanism& mechanism,
                     bool each) {
  return std::visit(
      [&](const auto& kind) {
        return each ? book.DebitEach(payers, name, kind).status() : book.Debit(payers, name, kind).status();
      },
      mechanism);
}

// Somebody else keeps the accounts: the book says yes exactly when they would, and its debits replayed give what each
// client has spent, which nobody's allowance is below.
TEST(AccountBook, AgreesWithAnIndependentAccountantOverRandomDebits) {
  SeededRandomSource random(1);
  int paid = 0;
  int refused = 0;
  int repeated = 0;
  for (int run = 0; run < 200; ++run) {
    const std::size_t accounts = 1 + random.NextBelow(8);
    const Rho allowance = Rho::FromUnits(static_cast<std::int64_t>(1 + random.NextBelow(std::uint64_t{1} << 53)));
    AccountBook book(accounts, allowance);
    std::vector<std::int64_t> spent(accounts);
    std::map<ReleaseName, Mechanism> names;
    for (int step = 0; step < 40; ++step) {
      const ReleaseName name{"run", static_cast<std::int64_t>(random.NextBelow(30)), random.NextBelow(2) ? "a" : "b"};
      const Mechanism mechanism = RandomMechanism(random);
      const Payers payers = RandomPayers(accounts, random);
      const std::int64_t cost = UnitsOf(mechanism);
      const absl::Status status = Attempt(book, payers, name, mechanism, random.NextBelow(2) == 0);
      const bool affordable = std::all_of(payers.begin(), payers.end(),
                                          [&](AccountIndex payer) { return spent[payer] + cost <= allowance.units(); });
      if (names.contains(name)) {
        ASSERT_TRUE(absl::IsAlreadyExists(status)) << status;
        ++repeated;
      } else if (!affordable) {
        ASSERT_TRUE(IsBudgetRefusal(status)) << status;
        ++refused;
      } else {
        ASSERT_TRUE(status.ok()) << status;
        names.emplace(name, mechanism);
        for (const AccountIndex payer : payers) spent[payer] += cost;
        ++paid;
      }
      for (AccountIndex account = 0; account < accounts; ++account) {
        ASSERT_EQ(book.spent(account).units(), spent[account]);
        ASSERT_LE(book.spent(account), allowance);
      }
    }
    std::vector<std::int64_t> replayed(accounts);
    for (const SharedDebit& debit : book.debits()) {
      ASSERT_EQ(names.at(debit.name), debit.mechanism);
      ASSERT_EQ(debit.cost.units(), UnitsOf(debit.mechanism));
      for (const AccountIndex payer : debit.payers) replayed[payer] += UnitsOf(debit.mechanism);
    }
    ASSERT_EQ(book.debits().size(), names.size());
    ASSERT_EQ(replayed, spent);
    ASSERT_EQ(book.MostSpent().units(), *std::max_element(spent.begin(), spent.end()));
  }
  EXPECT_GT(paid, 500);
  EXPECT_GT(refused, 500);
  EXPECT_GT(repeated, 200);
}

TEST(AccountBook, PaysForAPartInASumToo) {
  AccountBook book(3, Fraction64(1));
  const Payers payers = {0, 2};
  const SumPermit permit = ReleaseIntoSum(*book.Debit(payers, {"run", 1, "counts"}, kGaussian64), {}, "seed").value();
  EXPECT_EQ(permit.mechanism(), kGaussian64);
}

}  // namespace
}  // namespace flaim
