#include <sqlite3.h>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_disk_testing.h"
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
using testing_support::SimulatedDisk;
using testing_support::TermsAllowing;

// A ledger of 10 rows on a simulated disk: debits with and without a value, one paid twice, one selection, a binding.
class LedgerTamperTest : public testing::Test {
 protected:
  LedgerTamperTest() {
    Ledger ledger = *Ledger::Create(path_, TermsAllowing(Fraction64(100)), NoonClock());
    SeededRandomSource noise(1);
    const std::vector<std::int64_t> counts = {5, 0, 2};
    const auto measure = [&](std::int64_t round, const char* query) {
      CHECK(ReleaseGaussian(*ledger.Debit({"run", round, query}, kGaussian64), counts, noise).ok());
    };
    measure(0, "age");
    CHECK(ledger.Debit({"run", 1, "age"}, kGaussian64).ok());
    CHECK(ReleaseExponential(*ledger.Debit({"run", 1, "select"}, kExponential32), counts, noise).ok());
    early_head_ = ledger.head();
    measure(1, "age");
    CHECK(ledger.BindRun("later", early_head_, early_head_).ok());
    CHECK(ledger.Debit({"run", 2, "age"}, kGaussian64).ok());
    honest_ = disk_.Get(path_);
    honest_rows_ = ReadLedger(path_)->rows;
    CHECK(honest_rows_.size() == 10);
  }

  // Starts again from the honest file, then runs SQL with every guard of the file switched off.
  void Tamper(const std::string& sql) {
    disk_.Put(path_, honest_);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.string().c_str(), &database), SQLITE_OK);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    ASSERT_EQ(sqlite3_exec(database, "PRAGMA ignore_check_constraints = ON", nullptr, nullptr, nullptr), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sql << ": " << sqlite3_errmsg(database);
    ASSERT_GT(sqlite3_total_changes(database), 0) << sql;
    sqlite3_close(database);
  }

  std::string Finding() {
    const absl::Status status = VerifyLedger(path_).status();
    EXPECT_EQ(status.ok(), Ledger::Open(path_, NoonClock()).ok()) << "opening must verify as well";
    return std::string(status.message());
  }

  SimulatedDisk disk_;
  ScratchPath path_{"tamper"};
  std::string honest_;
  std::vector<LedgerRow> honest_rows_;
  LedgerHash early_head_{};
};

std::string TableOf(const LedgerRow& row) { return std::string(KindOf(row.entry)); }

TEST_F(LedgerTamperTest, FindsTheRowOfEveryChangedField) {
  const std::pair<const char*, std::vector<const char*>> columns[] = {
      {"terms",
       {"data_name", "epsilon", "delta", "total_units", "adjacency", "accountant", "exact_run", "time_us", "hash"}},
      {"debit",
       {"run", "round", "query", "attempt", "mechanism", "numerator", "denominator", "sensitivity", "adjacency",
        "cost_units", "cumulative_units", "time_us", "hash"}},
      {"release", {"debit", "provenance", "value", "time_us", "hash"}},
      {"binding", {"run", "key", "digest", "time_us", "hash"}}};
  for (const LedgerRow& row : honest_rows_) {
    for (const char* column : columns[row.entry.index()].second) {
      Tamper(
          fmt::format("UPDATE {0} SET {1} = CASE typeof({1}) WHEN 'integer' THEN {1} + 1000 WHEN 'real' THEN {1} / 2 "
                      "WHEN 'text' THEN {1} || 'x' ELSE zeroblob(length({1})) END "
                      "WHERE sequence = {2}",
                      TableOf(row), column, row.sequence));
      EXPECT_THAT(Finding(), HasSubstr(fmt::format("row {}", row.sequence))) << column;
    }
  }
}

TEST_F(LedgerTamperTest, FindsAFractionThatIsNotInLowestTerms) {
  Tamper("UPDATE debit SET numerator = numerator * 2, denominator = denominator * 2 WHERE sequence = 1");
  EXPECT_THAT(Finding(), HasSubstr("row 1:"));
}

TEST_F(LedgerTamperTest, FindsEveryDeletedRowButTheLast) {
  for (const LedgerRow& row : honest_rows_) {
    if (row.sequence + 1 == static_cast<std::int64_t>(honest_rows_.size())) continue;
    Tamper(fmt::format("DELETE FROM {} WHERE sequence = {}", TableOf(row), row.sequence));
    EXPECT_THAT(Finding(), HasSubstr(fmt::format("row {} ", row.sequence)));
  }
}

