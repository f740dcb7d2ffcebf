#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace flaim {

// The bytes of a file whose SHA-256 is known: what was checked is what is returned, whatever happens to the file
// meanwhile. NotFound if there is no such file, DataLoss with both hashes if it is another one. Files of datasets are
// small (the largest has 7 MB); one above kMaxKnownFileBytes is refused unread.
inline constexpr std::size_t kMaxKnownFileBytes = std::size_t{1} << 28;
absl::StatusOr<std::string> ReadKnownFile(const std::string& path, std::string_view sha256);

}  // namespace flaim
