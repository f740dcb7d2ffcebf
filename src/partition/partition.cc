#include "partition/partition.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

void Shuffle(std::vector<std::uint32_t>& values, RandomSource& random) {
  for (std::size_t left = values.size(); left > 1; --left) {
    std::swap(values[left - 1], values[random.NextBelow(left)]);
  }
}

std::vector<std::int64_t> SortedDistinct(std::span<const std::int64_t> numbers) {
  std::vector<std::int64_t> distinct(numbers.begin(), numbers.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  return distinct;
}

}  // namespace

Partition PartitionIid(std::size_t rows, std::size_t clients, RandomSource& random) {
  CHECK(clients >= 1 && clients <= kMaxClients, "{} clients", clients);
  Partition partition{.client_of_row = std::vector<std::uint32_t>(rows), .clients = clients};
  for (std::size_t row = 0; row < rows; ++row) {
    partition.client_of_row[row] = static_cast<std::uint32_t>(row % clients);
  }
  Shuffle(partition.client_of_row, random);
  return partition;
}

Partition InOnePlace(std::size_t rows) { return {.client_of_row = std::vector<std::uint32_t>(rows), .clients = 1}; }

absl::StatusOr<Partition> PartitionByNumbers(std::span<const std::int64_t> ids) {
  if (ids.empty()) return InvalidArgument("there are no rows, so there are no clients; give a file with rows");
  Partition partition{.ids = SortedDistinct(ids)};
  partition.clients = partition.ids.size();
  if (partition.clients > kMaxClients) {
    return InvalidArgument("the column names {} clients, more than the limit of {}; is it the number of the client?",
                           partition.clients, kMaxClients);
  }
  partition.client_of_row.reserve(ids.size());
  for (const std::int64_t id : ids) {
    const auto found = std::lower_bound(partition.ids.begin(), partition.ids.end(), id);
    partition.client_of_row.push_back(static_cast<std::uint32_t>(found - partition.ids.begin()));
  }
  return partition;
}

}  // namespace flaim
