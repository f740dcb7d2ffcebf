#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "io/file_descriptor.h"

namespace flaim {

// A file of records that only grows: what a program must know again after it was killed. A record counts once it is
// whole. What a crash left half-written at the end is cut off when the file is opened; damage anywhere else is an
// error, because something that was recorded would be forgotten.
//
// Format: a line that names the kind of log, then for each record its length (4 bytes, little-endian), the first 8
// bytes of the SHA-256 of the chain so far and the length (so a damaged length is told from a record that was cut off),
// the first 16 bytes of the SHA-256 of the chain so far and the record (so records cannot be swapped or taken out), and
// the record. Held open by one process at a time. Not thread-safe.
class AppendLog {
 public:
  static constexpr std::size_t kMaxRecordBytes = std::size_t{1} << 30;

  // Makes the file, readable by its owner only, if there is none. FailedPrecondition if another process has it open;
  // DataLoss if it is damaged, or a log of another kind.
  static absl::StatusOr<AppendLog> Open(const std::string& path, const std::string& kind);

  // What was in the file when it was opened. Moves them out.
  std::vector<std::string> TakeRecords() { return std::move(records_); }

  // Appends; durable after Sync. After an error nothing more is taken: what is half-written must stay at the end.
  absl::Status Append(std::string_view record);
  absl::Status Sync();
  absl::Status AppendDurably(std::string_view record);

 private:
  AppendLog(std::string path, FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  absl::Status Load(const std::string& kind);
  absl::Status Write(std::string_view bytes);
  absl::Status Damaged() const;

  std::string path_;
  FileDescriptor file_;
  std::string chain_;  // 32 bytes
  bool is_broken_ = false;
  std::vector<std::string> records_;
};

// Removes a log that has served; durable when it returns. No error if there is none.
absl::Status RemoveFile(const std::string& path);

}  // namespace flaim
