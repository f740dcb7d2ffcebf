#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/workload.h"

namespace flaim {

// How different clients are: the paper's tau_k(q) is the total variation distance (half the L1 distance, 0 to 1)
// between the shares of the cells of marginal q among the rows of client k and among everybody's. `mean` averages it
// over the clients and over the downward closure of a workload; Table 5 of the paper takes all marginals of at most
// three attributes, the closure of all three-ways.
struct ClientHeterogeneity {
  double mean = 0;
  std::size_t clients = 0;               // that the mean is over
  std::size_t clients_without_rows = 0;  // they have no shares, and are left out
  std::size_t marginals = 0;
};

// A marginal with more cells than this is refused: its counts would take 2 GiB for each thread.
inline constexpr std::int64_t kMaxHeterogeneityCells = std::int64_t{1} << 28;

// For analysis only: the answer depends on private rows. Refuses a table without rows. REQUIRES: one client for each
// row, each below `clients`.
//
// A client with few rows is in few cells, and the cells where it is not follow from those where it is: the distance is
// the sum of what its share exceeds everybody's by. So each marginal costs a few walks over the rows, however many
// cells and clients there are.
absl::StatusOr<ClientHeterogeneity> MeasureHeterogeneity(const Table& table,
                                                         std::span<const std::uint32_t> client_of_row,
                                                         std::size_t clients, const Workload& workload,
                                                         Parallel& parallel);

}  // namespace flaim
