#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace flaim::runtime {

// Small files that only their owner can read: keys. Written whole or not at all, and on the disk when the call returns;
// at no moment readable by others, whatever the umask.

// Replaces what is there. A symbolic link is replaced, not followed.
absl::Status WritePrivateFile(const std::string& path, std::string_view bytes);
// AlreadyExists if something is there, also if somebody else creates it at the same moment.
absl::Status CreatePrivateFile(const std::string& path, std::string_view bytes);

// NotFound if there is none; PermissionDenied, with the command that helps, if anybody but the owner has any right to
// it; InvalidArgument if it is not a file, or longer than a megabyte. Follows symbolic links.
absl::StatusOr<std::string> ReadPrivateFile(const std::string& path);

}  // namespace flaim::runtime
