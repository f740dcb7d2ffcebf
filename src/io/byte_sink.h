#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace flaim {

// Bytes written once from front to back. What was written counts only after Commit(): a sink that is destroyed before
// leaves nothing behind, so a failed command never leaves half a file. After an error, every later call returns it.
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
//
// A new file gets the permissions that the umask grants; a replaced one keeps its own, and nobody else can read it
// before Commit. A symbolic link stays, and the file it points to is replaced. What is not a file (/dev/null, a pipe)
// is never replaced: bytes go straight to it, so there they cannot be taken back. Does not cover: a process that is
// killed may leave a hidden file named .flaim-XXXXXX behind.
absl::StatusOr<std::unique_ptr<ByteSink>> CreateFile(const std::string& path);

// Collects into `*content`, which changes only on Commit and must outlive the sink. For tests and text kept in memory.
std::unique_ptr<ByteSink> StringSink(std::string name, std::string* content);

}  // namespace flaim