TEST_F(LedgerTamperTest, FindsADeletionThatClosesTheGap) {
  Tamper(
      "DELETE FROM debit WHERE sequence = 3; UPDATE debit SET sequence = sequence - 1 WHERE sequence > 3;"
      "UPDATE release SET sequence = sequence - 1, debit = debit - 1 WHERE sequence > 3");
  EXPECT_THAT(Finding(), HasSubstr("row 3 "));
}

TEST_F(LedgerTamperTest, FindsSwappedRows) {
  Tamper(
      "UPDATE debit SET sequence = 99 WHERE sequence = 1; UPDATE debit SET sequence = 1 WHERE sequence = 3;"
      "UPDATE debit SET sequence = 3 WHERE sequence = 99");
  EXPECT_THAT(Finding(), HasSubstr("row 1 "));
  Tamper("UPDATE release SET value = (SELECT value FROM release WHERE sequence = 2) WHERE sequence = 7");
  EXPECT_THAT(Finding(), HasSubstr("row 7 "));
}

TEST_F(LedgerTamperTest, FindsRowsThatNoChainLeadsTo) {
  Tamper("INSERT INTO release SELECT 12, 3, provenance, value, time_us, hash FROM release WHERE sequence = 2");
  EXPECT_THAT(Finding(), HasSubstr("row 10 is missing, but row 12 exists"));
  Tamper("INSERT INTO release SELECT -4, 3, provenance, value, time_us, hash FROM release WHERE sequence = 2");
  EXPECT_THAT(Finding(), HasSubstr("row -4"));
  Tamper("INSERT INTO release SELECT 3, 3, provenance, value, time_us, hash FROM release WHERE sequence = 2");
  EXPECT_THAT(Finding(), HasSubstr("row 3: two tables"));
  Tamper("INSERT INTO binding SELECT 12, 'other', key, digest, time_us, hash FROM binding");
  EXPECT_THAT(Finding(), HasSubstr("row 10 is missing, but row 12 exists"));
  Tamper(
      "INSERT INTO terms SELECT 1, data_name, epsilon, delta, total_units, adjacency, accountant, exact_run, time_us, "
      "hash FROM terms");
  EXPECT_THAT(Finding(), HasSubstr("row 1: two tables"));
}

TEST_F(LedgerTamperTest, FindsAlteredTables) {
  for (const char* sql : {"DROP TRIGGER debit_never_goes", "CREATE TABLE extra (x)", "CREATE VIEW v AS SELECT 1",
                          "CREATE INDEX i ON debit (run)", "ALTER TABLE debit ADD COLUMN x INTEGER"}) {
    disk_.Put(path_, honest_);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path_.string().c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
    EXPECT_THAT(Finding(), HasSubstr("have been altered")) << sql;
  }
}

// What this cannot find by itself, and what finds it: a noted head.
TEST_F(LedgerTamperTest, FindsLostLastRowsOnlyWithANotedHead) {
  const LedgerHash head = honest_rows_.back().hash;
  EXPECT_TRUE(VerifyLedger(path_, head).ok());
  EXPECT_TRUE(VerifyLedger(path_, early_head_).ok()) << "a ledger may grow after its head was noted";
  Tamper(
      "DELETE FROM debit WHERE sequence = 9; DELETE FROM binding WHERE sequence = 8; DELETE FROM release WHERE "
      "sequence = 7");
  EXPECT_TRUE(VerifyLedger(path_).ok());
  EXPECT_TRUE(VerifyLedger(path_, early_head_).ok()) << "what was noted is all there";
  EXPECT_TRUE(absl::IsDataLoss(VerifyLedger(path_, head).status()));
}

// A flipped bit is found, unless it lies where the file holds nothing of the ledger, such as the unused part of a page.
TEST_F(LedgerTamperTest, NoFlippedBitChangesWhatIsReadUnnoticed) {
  SeededRandomSource random(2);
  int found = 0;
  for (int flip = 0; flip < 2000; ++flip) {
    std::string bytes = honest_;
    bytes[random.NextBelow(bytes.size())] ^= static_cast<char>(1U << random.NextBelow(8));
    disk_.Put(path_, std::move(bytes));
    const absl::StatusOr<LedgerReport> report = ReadLedger(path_);
    if (report.ok()) {
      ASSERT_EQ(report->rows, honest_rows_);
    } else {
      ++found;
    }
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace flaim
