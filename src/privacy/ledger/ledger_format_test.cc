#include <sqlite3.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/hex.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_state.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/ledger/release_value.h"

namespace flaim {
namespace {

using testing::HasSubstr;
using testing_support::NoonClock;
using testing_support::ScratchPath;

// The tables of format 1, as the releases of flaim that wrote it had them.
constexpr const char* kFormat1 = R"(CREATE TABLE terms (
  sequence INTEGER PRIMARY KEY CHECK (sequence = 0),
  data_name TEXT NOT NULL,
  epsilon REAL NOT NULL,
  delta REAL NOT NULL,
  total_units INTEGER NOT NULL,
  adjacency INTEGER NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;
CREATE TABLE debit (
  sequence INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  round INTEGER NOT NULL,
  query TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  mechanism INTEGER NOT NULL,
  numerator INTEGER NOT NULL,
  denominator INTEGER NOT NULL,
  sensitivity INTEGER NOT NULL,
  adjacency INTEGER NOT NULL,
  cost_units INTEGER NOT NULL,
  cumulative_units INTEGER NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (run, round, query, attempt)
) STRICT;
CREATE TABLE release (
  sequence INTEGER PRIMARY KEY,
  debit INTEGER NOT NULL UNIQUE REFERENCES debit (sequence),
  provenance TEXT NOT NULL,
  value BLOB NOT NULL,
  time_us INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;
CREATE TRIGGER terms_never_change BEFORE UPDATE ON terms
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER terms_never_go BEFORE DELETE ON terms
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER debit_never_changes BEFORE UPDATE ON debit
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER debit_never_goes BEFORE DELETE ON debit
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER debit_comes_last BEFORE INSERT ON debit
WHEN NEW.sequence <> 1 + max(0, (SELECT coalesce(max(sequence), 0) FROM debit), (SELECT coalesce(max(sequence), 0) FROM release))
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER release_never_changes BEFORE UPDATE ON release
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER release_never_goes BEFORE DELETE ON release
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
CREATE TRIGGER release_comes_last BEFORE INSERT ON release
WHEN EXISTS (SELECT 1 FROM release WHERE debit = NEW.debit)
  OR NEW.sequence <> 1 + max(0, (SELECT coalesce(max(sequence), 0) FROM debit), (SELECT coalesce(max(sequence), 0) FROM release))
BEGIN SELECT RAISE(ABORT, 'a ledger is append-only'); END;
PRAGMA application_id = 0x464c4c47; PRAGMA user_version = 1;
)";

constexpr const char* kStudy = "0123456789abcdef0123456789abcdef";

// A ledger as an older version left it.
class LedgerOfFormat1 : public testing::Test {
 protected:
  void Make(Rho total) {
    LedgerTerms terms{.data_name = "clinic", .budget = budget_, .total = total, .format = 1};
    const LedgerRow row = LedgerState().NextRow(terms, 0);
    path_.Remove();
    Execute({std::string(kFormat1), fmt::format("INSERT INTO terms VALUES (0, 'clinic', 1.0, 1e-6, {}, 1, 0, x'{}')",
                                                total.units(), ToHex(row.hash))});
  }

  // A debit and its value, as the older version wrote them.
  void PayAsBefore(const std::string& run) {
    LedgerState state;
    const LedgerReport before = ReadLedger(path_).value();
    for (const LedgerRow& row : before.rows) ASSERT_TRUE(state.Apply(row).ok());
    const Charge charge{.run = run, .round = paid_++, .query = "age", .mechanism = GaussianMechanism{Rational(100, 1)}};
    const DebitEntry debit{.charge = charge,
                           .attempt = 1,
                           .cost = CostOf(charge.mechanism),
                           .cumulative = state.spent() + CostOf(charge.mechanism)};
    const LedgerRow paid = state.NextRow(debit, 0);
    ASSERT_TRUE(state.Apply(paid).ok());
    const std::vector<std::byte> value = EncodeCounts(std::vector<std::int64_t>{1, 2});
    const LedgerRow released =
        state.NextRow(ReleaseEntry{.debit = paid.sequence, .provenance = "secure", .value = value}, 0);
    Execute(
        {fmt::format("INSERT INTO debit VALUES ({}, '{}', {}, 'age', 1, 1, 100, 1, 1, 1, {}, {}, 0, x'{}')",
                     paid.sequence, run, charge.round, debit.cost.units(), debit.cumulative.units(), ToHex(paid.hash)),
         fmt::format("INSERT INTO release VALUES ({}, {}, 'secure', x'{}', 0, x'{}')", released.sequence, paid.sequence,
                     ToHex(value), ToHex(released.hash))});
  }

  void Execute(const std::vector<std::string>& statements) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.string().c_str(), &database), SQLITE_OK);
    for (const std::string& sql : statements) {
      ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    }
    sqlite3_close(database);
  }

  absl::Status Pay(const std::string& run, const std::string& plan_of_run = "") {
    absl::StatusOr<Ledger> ledger = Ledger::Open(path_, NoonClock(), {.plan_of_run = plan_of_run});
    if (!ledger.ok()) return ledger.status();
    return ledger->Debit({run, paid_++, "age"}, GaussianMechanism{.sigma_squared = Rational(100, 1)}).status();
  }

  const PrivacyBudget budget_ = *PrivacyBudget::Create(1, 1e-6);
  const Rho exact_total_ = RhoFor(budget_) + RhoFor(budget_);
  const ScratchPath path_{"format-1"};
  std::int64_t paid_ = 0;
};

