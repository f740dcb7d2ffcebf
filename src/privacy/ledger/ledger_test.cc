#include "privacy/ledger/ledger.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fstream>

#include "base/secure_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
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

Ledger NewLedger(const std::string& path, std::int64_t total64) {
  absl::StatusOr<Ledger> ledger = Ledger::Create(path, TermsAllowing(Fraction64(total64)), NoonClock());
  CHECK(ledger.ok(), "{}", std::string(ledger.status().message()));
  return *std::move(ledger);
}

void ExecuteSql(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

TEST(Ledger, StartsWithItsTermsAndNothingSpent) {
  const ScratchPath path("terms");
  const Ledger ledger = NewLedger(path, 10);
  EXPECT_EQ(ledger.terms(), TermsAllowing(Fraction64(10)));
  EXPECT_EQ(ledger.spent(), Rho());
  EXPECT_EQ(ledger.left(), Fraction64(10));
}

TEST(Ledger, AddsUpWhatIsDebited) {
  const ScratchPath path("adds");
  Ledger ledger = NewLedger(path, 10);
  ASSERT_TRUE(ledger.Debit({"run", 0, "a"}, kGaussian64).ok());
  ASSERT_TRUE(ledger.Debit({"run", 0, "b"}, kExponential32).ok());
  ASSERT_TRUE(ledger.Debit({"run", 1, "a"}, kGaussian64).ok());
  EXPECT_EQ(ledger.spent(), Fraction64(4));
  EXPECT_EQ(ledger.left(), Fraction64(6));
}

TEST(Ledger, RefusesWhatCostsMoreThanIsLeftAndSaysBoth) {
  const ScratchPath path("refuses");
  Ledger ledger = NewLedger(path, 3);
  ASSERT_TRUE(ledger.Debit({"run", 0, "a"}, kExponential32).ok());
  const absl::Status refused = ledger.Debit({"run", 0, "b"}, kExponential32).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("costs rho = 0.03125"));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("only 0.015625 is left"));
  EXPECT_EQ(ledger.spent(), Fraction64(2));
  EXPECT_TRUE(ledger.Debit({"run", 0, "b"}, kGaussian64).ok()) << "what fits exactly is not refused";
  EXPECT_EQ(ledger.left(), Rho());
}

TEST(Ledger, KeepsItsBudgetAcrossRuns) {
  const ScratchPath path("persists");
  {
    Ledger ledger = NewLedger(path, 2);
    ASSERT_TRUE(ledger.Debit({"first run", 0, "a"}, kGaussian64).ok());
  }
  absl::StatusOr<Ledger> ledger = Ledger::Open(path, NoonClock());
  ASSERT_TRUE(ledger.ok()) << ledger.status();
  EXPECT_EQ(ledger->spent(), Fraction64(1));
  ASSERT_TRUE(ledger->Debit({"second run", 0, "a"}, kGaussian64).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ledger->Debit({"third run", 0, "a"}, kGaussian64).status()));
}

TEST(Ledger, HasTheDebitOnDiskBeforeDebitReturns) {
  const ScratchPath path("durable");
  Ledger ledger = NewLedger(path, 10);
  const auto spend = ledger.Debit({"run", 0, "a"}, kGaussian64);
  ASSERT_TRUE(spend.ok());
  const absl::StatusOr<LedgerReport> report = ReadLedger(path);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->rows.size(), 2U);
  const auto& debit = std::get<DebitEntry>(report->rows[1].entry);
  EXPECT_EQ(debit.charge, (Charge{.run = "run", .round = 0, .query = "a", .mechanism = kGaussian64}));
  EXPECT_EQ(debit.cost, Fraction64(1));
  EXPECT_EQ(debit.cumulative, Fraction64(1));
  EXPECT_EQ(report->rows[1].time_us, 1'700'000'000'000'000);
}

