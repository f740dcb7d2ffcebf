#include "privacy/ledger/ledger_state.h"

#include <functional>

#include "absl/strings/ascii.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/hex.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/ledger/release_value.h"

// The rules, applied to rows whose hashes are right: what an auditor refuses even if the writer of the file knows how
// to compute the chain.

namespace flaim {
namespace {

using testing::HasSubstr;
using testing_support::Fraction64;
using testing_support::kExponential32;
using testing_support::kGaussian64;
using testing_support::TermsAllowing;

class LedgerStateTest : public testing::Test {
 protected:
  LedgerStateTest() { Append(TermsAllowing(Fraction64(4))); }

  absl::Status Try(LedgerEntry entry) { return state_.Check(state_.NextRow(std::move(entry), 0)); }
  void Append(LedgerEntry entry) {
    const absl::Status status = state_.Apply(state_.NextRow(std::move(entry), 0));
    ASSERT_TRUE(status.ok()) << status;
  }
  static Charge ChargeFor(const std::string& query, Mechanism mechanism = kGaussian64) {
    return {.run = "run", .round = 0, .query = query, .mechanism = std::move(mechanism)};
  }
  static ReleaseEntry Counts(std::int64_t debit) {
    const std::vector<std::int64_t> counts = {1, 2};
    return {debit, "secure", EncodeCounts(counts)};
  }
  void ExpectRefusal(const absl::Status& status, const std::string& words) {
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(fmt::format("row {} ", state_.size())));
    EXPECT_THAT(std::string(status.message()), HasSubstr(words));
  }

