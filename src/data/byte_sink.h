#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace flaim {

// Bytes written once from front to back. What was written counts only after Commit(): a sink that is destroyed before
// leaves nothing behind, so a failed command never leaves half a file.
class ByteSink {
 public:
  virtual ~ByteSink() = default;

  virtual absl::Status Write(std::string_view bytes) = 0;
  // Makes everything durable and visible under the final name. Nothing may be written afterwards.
  virtual absl::Status Commit() = 0;
  virtual const std::string& name() const = 0;
};

// Writes beside `path` and renames on Commit (after fsync of file and folder). "-" is standard output, where Commit
// flushes. An existing file is replaced only on Commit. Buffered.
absl::StatusOr<std::unique_ptr<ByteSink>> CreateFile(const std::string& path);

}  // namespace flaim