TEST(Ledger, ChargesAgainForADebitThatNeverGotItsValue) {
  const ScratchPath path("again");
  Ledger ledger = NewLedger(path, 10);
  ASSERT_TRUE(ledger.Debit({"run", 0, "a"}, kGaussian64).ok());
  const auto second = ledger.Debit({"run", 0, "a"}, kGaussian64);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->IsResend());
  EXPECT_EQ(ledger.spent(), Fraction64(2));
  EXPECT_EQ(std::get<DebitEntry>(ReadLedger(path)->rows[2].entry).attempt, 2);
}

TEST(Ledger, RefusesAValueForADebitThatWasPaidAgainMeanwhile) {
  const ScratchPath path("superseded");
  Ledger ledger = NewLedger(path, 10);
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts = {1, 2};
  auto first = ledger.Debit({"run", 0, "a"}, kGaussian64);
  auto second = ledger.Debit({"run", 0, "a"}, kGaussian64);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_TRUE(absl::IsAborted(ReleaseGaussian(*std::move(first), counts, noise).status()));
  EXPECT_TRUE(ReleaseGaussian(*std::move(second), counts, noise).ok());
  EXPECT_EQ(VerifyLedger(path)->releases, 1);
}

TEST(Ledger, RefusesOtherParametersForAReleaseThatHasItsValue) {
  const ScratchPath path("parameters");
  Ledger ledger = NewLedger(path, 10);
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts = {1, 2};
  ASSERT_TRUE(ReleaseGaussian(*ledger.Debit({"run", 0, "a"}, kGaussian64), counts, noise).ok());
  const GaussianMechanism wider{.sigma_squared = Rational(33, 1)};
  const absl::Status refused = ledger.Debit({"run", 0, "a"}, wider).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("sigma^2 = 32"));
  EXPECT_TRUE(absl::IsFailedPrecondition(ledger.Debit({"run", 0, "a"}, kExponential32).status()));
  EXPECT_EQ(ledger.spent(), Fraction64(1));
}

