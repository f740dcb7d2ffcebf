#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"

namespace flaim {

// More clients than any federation has; keeps a mistyped number from taking all memory.
inline constexpr std::size_t kMaxClients = 10'000'000;

// Which client of a federation holds which row of a table: what Table::SplitBy() takes. For experiments, where one
// table is dealt out to clients that exist only in memory.
struct Partition {
  std::vector<std::uint32_t> client_of_row = {};  // each below `clients`
  std::size_t clients = 0;
  // The number by which the data calls each client, ascending. Empty if the clients were made up here and have none.
  std::vector<std::int64_t> ids = {};

  bool operator==(const Partition&) const = default;
};

// Deals shuffled rows out in turn: each way of dealing is equally likely. Sizes differ by at most one, the first
// rows % clients clients being the larger ones; with fewer rows than clients the last ones stay empty.
// REQUIRES: 1 <= clients <= kMaxClients.
Partition PartitionIid(std::size_t rows, std::size_t clients, RandomSource& random);

// One client that has all rows.
Partition InOnePlace(std::size_t rows);

// One client for each distinct number, numbered in ascending order: ids 7, 3, 7, -1 make clients 2, 1, 2, 0. Gaps
// between the ids are fine and make no clients, so no client is empty. Refuses no rows, and more than kMaxClients
// distinct ids.
absl::StatusOr<Partition> PartitionByNumbers(std::span<const std::int64_t> ids);

}  // namespace flaim
