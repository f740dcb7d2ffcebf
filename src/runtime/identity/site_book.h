#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "io/digest.h"
#include "io/sqlite.h"
#include "secagg/crypto/signature.h"

namespace flaim::runtime {

enum class SiteState : std::uint8_t { kInvited = 1, kApplied = 2, kApproved = 3 };
std::string ToString(SiteState state);

struct SiteEntry {
  std::string name;
  SiteState state = SiteState::kInvited;
  Digest secret_digest{};
  std::int64_t invite_expires_us = 0;  // since 1970
  // Zeros and empty texts until it has applied.
  std::string signing_request{};
  Digest request_fingerprint{};
  secagg::VerifyingKey verifying_key{};
  // Until it is approved.
  std::string certificate{};
  Digest certificate_fingerprint{};
};

// The rows of the enrolment desk in an SQLite file that several processes share. Knows the columns; EnrolmentDesk knows
// the rules, except that no two sites have a secret or, once they have applied, a key in common.
//
// Its errors are Unavailable, ResourceExhausted, FailedPrecondition, DataLoss and Internal, and name the file: they are
// for the coordinator's people only. One thread at a time.
class SiteBook {
 public:
  // Makes the file, readable by its owner only, if there is none.
  static absl::StatusOr<SiteBook> Open(const std::string& path);

  // What is found stays true, and nobody else writes, until the transaction ends. The book must not be moved meanwhile.
  absl::StatusOr<SqliteTransaction> BeginWriting();
  absl::Status Commit(SqliteTransaction transaction);

  absl::StatusOr<std::optional<SiteEntry>> FindName(std::string_view name);
  absl::StatusOr<std::optional<SiteEntry>> FindSecret(const Digest& secret_digest);
  // Among those who have applied: whoever has one of these keys.
  absl::StatusOr<std::optional<SiteEntry>> FindKeys(const secagg::VerifyingKey& verifying_key,
                                                    const Digest& request_fingerprint);
  // By name.
  absl::StatusOr<std::vector<SiteEntry>> All();

  // Adds it, or replaces the one with its name.
  absl::Status Write(const SiteEntry& entry);
  absl::Status Erase(const std::string& name);

 private:
  explicit SiteBook(SqliteConnection connection) : connection_(std::move(connection)) {}

  absl::Status CreateTables();
  absl::StatusOr<std::vector<SiteEntry>> Select(const std::string& condition);
  absl::StatusOr<std::optional<SiteEntry>> SelectOne(const std::string& condition);

  SqliteConnection connection_;
};

}  // namespace flaim::runtime