TEST(Ledger, RefusesChargesWithoutSense) {
  const ScratchPath path("senseless");
  Ledger ledger = NewLedger(path, 10);
  const GaussianMechanism silent{.sigma_squared = Rational(0, 1)};
  EXPECT_TRUE(absl::IsInvalidArgument(ledger.Debit({"run", 0, "a"}, silent).status()));
  const GaussianMechanism insensitive{.sigma_squared = Rational(1, 1), .sensitivity_squared = 0};
  EXPECT_TRUE(absl::IsInvalidArgument(ledger.Debit({"run", 0, "a"}, insensitive).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ledger.Debit({"", 0, "a"}, kGaussian64).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ledger.Debit({"run", -1, "a"}, kGaussian64).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(ledger.Debit({"run", 0, std::string(5000, 'q')}, kGaussian64).status()));
  EXPECT_EQ(ledger.spent(), Rho());
}

TEST(Ledger, IsReadableByItsOwnerOnly) {
  const ScratchPath path("mode");
  NewLedger(path, 1);
  struct stat status {};
  ASSERT_EQ(::stat(path.string().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST(Ledger, IsNotCreatedTwice) {
  const ScratchPath path("twice");
  NewLedger(path, 1);
  EXPECT_TRUE(absl::IsAlreadyExists(Ledger::Create(path, TermsAllowing(Fraction64(9)), NoonClock()).status()));
  EXPECT_EQ(Ledger::Open(path, NoonClock())->left(), Fraction64(1));
}

TEST(Ledger, OpenOrCreateKeepsToTheTermsOfTheFirstTime) {
  const ScratchPath path("open-or-create");
  ASSERT_TRUE(Ledger::OpenOrCreate(path, TermsAllowing(Fraction64(5)), NoonClock()).ok());
  EXPECT_TRUE(Ledger::OpenOrCreate(path, TermsAllowing(Fraction64(5)), NoonClock()).ok());
  const absl::Status more = Ledger::OpenOrCreate(path, TermsAllowing(Fraction64(6)), NoonClock()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(more));
  EXPECT_THAT(std::string(more.message()), HasSubstr("total rho 0.078125"));
  EXPECT_FALSE(Ledger::OpenOrCreate(path, TermsAllowing(Fraction64(5), "other data"), NoonClock()).ok());
}

TEST(Ledger, CreationThatWasCutShortCanBeRepeated) {
  const ScratchPath path("empty");
  std::ofstream(path.string()).close();
  EXPECT_TRUE(absl::IsNotFound(Ledger::Open(path, NoonClock()).status()));
  EXPECT_TRUE(Ledger::OpenOrCreate(path, TermsAllowing(Fraction64(5)), NoonClock()).ok());
}

TEST(Ledger, RefusesTermsWithoutSense) {
  const ScratchPath path("bad-terms");
  EXPECT_TRUE(absl::IsInvalidArgument(Ledger::Create(path, TermsAllowing(Rho()), NoonClock()).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(Ledger::Create(path, TermsAllowing(Fraction64(1), ""), NoonClock()).status()));
}

TEST(Ledger, SaysWhatIsWrongWithAFileThatIsNoLedger) {
  const ScratchPath path("no-ledger");
  EXPECT_TRUE(absl::IsNotFound(Ledger::Open(path, NoonClock()).status()));

  std::ofstream(path.string()) << std::string(5000, 'x');
  const absl::Status text = Ledger::Open(path, NoonClock()).status();
  EXPECT_THAT(std::string(text.message()), HasSubstr("no SQLite database"));
  EXPECT_FALSE(Ledger::Create(path, TermsAllowing(Fraction64(1)), NoonClock()).ok());

  path.Remove();
  ExecuteSql(path, "CREATE TABLE recipes (name)");
  const absl::Status other = Ledger::Open(path, NoonClock()).status();
  EXPECT_THAT(std::string(other.message()), HasSubstr("some other SQLite database"));
  EXPECT_TRUE(absl::IsAlreadyExists(Ledger::Create(path, TermsAllowing(Fraction64(1)), NoonClock()).status()));

  EXPECT_TRUE(absl::IsPermissionDenied(
      Ledger::Create(path.string() + "/x", TermsAllowing(Fraction64(1)), NoonClock()).status()));
  EXPECT_FALSE(Ledger::Open(testing::TempDir(), NoonClock()).ok());
}

TEST(Ledger, SaysWhenALedgerIsFromANewerVersion) {
  const ScratchPath path("newer");
  NewLedger(path, 1);
  ExecuteSql(path, "PRAGMA user_version = 4");
  const absl::Status status = Ledger::Open(path, NoonClock()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("use a newer one"));
}

TEST(Ledger, RefusesTruncatedFiles) {
  const ScratchPath path("truncated");
  NewLedger(path, 1);
  struct stat status {};
  ASSERT_EQ(::stat(path.string().c_str(), &status), 0);
  for (off_t size = status.st_size - 4096; size > 0; size -= 4096) {
    ASSERT_EQ(::truncate(path.string().c_str(), size), 0);
    EXPECT_TRUE(absl::IsDataLoss(Ledger::Open(path, NoonClock()).status())) << size;
  }
}

TEST(Ledger, SaysWhenAnotherProcessHoldsIt) {
  const ScratchPath path("busy");
  NewLedger(path, 5);
  absl::StatusOr<Ledger> ledger = Ledger::Open(path, NoonClock(), {.wait = std::chrono::milliseconds(20)});
  ASSERT_TRUE(ledger.ok());
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(path.string().c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  const absl::Status busy = ledger->Debit({"run", 0, "a"}, kGaussian64).status();
  EXPECT_TRUE(absl::IsUnavailable(busy));
  EXPECT_THAT(std::string(busy.message()), HasSubstr("in use by another process"));
  sqlite3_close(other);
  EXPECT_TRUE(ledger->Debit({"run", 0, "a"}, kGaussian64).ok());
}

TEST(Ledger, SeesWhatAnotherProcessSpent) {
  const ScratchPath path("shared");
  Ledger one = NewLedger(path, 2);
  absl::StatusOr<Ledger> two = Ledger::Open(path, NoonClock());
  ASSERT_TRUE(two.ok());
  ASSERT_TRUE(one.Debit({"one", 0, "a"}, kGaussian64).ok());
  ASSERT_TRUE(two->Debit({"two", 0, "a"}, kGaussian64).ok());
  EXPECT_EQ(two->spent(), Fraction64(2));
  EXPECT_TRUE(absl::IsResourceExhausted(one.Debit({"one", 0, "b"}, kGaussian64).status()));
}

TEST(Ledger, NoticesWhenItIsRolledBackWhileOpen) {
  const ScratchPath path("rolled-back");
  SimulatedDisk disk;
  Ledger ledger = NewLedger(path, 5);
  ASSERT_TRUE(ledger.Debit({"run", 0, "a"}, kGaussian64).ok());
  ExecuteSql(path, "DROP TRIGGER debit_never_goes; DELETE FROM debit");
  const absl::Status status = ledger.Debit({"run", 0, "b"}, kGaussian64).status();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("rolled back while it was open"));
}

TEST(Ledger, SpendsNothingWhenTheDiskIsFull) {
  const ScratchPath path("full");
  SimulatedDisk disk;
  Ledger ledger = NewLedger(path, 5);
  disk.SetFull(true);
  const absl::Status full = ledger.Debit({"run", 0, "a"}, kGaussian64).status();
  EXPECT_TRUE(absl::IsResourceExhausted(full));
  EXPECT_THAT(std::string(full.message()), HasSubstr("disk of the ledger"));
  disk.SetFull(false);
  EXPECT_TRUE(ledger.Debit({"run", 0, "a"}, kGaussian64).ok());
  EXPECT_EQ(ledger.spent(), Fraction64(1));
}

TEST(Ledger, ReleasesNothingWhenTheValueCannotBeStored) {
  const ScratchPath path("full-value");
  SimulatedDisk disk;
  Ledger ledger = NewLedger(path, 5);
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts = {1, 2, 3};
  auto spend = ledger.Debit({"run", 0, "a"}, kGaussian64);
  ASSERT_TRUE(spend.ok());
  disk.SetFull(true);
  EXPECT_TRUE(absl::IsResourceExhausted(ReleaseGaussian(*std::move(spend), counts, noise).status()));
  disk.SetFull(false);
  auto again = ledger.Debit({"run", 0, "a"}, kGaussian64);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->IsResend());
  EXPECT_EQ(ledger.spent(), Fraction64(2));
}

TEST(Ledger, CannotBeRewrittenThroughSql) {
  const ScratchPath path("append-only");
  Ledger ledger = NewLedger(path, 5);
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts = {1, 2, 3};
  ASSERT_TRUE(ReleaseGaussian(*ledger.Debit({"run", 0, "a"}, kGaussian64), counts, noise).ok());
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.string().c_str(), &database), SQLITE_OK);
  for (const char* sql :
       {"UPDATE terms SET total_units = 9e15", "DELETE FROM terms", "UPDATE debit SET cost_units = 0",
        "DELETE FROM debit", "UPDATE release SET value = x'00'", "DELETE FROM release",
        "INSERT OR REPLACE INTO debit SELECT sequence, 'x', round, query, attempt, mechanism, numerator, denominator, "
        "sensitivity, adjacency, 0, 0, time_us, hash FROM debit",
        "INSERT OR REPLACE INTO release SELECT sequence + 1, debit, provenance, x'00', time_us, hash FROM release",
        "INSERT INTO release SELECT sequence + 1, debit, provenance, x'00', time_us, hash FROM release"}) {
    EXPECT_NE(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  }
  sqlite3_close(database);
  EXPECT_TRUE(VerifyLedger(path).ok());
}

TEST(LedgerDeathTest, IsNotUsedOnBothSidesOfAFork) {
  const ScratchPath path("fork");
  Ledger ledger = NewLedger(path, 5);
  EXPECT_DEATH(ledger.Debit({"run", 0, "a"}, kGaussian64).status().IgnoreError(), "before a fork");
}

}  // namespace
}  // namespace flaim
