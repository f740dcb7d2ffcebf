#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/byte_source.h"
#include "rows/postgres/snapshot.h"

namespace flaim {

// No record of a database is above that, so that none stops a site: a field has at most 1 GiB, and so has a line.
inline constexpr std::size_t kMaxCopiedRecordBytes = std::size_t{1} << 40;

// What COPY ... TO STDOUT writes, as a stream. Holds one line at a time; while nobody reads, the server waits. A
// statement that fails or a connection that is lost on the way is an error of Read, never an early end. Destroyed
// before the end, it stops the statement and closes the snapshot.
class PostgresCopySource final : public ByteSource {
 public:
  // The snapshot outlives it and runs no other statement meanwhile.
  static absl::StatusOr<std::unique_ptr<PostgresCopySource>> Start(PostgresSnapshot& snapshot,
                                                                   const std::string& statement, std::string name,
                                                                   PostgresSnapshot::GoOn go_on);
  ~PostgresCopySource() override;

  absl::StatusOr<std::size_t> Read(std::span<char> out) override;
  const std::string& name() const override { return name_; }

 private:
  PostgresCopySource(PostgresSnapshot& snapshot, std::string name) : snapshot_(snapshot), name_(std::move(name)) {}

  PostgresSnapshot& snapshot_;
  std::string name_;
  std::string_view unserved_;  // of the current line
  bool ended_ = false;
};

}  // namespace flaim
