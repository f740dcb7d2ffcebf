#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/random_source.h"
#include "data/table/table.h"
#include "marginal/clique.h"
#include "model/inference/model.h"
#include "model/kernels/row_swap.h"
#include "model/sampling/synthetic_rows.h"

namespace flaim {

// Found by trying, on Adult and Magic: more passes, or more spare rows, gain little.
struct SwapOptions {
  int passes = 12;
  double most_tried = 0.5;          // of the rows, in one pass
  std::size_t spares_per_row = 2;   // drawn beside the rows, to swap with
  std::size_t block_rows = 50'000;  // at most
};

// Rows whose marginals are closer to the model than those of drawn rows: some of them are exchanged for spare rows that
// were drawn from the same model, wherever that lowers the distance (kernels/row_swap.h) to the model's own answers.
// Only the model is looked at, so this costs no privacy; and since rows are swapped whole, each is one that the model
// drew, and what the model excludes does not appear.
//
// What it costs: rows are no longer independent, nor does each have the model's distribution exactly. They are chosen
// for what they do together. Marginals that are not listed are not worse in practice, and often better, but nothing
// says so.
//
// Rows come in blocks. The distance is that of all rows so far: a block makes up for what its predecessors left over.
// The same rows, spares and order give the same result, whatever the number of threads. Not thread-safe.
class RowSwaps {
 public:
  // Memory is 24 bytes for each of these, and 2 bytes a marginal for each row, spare row and row tried of a block.
  static constexpr std::int64_t kCellsMax = std::int64_t{1} << 23;

  // `rows` is how many there will be, in all blocks. Refuses marginals of more than kCellsMax cells together.
  // REQUIRES: at least one clique, each of at most kSwapCliqueCells cells.
  static absl::StatusOr<RowSwaps> Create(const Model& model, std::vector<Clique> cliques, std::uint64_t rows,
                                         SwapOptions options = {});

  // The next block, with some rows exchanged for spare ones. Those that stay keep their places. Cancelled when the team
  // is asked to stop. REQUIRES: rows of the model's domain, fewer than 2^31 of both kinds.
  absl::StatusOr<Table> Improve(const Table& rows, const Table& spare, Parallel& parallel);

  // Of all rows that were returned, for so many.
  double Distance() const { return kernels::SquaredDistance(expected_, excess_); }
  const SwapOptions& options() const { return options_; }
  // No more than options.block_rows, and than what takes 120 MB beside the cells.
  std::size_t BlockRows() const;

 private:
  RowSwaps(std::vector<Clique> cliques, std::uint64_t rows, SwapOptions options);
  kernels::CellExcess Cells() { return {.begin = begin_, .scale = expected_, .excess = excess_}; }

  std::vector<Clique> cliques_;
  double rows_;
  SwapOptions options_;
  std::vector<std::uint32_t> begin_;
  std::vector<double> expected_;
  std::vector<double> excess_;
};

struct SwappedRowsRequest {
  std::uint64_t rows = 0;
  SamplingMethod method = SamplingMethod::kRounded;  // before rows are swapped
  std::vector<Clique> cliques;                       // the marginals to swap for, as for RowSwaps
  SwapOptions options;
};

// Draws rows, swaps, and hands them on in blocks, one after the other. Stops at the first error.
absl::Status StreamSwappedRows(const Model& model, const SwappedRowsRequest& request, RandomSource& random,
                               Parallel& parallel, const std::function<absl::Status(const Table&)>& consume);

// The same as one table.
absl::StatusOr<Table> DrawSwappedRows(const Model& model, const SwappedRowsRequest& request, RandomSource& random,
                                      Parallel& parallel);

}  // namespace flaim