TEST_F(LedgerOfFormat1, IsSpentAsZcdpWhereItsTotalIsWhatZcdpAffords) {
  Make(RhoFor(budget_));
  EXPECT_TRUE(Pay("fit").ok());
  EXPECT_TRUE(Pay("measure").ok());
  const LedgerSummary summary = VerifyLedger(path_).value();
  EXPECT_EQ(AccountantInWords(summary.terms), "zCDP accountant");
  EXPECT_EQ(summary.terms.format, 1);
  EXPECT_TRUE(summary.is_within_promise);
  const LedgerTerms asked{.data_name = "clinic", .budget = budget_, .total = RhoFor(budget_)};
  EXPECT_TRUE(Ledger::OpenOrCreate(path_, asked, NoonClock()).ok()) << "the terms are the same";
}

// The rows that older versions wrote are not touched, so a head that was noted keeps its worth.
TEST_F(LedgerOfFormat1, BindsItsRunsFromNowOnAndGivesNoOlderOneBackForAnyRows) {
  Make(RhoFor(budget_));
  PayAsBefore("old fit");
  const LedgerHash noted = VerifyLedger(path_)->head;
  const LedgerHash mine{std::byte{1}};
  const LedgerHash others{std::byte{2}};
  {
    Ledger ledger = Ledger::Open(path_, NoonClock()).value();
    Ledger at_the_same_time = Ledger::Open(path_, NoonClock()).value();
    EXPECT_EQ(ledger.head(), noted);
    EXPECT_TRUE(absl::IsFailedPrecondition(ledger.BindRun("old fit", ledger.BindingKey("old fit"), mine)));
    EXPECT_TRUE(ledger.BindRun("fit", ledger.BindingKey("fit"), mine).ok());
    EXPECT_TRUE(at_the_same_time.Debit({"fit", 0, "age"}, GaussianMechanism{Rational(100, 1)}).ok());
  }
  Ledger ledger = Ledger::Open(path_, NoonClock()).value();
  EXPECT_TRUE(ledger.BindRun("fit", ledger.BindingKey("fit"), mine).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(ledger.BindRun("fit", ledger.BindingKey("fit"), others)));
  EXPECT_TRUE(VerifyLedger(path_, noted).ok());
  EXPECT_EQ(VerifyLedger(path_)->terms.format, 1);
  EXPECT_FALSE(VerifyLedger(path_, others).ok());
}

TEST_F(LedgerOfFormat1, WithMoreThanZcdpAffordsIsSpentByNobodyBeforeAStudyHasPaid) {
  Make(exact_total_);
  const absl::Status unspent = Pay("fit");
  EXPECT_THAT(std::string(unspent.message()), HasSubstr("does not say for which run"));
  EXPECT_FALSE(Pay(kStudy, kStudy).ok());
  EXPECT_FALSE(Pay("", "").ok());
}

TEST_F(LedgerOfFormat1, OnceSpentByAnExactStudyIsSpentByNobodyElse) {
  Make(exact_total_);
  PayAsBefore(kStudy);
  EXPECT_EQ(VerifyLedger(path_)->terms.exact_run, kStudy);
  EXPECT_FALSE(Pay("fit").ok());
  EXPECT_FALSE(Pay(kStudy).ok()) << "its name alone is not its plan";
  EXPECT_TRUE(Pay(kStudy, kStudy).ok());
}

// What a fit releases depends on what it has seen, which the exact accountant does not cover.
TEST_F(LedgerOfFormat1, ThatAFitSpentFirstIsCountedByZcdpAndSpentByNobody) {
  Make(exact_total_);
  PayAsBefore("fit");
  PayAsBefore(kStudy);
  const LedgerSummary summary = VerifyLedger(path_).value();
  EXPECT_EQ(summary.terms.exact_run, "");
  EXPECT_EQ(summary.epsilon_spent, EpsilonOf(summary.spent, 1e-6));
  for (const char* run : {"fit", kStudy}) EXPECT_FALSE(Pay(run, run).ok()) << run;
}

TEST_F(LedgerOfFormat1, ThatOthersSpentAfterItsStudyIsSpentByTheStudyNoMore) {
  Make(exact_total_);
  PayAsBefore(kStudy);
  Ledger ledger = Ledger::Open(path_, NoonClock(), {.plan_of_run = kStudy}).value();
  EXPECT_TRUE(ledger.CheckSpendableBy(kStudy).ok());
  EXPECT_FALSE(ledger.CheckSpendableBy("fit").ok());
  EXPECT_FALSE(ledger.CheckSpendableBy("").ok());
  PayAsBefore("fit");
  const absl::Status broken = Pay(kStudy, kStudy);
  EXPECT_THAT(std::string(broken.message()), HasSubstr("others have spent it, too"));
  EXPECT_FALSE(ledger.Debit({kStudy, 7, "age"}, GaussianMechanism{Rational(100, 1)}).ok()) << "also if it was open";
  EXPECT_FALSE(ledger.CheckSpendableBy(kStudy).ok());
  EXPECT_EQ(VerifyLedger(path_)->epsilon_spent, EpsilonOf(VerifyLedger(path_)->spent, 1e-6));
}

}  // namespace
}  // namespace flaim
