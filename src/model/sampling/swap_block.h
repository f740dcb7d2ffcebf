#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "data/table/table.h"
#include "marginal/clique.h"
#include "model/kernels/row_swap.h"

namespace flaim {

// Rows and spare rows that change places: which row is where, and in which cell of each marginal. One block of
// RowSwaps.
class SwapBlock {
 public:
  // Finds the cells. REQUIRES: tables of one domain, which outlive this; each clique has at most 2^16 cells.
  static absl::StatusOr<SwapBlock> Create(const Table& rows, const Table& spare, const std::vector<Clique>& cliques,
                                          Parallel& parallel);

  // Adds the rows, not the spare ones, to the cells that they are in.
  void CountInto(const kernels::CellExcess& cells, Parallel& parallel) const;

  // Scores each row by how far the distance falls when it leaves, each spare row by how far when it enters, and swaps
  // the best with the best, the second with the second and so on, up to `most` pairs, wherever that still lowers the
  // distance after the swaps before. Says how many pairs it swapped; the distance never rises.
  absl::StatusOr<std::size_t> Pass(const kernels::CellExcess& cells, std::size_t most, Parallel& parallel);

  Table Rows() const;

 private:
  SwapBlock(const Table& rows, const Table& spare, std::size_t marginals);

  std::size_t places() const { return row_at_.size(); }
  std::span<const std::uint16_t> CellsOf(std::size_t marginal) const {
    return std::span(cell_).subspan(marginal * places(), places());
  }
  absl::Status Score(const kernels::CellExcess& cells, Parallel& parallel);
  std::vector<std::uint16_t> Gather(std::span<const std::uint32_t> at, Parallel& parallel) const;
  void Exchange(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs, Parallel& parallel);

  const Table& rows_;
  const Table& spare_;
  std::size_t marginals_;
  // Rows have the places [0, rows), spare ones those behind.
  std::vector<std::uint32_t> row_at_;
  std::vector<std::uint16_t> cell_;  // of marginal 0 at each place, then of marginal 1, ...
  std::vector<float> score_;         // of each place
  std::vector<float> leaving_;       // gain of each cell
  std::vector<float> entering_;
};

}  // namespace flaim
