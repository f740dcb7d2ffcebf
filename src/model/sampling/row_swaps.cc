#include "model/sampling/row_swaps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "model/sampling/swap_block.h"
#include "model/sampling/swap_cliques.h"

namespace flaim {
namespace {

constexpr double kBlockBytes = 120'000'000;

}  // namespace

RowSwaps::RowSwaps(std::vector<Clique> cliques, std::uint64_t rows, SwapOptions options)
    : cliques_(std::move(cliques)), rows_(static_cast<double>(std::max<std::uint64_t>(rows, 1))), options_(options) {
  CHECK(!cliques_.empty() && options.passes >= 0 && options.most_tried > 0 && options.block_rows > 0);
}

absl::StatusOr<RowSwaps> RowSwaps::Create(const Model& model, std::vector<Clique> cliques, std::uint64_t rows,
                                          SwapOptions options) {
  RowSwaps swaps(std::move(cliques), rows, options);
  swaps.begin_.push_back(0);
  for (const Clique& clique : swaps.cliques_) {
    const std::int64_t cells = CellCount(model.domain(), clique).value();
    CHECK(cells <= kSwapCliqueCells);
    if (swaps.begin_.back() + cells > kCellsMax) {
      return InvalidArgument("the marginals to swap rows for have more than {} cells; name fewer, or smaller ones",
                             kCellsMax);
    }
    swaps.begin_.push_back(swaps.begin_.back() + static_cast<std::uint32_t>(cells));
  }
  swaps.expected_.reserve(swaps.begin_.back());
  MarginalQuery query = model.Query();
  for (const Clique& clique : swaps.cliques_) {
    for (const double share : query.Answer(clique)) swaps.expected_.push_back(swaps.rows_ * share);
  }
  swaps.excess_.resize(swaps.expected_.size());
  return swaps;
}

std::size_t RowSwaps::BlockRows() const {
  const double cells_per_row = 1 + static_cast<double>(options_.spares_per_row) + 2 * options_.most_tried;
  const double bytes_per_row = sizeof(std::uint16_t) * cells_per_row * static_cast<double>(cliques_.size());
  return std::clamp<std::size_t>(static_cast<std::size_t>(kBlockBytes / bytes_per_row), 1, options_.block_rows);
}

absl::StatusOr<Table> RowSwaps::Improve(const Table& rows, const Table& spare, Parallel& parallel) {
  ASSIGN_OR_RETURN(SwapBlock block, SwapBlock::Create(rows, spare, cliques_, parallel));
  const double share_of_all = static_cast<double>(rows.rows()) / rows_;
  for (std::size_t i = 0; i < excess_.size(); ++i) excess_[i] -= expected_[i] * share_of_all;
  block.CountInto(Cells(), parallel);
  const auto most = static_cast<std::size_t>(std::ceil(options_.most_tried * static_cast<double>(rows.rows())));
  for (int pass = 0; pass < options_.passes; ++pass) {
    ASSIGN_OR_RETURN(const std::size_t swapped, block.Pass(Cells(), most, parallel));
    if (swapped == 0) break;
  }
  return block.Rows();
}

absl::Status StreamSwappedRows(const Model& model, const SwappedRowsRequest& request, RandomSource& random,
                               Parallel& parallel, const std::function<absl::Status(const Table&)>& consume) {
  ASSIGN_OR_RETURN(RowSwaps swaps, RowSwaps::Create(model, request.cliques, request.rows, request.options));
  RowSampler sampler(model, request.method);
  const std::uint64_t blocks = (request.rows + swaps.BlockRows() - 1) / swaps.BlockRows();
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t size = request.rows / blocks + (block < request.rows % blocks ? 1 : 0);
    const Table drawn = sampler.Next(size, random);
    const Table spare = sampler.Next(size * swaps.options().spares_per_row, random);
    ASSIGN_OR_RETURN(const Table swapped, swaps.Improve(drawn, spare, parallel));
    RETURN_IF_ERROR(consume(swapped));
  }
  return absl::OkStatus();
}

absl::StatusOr<Table> DrawSwappedRows(const Model& model, const SwappedRowsRequest& request, RandomSource& random,
                                      Parallel& parallel) {
  std::vector<Table> blocks;
  RETURN_IF_ERROR(StreamSwappedRows(model, request, random, parallel, [&](const Table& block) {
    blocks.push_back(block);
    return absl::OkStatus();
  }));
  return Table::Concatenate(model.domain(), blocks);
}

}  // namespace flaim
