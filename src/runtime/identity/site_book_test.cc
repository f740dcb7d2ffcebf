#include "runtime/identity/site_book.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/identity/identity_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SiteEntry EntryNamed(const std::string& name, std::uint8_t number, SiteState state) {
  return {.name = name,
          .state = state,
          .secret_digest = {number, 1},
          .invite_expires_us = number,
          .signing_request = std::string("request\0\xff", 9),
          .request_fingerprint = {number, 2},
          .verifying_key = {number, 3},
          .certificate = "certificate",
          .certificate_fingerprint = {number, 4}};
}

absl::Status Put(SiteBook& book, const SiteEntry& entry) {
  absl::StatusOr<SqliteTransaction> transaction = book.BeginWriting();
  if (!transaction.ok()) return transaction.status();
  if (absl::Status status = book.Write(entry); !status.ok()) return status;
  return book.Commit(*std::move(transaction));
}

TEST(SiteBook, GivesBackWhatWasWrittenByNameSecretAndKeys) {
  const ScratchFolder folder;
  SiteBook book = *SiteBook::Open(folder.File("sites"));
  const SiteEntry written = EntryNamed("b", 1, SiteState::kApplied);
  ASSERT_TRUE(Put(book, written).ok());
  ASSERT_TRUE(Put(book, EntryNamed("a", 2, SiteState::kInvited)).ok());
  for (const std::optional<SiteEntry>& found :
       {*book.FindName("b"), *book.FindSecret(written.secret_digest), *book.FindKeys(written.verifying_key, {}),
        *book.FindKeys({}, written.request_fingerprint)}) {
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->name, written.name);
    EXPECT_EQ(found->state, written.state);
    EXPECT_EQ(found->secret_digest, written.secret_digest);
    EXPECT_EQ(found->invite_expires_us, written.invite_expires_us);
    EXPECT_EQ(found->signing_request, written.signing_request);
    EXPECT_EQ(found->request_fingerprint, written.request_fingerprint);
    EXPECT_EQ(found->verifying_key, written.verifying_key);
    EXPECT_EQ(found->certificate, written.certificate);
    EXPECT_EQ(found->certificate_fingerprint, written.certificate_fingerprint);
  }
  EXPECT_FALSE(book.FindKeys({2, 3}, {2, 2})->has_value()) << "it has not applied";
  EXPECT_EQ(book.All()->front().name, "a");
}

TEST(SiteBook, TakesNoNameForSql) {
  const ScratchFolder folder;
  SiteBook book = *SiteBook::Open(folder.File("sites"));
  ASSERT_TRUE(Put(book, EntryNamed("a", 1, SiteState::kApplied)).ok());
  for (const char* name : {"' OR true --", "x'61'", "%", "a' ", "A", "", "'; DROP TABLE site; --"}) {
    EXPECT_FALSE(book.FindName(name)->has_value()) << name;
  }
  EXPECT_EQ(book.All()->size(), 1U);
}

TEST(SiteBook, HasNoTwoSitesWithOneSecretOrOneKey) {
  const ScratchFolder folder;
  SiteBook book = *SiteBook::Open(folder.File("sites"));
  ASSERT_TRUE(Put(book, EntryNamed("a", 1, SiteState::kApplied)).ok());
  for (const int shared : {0, 1, 2}) {
    SiteEntry entry = EntryNamed("b", 2, SiteState::kApproved);
    if (shared == 0) entry.secret_digest = {1, 1};
    if (shared == 1) entry.request_fingerprint = {1, 2};
    if (shared == 2) entry.verifying_key = {1, 3};
    EXPECT_FALSE(Put(book, entry).ok()) << shared;
  }
  ASSERT_EQ(book.All()->size(), 1U);
  EXPECT_EQ(book.All()->front().name, "a");
}

TEST(SiteBook, ForgetsWhatWasNotCommitted) {
  const ScratchFolder folder;
  SiteBook book = *SiteBook::Open(folder.File("sites"));
  {
    const absl::StatusOr<SqliteTransaction> transaction = book.BeginWriting();
    ASSERT_TRUE(transaction.ok() && book.Write(EntryNamed("a", 1, SiteState::kApplied)).ok());
    EXPECT_TRUE(book.FindName("a")->has_value());
  }
  EXPECT_FALSE(book.FindName("a")->has_value());
}

TEST(SiteBook, IsReadableByItsOwnerOnly) {
  const ScratchFolder folder;
  const mode_t mask = umask(0);
  ASSERT_TRUE(SiteBook::Open(folder.File("sites")).ok());
  umask(mask);
  struct stat facts {};
  ASSERT_EQ(stat(folder.File("sites").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600U);
}

TEST(SiteBook, SaysWhichFileCannotBeUsedAndSpeaksOfNoLedger) {
  const ScratchFolder folder;
  std::ofstream(folder.File("text")) << std::string(5000, 'x');
  const absl::Status not_a_book = SiteBook::Open(folder.File("text")).status();
  EXPECT_EQ(not_a_book.code(), absl::StatusCode::kDataLoss);
  const absl::Status no_folder = SiteBook::Open(folder.File("no/sites")).status();
  EXPECT_EQ(no_folder.code(), absl::StatusCode::kFailedPrecondition);
  for (const absl::Status& status : {not_a_book, no_folder}) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(folder.path().string()));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("ledger")));
  }
}

// Changes the file behind the book's back.
void Execute(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  sqlite3_close(database);
}

TEST(SiteBook, RefusesOtherDatabasesAndNewerBooks) {
  const ScratchFolder folder;
  Execute(folder.File("other"), "CREATE TABLE t (x)");
  EXPECT_EQ(SiteBook::Open(folder.File("other")).status().code(), absl::StatusCode::kDataLoss);
  ASSERT_TRUE(SiteBook::Open(folder.File("sites")).ok());
  Execute(folder.File("sites"), "PRAGMA user_version = 2");
  EXPECT_EQ(SiteBook::Open(folder.File("sites")).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(SiteBook, RefusesRowsThatItWouldNotWrite) {
  for (const char* change : {"state = 0", "state = 4", "secret_digest = x'00'", "verifying_key = x''",
                             "request_fingerprint = x'0011'", "certificate_fingerprint = x''"}) {
    const ScratchFolder folder;
    SiteBook book = *SiteBook::Open(folder.File("sites"));
    ASSERT_TRUE(Put(book, EntryNamed("a", 1, SiteState::kApplied)).ok());
    Execute(folder.File("sites"), fmt::format("UPDATE site SET {}", change));
    EXPECT_EQ(book.FindName("a").status().code(), absl::StatusCode::kDataLoss) << change;
    EXPECT_EQ(book.All().status().code(), absl::StatusCode::kDataLoss) << change;
  }
}

}  // namespace
}  // namespace flaim::runtime
