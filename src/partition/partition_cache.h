#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "partition/partition.h"
#include "partition/partition_spec.h"

namespace flaim {

// Everything that decides about a partition, as a text: of which data (their fingerprint), dealt how, with which seed,
// by which version of the code.
std::string PartitionKey(std::string_view data_fingerprint, const PartitionSpec& spec, std::uint64_t seed);

// Partitions that take long to make, kept in a folder, a file for each key. A file appears whole under its name or not
// at all, and whatever is wrong with one when it is read, it is as if it were not there: so several processes may use
// one folder, and if two make the same partition at once, the same bytes win either way. Nothing is ever removed.
class PartitionCache {
 public:
  // The folder is made when the first partition is stored.
  explicit PartitionCache(std::string folder) : folder_(std::move(folder)) {}

  // NotFound if there is none for the key; DataLoss if there is one that is damaged.
  absl::StatusOr<Partition> Load(std::string_view key) const;
  absl::Status Store(std::string_view key, const Partition& partition) const;

  // Loads the partition if it is there, whole, and for as many rows; else makes and stores it. A partition that cannot
  // be stored is returned all the same: it only has to be made again next time.
  absl::StatusOr<Partition> LoadOrMake(std::string_view key, std::size_t rows,
                                       const std::function<absl::StatusOr<Partition>()>& make) const;

  // Where the partition of a key is kept.
  std::string PathOf(std::string_view key) const;

 private:
  std::string folder_;
};

}  // namespace flaim
