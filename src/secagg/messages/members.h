#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "io/bytes.h"

namespace flaim::secagg {

// A set of ranks as a bitmap: bit i of the bytes, counted from the low end, stands for rank i.

Bytes PackMembers(const std::vector<bool>& members);

// InvalidArgument if the bitmap has another length, or spare bits that are not zero.
absl::StatusOr<std::vector<bool>> UnpackMembers(ByteView packed, std::size_t ranks);

}  // namespace flaim::secagg
