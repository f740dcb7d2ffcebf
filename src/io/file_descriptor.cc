#include "io/file_descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "fmt/format.h"

namespace flaim {

FileDescriptor::~FileDescriptor() {
  if (owned_ && number_ >= 0) close(number_);
}

absl::Status FileError(std::string_view path, std::string_view what_failed, int error_number) {
  const std::string message =
      fmt::format("{}: {}: {}", path, what_failed, std::generic_category().message(error_number));
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ENOSPC:
    case EFBIG:
    case EDQUOT:
      return absl::ResourceExhaustedError(message + "; free some space or choose another folder");
    default:
      return absl::UnavailableError(message);
  }
}

}  // namespace flaim
