#include "runtime/identity/site_book.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <span>

#include "base/check.h"
#include "base/status.h"
#include "io/file_descriptor.h"
#include "io/hex.h"

namespace flaim::runtime {
namespace {

constexpr std::chrono::milliseconds kWait{10'000};
constexpr std::int64_t kApplicationId = 0x464c5342;  // "FLSB"
constexpr std::int64_t kFormat = 1;

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS site (
  name TEXT NOT NULL PRIMARY KEY,
  state INTEGER NOT NULL,
  secret_digest BLOB NOT NULL UNIQUE,
  invite_expires_us INTEGER NOT NULL,
  signing_request BLOB NOT NULL,
  request_fingerprint BLOB NOT NULL,
  verifying_key BLOB NOT NULL,
  certificate TEXT NOT NULL,
  certificate_fingerprint BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS site_verifying_key ON site (verifying_key) WHERE state > 1;
CREATE UNIQUE INDEX IF NOT EXISTS site_request ON site (request_fingerprint) WHERE state > 1;
)";
constexpr std::string_view kColumnTypes = "tibibbbtb";

std::span<const std::byte> BytesOf(ByteView bytes) { return std::as_bytes(bytes); }

template <std::size_t kSize>
bool Copy(const std::vector<std::byte>& from, std::array<std::uint8_t, kSize>& to) {
  if (from.size() != kSize) return false;
  std::transform(from.begin(), from.end(), to.begin(),
                 [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
  return true;
}

std::string TextFrom(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Nothing if no book writes such a row.
std::optional<SiteEntry> EntryFrom(const SqliteStatement& row) {
  if (!row.HasTypes(kColumnTypes)) return std::nullopt;
  const std::int64_t state = row.Integer(1);
  if (state < static_cast<std::int64_t>(SiteState::kInvited) ||
      static_cast<std::int64_t>(SiteState::kApproved) < state) {
    return std::nullopt;
  }
  SiteEntry entry{.name = row.Text(0),
                  .state = static_cast<SiteState>(state),
                  .invite_expires_us = row.Integer(3),
                  .signing_request = TextFrom(row.Blob(4)),
                  .certificate = row.Text(7)};
  const bool has_right_sizes = Copy(row.Blob(2), entry.secret_digest) && Copy(row.Blob(5), entry.request_fingerprint) &&
                               Copy(row.Blob(6), entry.verifying_key) &&
                               Copy(row.Blob(8), entry.certificate_fingerprint);
  if (!has_right_sizes) return std::nullopt;
  return entry;
}

absl::Status Damaged(const std::string& path) {
  return DataLoss("the book of sites '{}' is damaged, or something else: check the path, or restore it from a copy",
                  path);
}

// sqlite.h speaks of ledgers.
absl::Status InWordsOfTheBook(const absl::Status& status, const std::string& path) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return absl::OkStatus();
    case absl::StatusCode::kUnavailable:
      return Unavailable(
          "the book of sites '{}' is in use by another process: wait until that one is done, then try "
          "again",
          path);
    case absl::StatusCode::kResourceExhausted:
      return ResourceExhausted("the disk of the book of sites '{}' is full: free some space, then try again", path);
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kNotFound:
      return FailedPrecondition(
          "the book of sites '{}' cannot be opened for writing: check that the file, and the folder "
          "it is in, exist and are yours",
          path);
    case absl::StatusCode::kFailedPrecondition:
      return status;
    case absl::StatusCode::kDataLoss:
      return Damaged(path);
    default:
      return absl::InternalError(
          fmt::format("the book of sites '{}' could not be read or written: check the disk, then try again", path));
  }
}

absl::Status Touch(const std::string& path) {
  const FileDescriptor file = FileDescriptor::Owned(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file.is_open())
    return absl::FailedPreconditionError(std::string(FileError(path, "cannot be opened", errno).message()));
  return absl::OkStatus();
}

}  // namespace

std::string ToString(SiteState state) {
  switch (state) {
    case SiteState::kInvited:
      return "invited";
    case SiteState::kApplied:
      return "applied";
    case SiteState::kApproved:
      return "approved";
  }
  CHECK(false, "no such state of a site");
}

absl::StatusOr<SiteBook> SiteBook::Open(const std::string& path) {
  RETURN_IF_ERROR(Touch(path));
  absl::StatusOr<SqliteConnection> connection = SqliteConnection::Open(path, kWait);
  if (!connection.ok()) return InWordsOfTheBook(connection.status(), path);
  SiteBook book(*std::move(connection));
  RETURN_IF_ERROR(InWordsOfTheBook(book.connection_.Execute("PRAGMA synchronous = EXTRA"), path));
  ASSIGN_OR_RETURN(SqliteTransaction transaction, book.BeginWriting());
  RETURN_IF_ERROR(InWordsOfTheBook(book.CreateTables(), path));
  RETURN_IF_ERROR(book.Commit(std::move(transaction)));
  return book;
}

absl::Status SiteBook::CreateTables() {
  ASSIGN_OR_RETURN(const std::int64_t application, connection_.QueryInteger("PRAGMA application_id"));
  ASSIGN_OR_RETURN(const std::int64_t format, connection_.QueryInteger("PRAGMA user_version"));
  ASSIGN_OR_RETURN(const std::int64_t tables, connection_.QueryInteger("SELECT count(*) FROM sqlite_schema"));
  if (application == kApplicationId && format == kFormat) return absl::OkStatus();
  if (application == kApplicationId && format > kFormat) {
    return FailedPrecondition(
        "the book of sites '{}' has format {}, but this version of flaim knows only {}: use a newer one",
        connection_.path(), format, kFormat);
  }
  if (application != 0 || format != 0 || tables != 0) return Damaged(connection_.path());
  RETURN_IF_ERROR(connection_.Execute(kTables));
  return connection_.Execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kFormat));
}

absl::StatusOr<SqliteTransaction> SiteBook::BeginWriting() {
  absl::StatusOr<SqliteTransaction> transaction =
      SqliteTransaction::Begin(connection_, SqliteTransaction::Kind::kWrite);
  if (!transaction.ok()) return InWordsOfTheBook(transaction.status(), connection_.path());
  return transaction;
}

absl::Status SiteBook::Commit(SqliteTransaction transaction) {
  return InWordsOfTheBook(transaction.Commit(), connection_.path());
}

// Conditions are built from hexadecimal digits only, so nothing in them can be taken for SQL.
absl::StatusOr<std::optional<SiteEntry>> SiteBook::FindName(std::string_view name) {
  return SelectOne(fmt::format("name = CAST(x'{}' AS TEXT)", ToHex(AsBytes(name))));
}

absl::StatusOr<std::optional<SiteEntry>> SiteBook::FindSecret(const Digest& secret_digest) {
  return SelectOne(fmt::format("secret_digest = x'{}'", ToHex(secret_digest)));
}

absl::StatusOr<std::optional<SiteEntry>> SiteBook::FindKeys(const secagg::VerifyingKey& verifying_key,
                                                            const Digest& request_fingerprint) {
  return SelectOne(fmt::format("state > 1 AND (verifying_key = x'{}' OR request_fingerprint = x'{}')",
                               ToHex(verifying_key), ToHex(request_fingerprint)));
}

absl::StatusOr<std::vector<SiteEntry>> SiteBook::All() { return Select("true"); }

absl::Status SiteBook::Write(const SiteEntry& entry) {
  constexpr const char* kUpsert =
      "INSERT INTO site VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET state = excluded.state, "
      "secret_digest = excluded.secret_digest, invite_expires_us = excluded.invite_expires_us, "
      "signing_request = excluded.signing_request, request_fingerprint = excluded.request_fingerprint, "
      "verifying_key = excluded.verifying_key, certificate = excluded.certificate, "
      "certificate_fingerprint = excluded.certificate_fingerprint";
  absl::StatusOr<SqliteStatement> upsert = connection_.Prepare(kUpsert);
  if (!upsert.ok()) return InWordsOfTheBook(upsert.status(), connection_.path());
  return InWordsOfTheBook(
      upsert->Run(entry.name, static_cast<std::int64_t>(entry.state), BytesOf(entry.secret_digest),
                  entry.invite_expires_us, BytesOf(AsBytes(entry.signing_request)), BytesOf(entry.request_fingerprint),
                  BytesOf(entry.verifying_key), entry.certificate, BytesOf(entry.certificate_fingerprint)),
      connection_.path());
}

absl::Status SiteBook::Erase(const std::string& name) {
  absl::StatusOr<SqliteStatement> erase = connection_.Prepare("DELETE FROM site WHERE name = ?");
  if (!erase.ok()) return InWordsOfTheBook(erase.status(), connection_.path());
  return InWordsOfTheBook(erase->Run(name), connection_.path());
}

absl::StatusOr<std::vector<SiteEntry>> SiteBook::Select(const std::string& condition) {
  absl::StatusOr<SqliteStatement> rows =
      connection_.Prepare(fmt::format("SELECT * FROM site WHERE {} ORDER BY name", condition));
  if (!rows.ok()) return InWordsOfTheBook(rows.status(), connection_.path());
  std::vector<SiteEntry> entries;
  absl::StatusOr<bool> found = rows->Next();
  for (; found.ok() && *found; found = rows->Next()) {
    std::optional<SiteEntry> entry = EntryFrom(*rows);
    if (!entry.has_value()) return Damaged(connection_.path());
    entries.push_back(*std::move(entry));
  }
  if (!found.ok()) return InWordsOfTheBook(found.status(), connection_.path());
  return entries;
}

absl::StatusOr<std::optional<SiteEntry>> SiteBook::SelectOne(const std::string& condition) {
  ASSIGN_OR_RETURN(std::vector<SiteEntry> entries, Select(condition));
  if (entries.empty()) return std::optional<SiteEntry>();
  return std::optional<SiteEntry>(std::move(entries.front()));
}

}  // namespace flaim::runtime
