#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "partition/partition.h"

namespace flaim {

// A partition as bytes, with a text that says what it is a partition of. Little-endian:
//
//   8 bytes   "FLAIMPRT"
//   u64       format: 1
//   u64       bytes of the text, then the text
//   u64       clients
//   u64       rows, then a u32 for each: its client
//   u64       ids, then an i64 for each
//   32 bytes  BLAKE2b of everything before
//
// The checksum has no key: it finds damage, not malice. So beyond it, everything that a Partition promises is checked.
std::string PartitionToBytes(std::string_view key, const Partition& partition);

// DataLoss, saying what is wrong, for anything that PartitionToBytes() does not write for this key.
absl::StatusOr<Partition> PartitionFromBytes(std::string_view key, std::string_view bytes);

}  // namespace flaim
