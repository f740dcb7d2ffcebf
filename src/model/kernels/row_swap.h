#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace flaim::kernels {

// How many rows some marginals are off by, in each of their cells. With r = rows - expected rows, the distance of the
// rows from what is expected is
//     sum over marginals and cells of  w r^2,  w = 1 / max(1, scale),
// a chi-squared statistic but for cells that expect less than one row. A row that leaves a cell lowers the distance by
// w (2 r - 1), and one that enters it by -w (2 r + 1).
struct CellExcess {
  std::span<const std::uint32_t> begin;  // of each marginal's cells, and the end of the last one's
  std::span<const double> scale;         // what a cell expects of all rows
  std::span<double> excess;              // r

  std::size_t marginals() const { return begin.size() - 1; }
};

double SquaredDistance(std::span<const double> scale, std::span<const double> excess);

// What the distance falls by when one row leaves each cell, and when one enters it. REQUIRES: spans of one length.
void GainsOfCells(std::span<const double> scale, std::span<const double> excess, std::span<float> leaving,
                  std::span<float> entering);

// scores[i] += gain_of_cell[cells[i]]: what remains, for a row, of a sum over marginals.
void AddGains(std::span<const std::uint16_t> cells, std::span<const float> gain_of_cell, std::span<float> scores);

// What the distance falls by, exactly, when the row that is in these cells, one of each marginal, gives way to the
// other. Where both are in one cell nothing changes, so that this is at least the gain of the one that leaves and the
// gain of the one that enters.
double SwapGain(const CellExcess& cells, std::span<const std::uint16_t> leaving,
                std::span<const std::uint16_t> entering);
void Swap(const CellExcess& cells, std::span<const std::uint16_t> leaving, std::span<const std::uint16_t> entering);

}  // namespace flaim::kernels