  LedgerState state_;
};

TEST_F(LedgerStateTest, TakesAnHonestSequence) {
  Append(*state_.Pay(ChargeFor("a")));
  Append(Counts(1));
  Append(*state_.Pay(ChargeFor("b", kExponential32)));
  Append(ReleaseEntry{3, "secure", EncodeChoice(1, 3)});
  EXPECT_EQ(state_.spent(), Fraction64(3));
  EXPECT_EQ(state_.debits(), 2);
  EXPECT_EQ(state_.releases(), 2);
}

TEST_F(LedgerStateTest, RefusesADebitThatCostsLessThanItsMechanism) {
  DebitEntry debit = *state_.Pay(ChargeFor("a"));
  debit.cost = debit.cumulative = Rho::FromUnits(debit.cost.units() - 1);
  ExpectRefusal(Try(debit), "its mechanism costs");
}

TEST_F(LedgerStateTest, RefusesADebitThatIsNotAddedToTheOthers) {
  Append(*state_.Pay(ChargeFor("a")));
  DebitEntry debit = *state_.Pay(ChargeFor("b"));
  debit.cumulative = debit.cost;
  ExpectRefusal(Try(debit), "add up to");
}

TEST_F(LedgerStateTest, RefusesADebitBeyondTheTotal) {
  for (const char* query : {"a", "b", "c", "d"}) Append(*state_.Pay(ChargeFor(query)));
  ExpectRefusal(Try(DebitEntry{ChargeFor("e"), 1, Fraction64(1), Fraction64(5)}), "is left");
}

TEST_F(LedgerStateTest, RefusesAWrongAttempt) {
  DebitEntry debit = *state_.Pay(ChargeFor("a"));
  debit.attempt = 2;
  ExpectRefusal(Try(debit), "attempt");
}

TEST_F(LedgerStateTest, RefusesADebitUnderANameThatHasItsValue) {
  Append(*state_.Pay(ChargeFor("a")));
  Append(Counts(1));
  ExpectRefusal(Try(DebitEntry{ChargeFor("a"), 2, Fraction64(1), Fraction64(2)}), "has its value already");
}

TEST_F(LedgerStateTest, RefusesAMechanismWithoutNoise) {
  const GaussianMechanism silent{.sigma_squared = Rational(0, 1)};
  ExpectRefusal(Try(DebitEntry{ChargeFor("a", silent), 1, Rho(), Rho()}), "");
}

TEST_F(LedgerStateTest, RefusesAReleaseThatWasNotPaidFor) {
  ExpectRefusal(Try(Counts(0)), "never paid for");
  ExpectRefusal(Try(Counts(1)), "never paid for");
  Append(*state_.Pay(ChargeFor("a")));
  Append(Counts(1));
  ExpectRefusal(Try(Counts(2)), "never paid for");
}

TEST_F(LedgerStateTest, RefusesASecondReleaseOfOneDebit) {
  Append(*state_.Pay(ChargeFor("a")));
  Append(Counts(1));
  ExpectRefusal(Try(Counts(1)), "already");
}

TEST_F(LedgerStateTest, RefusesAReleaseOfADebitThatWasPaidAgain) {
  Append(*state_.Pay(ChargeFor("a")));
  Append(*state_.Pay(ChargeFor("a")));
  ExpectRefusal(Try(Counts(1)), "paid for");
  Append(Counts(2));
}

TEST_F(LedgerStateTest, RefusesAValueOfAnotherKind) {
  Append(*state_.Pay(ChargeFor("a", kExponential32)));
  ExpectRefusal(Try(Counts(1)), "another kind");
  ExpectRefusal(Try(ReleaseEntry{1, "secure", {}}), "cut short");
  ExpectRefusal(Try(ReleaseEntry{1, "", EncodeChoice(0, 2)}), "where its noise came from");
}

TEST_F(LedgerStateTest, RefusesTermsAnywhereButFirst) {
  ExpectRefusal(Try(TermsAllowing(Fraction64(100))), "must come first");
  const LedgerState empty;
  EXPECT_FALSE(empty.Check(empty.NextRow(Counts(1), 0)).ok());
}

TEST_F(LedgerStateTest, RefusesAGapAndAWrongHash) {
  LedgerRow row = state_.NextRow(*state_.Pay(ChargeFor("a")), 0);
  row.hash[31] ^= std::byte{1};
  ExpectRefusal(state_.Check(row), "hash");
  row = state_.NextRow(*state_.Pay(ChargeFor("a")), 0);
  row.sequence = 2;
  row.hash = HashOf(state_.head(), row);
  EXPECT_THAT(std::string(state_.Check(row).message()), HasSubstr("row 1 should stand here"));
}

// docs/LEDGER.md gives the same example, so that the format can be checked by other programs.
TEST(LedgerHashTest, IsTheDocumentedFunction) {
  LedgerTerms terms{"census", *PrivacyBudget::Create(1, 1e-6), Rho::FromUnits(1000)};
  const auto hash = [&] {
    return ToHex(HashOf({}, {.sequence = 0, .entry = terms, .time_us = 1'700'000'000'000'000, .hash = {}}));
  };
  EXPECT_EQ(hash(), "2a83b3dc0ae8b1973e5ca5df6fab2b6a5e0028d385761b0b56412ca539cd0958");
  terms.format = 1;
  EXPECT_EQ(hash(), "06ed27810339742226869a8cca29ec69bbdb40ae715cdbcb8db77efbbe28887e");
}

TEST(LedgerHashTest, ReadsBackItsHexadecimalForm) {
  LedgerHash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = static_cast<std::byte>(7 * i + 1);
  EXPECT_EQ(*ParseLedgerHash(ToHex(hash)), hash);
  EXPECT_EQ(*ParseLedgerHash(absl::AsciiStrToUpper(ToHex(hash))), hash);
  EXPECT_FALSE(ParseLedgerHash("").ok());
  EXPECT_FALSE(ParseLedgerHash(ToHex(hash) + "00").ok());
  EXPECT_FALSE(ParseLedgerHash(ToHex(hash).substr(1)).ok());
  EXPECT_FALSE(ParseLedgerHash(std::string(64, 'g')).ok());
}

// Length prefixes keep neighbouring fields apart.
TEST(LedgerHashTest, TellsFieldsApart) {
  const auto hash = [](const std::string& run, const std::string& query) {
    return HashOf({},
                  {.sequence = 1,
                   .entry = DebitEntry{{.run = run, .round = 0, .query = query, .mechanism = kGaussian64}, 1, {}, {}},
                   .time_us = 0,
                   .hash = {}});
  };
  EXPECT_NE(hash("ab", "c"), hash("a", "bc"));
}

}  // namespace
}  // namespace flaim
