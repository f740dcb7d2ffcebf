#include "audit/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/status.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

std::string Parent() {
  std::error_code error;
  const fs::path memory = "/dev/shm";
  if (fs::is_directory(memory, error)) return memory.string();
  return fs::temp_directory_path(error).string();
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ScratchFolder>> ScratchFolder::Make() {
  std::string path = Parent() + "/flaim-audit-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    return FailedPrecondition("cannot make a folder for scratch files, '{}': {}", path, std::strerror(errno));
  }
  return std::shared_ptr<const ScratchFolder>(new ScratchFolder(std::move(path)));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

ScratchFile::~ScratchFile() {
  std::error_code ignored;
  for (const char* suffix : {"", "-journal", "-wal", "-shm"}) fs::remove(path_ + suffix, ignored);
}

}  // namespace flaim
