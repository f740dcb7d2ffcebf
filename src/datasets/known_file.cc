#include "datasets/known_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/status.h"
#include "io/digest.h"
#include "io/file_descriptor.h"
#include "io/hex.h"

namespace flaim {
namespace {

absl::StatusOr<std::string> ReadBytes(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return FileError(path, "cannot be opened", error.value());
  if (size > kMaxKnownFileBytes) {
    return DataLoss("{}: {} bytes, far more than the dataset has; fetch it anew", path, size);
  }
  std::string bytes(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file) return FileError(path, "cannot be opened", errno);
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(file.gcount()) != size) return Unavailable("{}: cannot be read to its end", path);
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> ReadKnownFile(const std::string& path, std::string_view sha256) {
  ASSIGN_OR_RETURN(std::string bytes, ReadBytes(path));
  const std::string found = ToHex(Sha256(AsBytes(bytes)));
  if (found != sha256) {
    return DataLoss("{} is not the file that results are known for: its SHA-256 is {} and not {}. Fetch it anew", path,
                    found, sha256);
  }
  return bytes;
}

}  // namespace flaim
