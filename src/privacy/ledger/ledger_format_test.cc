#include <sqlite3.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/hex.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_state.h"
#include "privacy/ledger/ledger_testing.h"

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

constexpr const char* kRun = "study-1";

// A ledger as an older version left it.
class LedgerOfFormat1 : public testing::Test {
 protected:
  void Make(Rho total) {
    LedgerTerms terms{.data_name = "clinic", .budget = budget_, .total = total, .format = 1};
    const LedgerRow row = LedgerState().NextRow(terms, 0);
    const std::string insert = fmt::format("INSERT INTO terms VALUES (0, 'clinic', 1.0, 1e-6, {}, 1, 0, x'{}')",
                                           total.units(), ToHex(row.hash));
    path_.Remove();
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.string().c_str(), &database), SQLITE_OK);
    for (const std::string& sql : {std::string(kFormat1), insert}) {
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
  Ledger ledger = Ledger::Open(path_, NoonClock()).value();
  EXPECT_TRUE(ledger.BindRun("fit", {}, {}).ok()) << "it has no place to write this down";
  const LedgerTerms asked{.data_name = "clinic", .budget = budget_, .total = RhoFor(budget_)};
  EXPECT_TRUE(Ledger::OpenOrCreate(path_, asked, NoonClock()).ok()) << "the terms are the same";
}

TEST_F(LedgerOfFormat1, WithMoreThanZcdpAffordsBelongsToTheRunThatPaidFirst) {
  Make(exact_total_);
  const absl::Status unspent = Pay("fit");
  EXPECT_THAT(std::string(unspent.message()), HasSubstr("does not say for which run"));
  EXPECT_FALSE(Pay(kRun, kRun).ok());
  EXPECT_FALSE(Pay("", "").ok());
}

TEST_F(LedgerOfFormat1, OnceSpentByAnExactRunIsSpentByNobodyElse) {
  Make(exact_total_);
  const LedgerRow first = [&] {
    LedgerState state;
    CHECK(state.Apply(ReadLedger(path_)->rows.front()).ok());
    const Charge charge{.run = kRun, .round = 0, .query = "age", .mechanism = GaussianMechanism{Rational(100, 1)}};
    return state.NextRow(*state.Pay(charge), 0);
  }();
  const auto& debit = std::get<DebitEntry>(first.entry);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path_.string().c_str(), &database), SQLITE_OK);
  const std::string insert =
      fmt::format("INSERT INTO debit VALUES (1, '{}', 0, 'age', 1, 1, 100, 1, 1, 1, {}, {}, 0, x'{}')", kRun,
                  debit.cost.units(), debit.cumulative.units(), ToHex(first.hash));
  ASSERT_EQ(sqlite3_exec(database, insert.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
  paid_ = 1;
  EXPECT_EQ(VerifyLedger(path_)->terms.exact_run, kRun);
  EXPECT_FALSE(Pay("fit").ok());
  EXPECT_FALSE(Pay(kRun).ok()) << "its name alone is not its plan";
  EXPECT_TRUE(Pay(kRun, kRun).ok());
}

}  // namespace
}  // namespace flaim
