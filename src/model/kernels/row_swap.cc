#include "model/kernels/row_swap.h"

#include <algorithm>

#include "base/check.h"

namespace flaim::kernels {
namespace {

double WeightOf(double scale) { return 1 / std::max(1.0, scale); }

}  // namespace

double SquaredDistance(std::span<const double> scale, std::span<const double> excess) {
  CHECK(scale.size() == excess.size());
  double distance = 0;
  for (std::size_t i = 0; i < excess.size(); ++i) distance += WeightOf(scale[i]) * excess[i] * excess[i];
  return distance;
}

void GainsOfCells(std::span<const double> scale, std::span<const double> excess, std::span<float> leaving,
                  std::span<float> entering) {
  CHECK(scale.size() == excess.size() && leaving.size() == scale.size() && entering.size() == scale.size());
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const double weight = WeightOf(scale[i]);
    leaving[i] = static_cast<float>(weight * (2 * excess[i] - 1));
    entering[i] = static_cast<float>(-weight * (2 * excess[i] + 1));
  }
}

void AddGains(std::span<const std::uint16_t> cells, std::span<const float> gain_of_cell, std::span<float> scores) {
  CHECK(cells.size() == scores.size());
  const float* const gains = gain_of_cell.data();
  for (std::size_t i = 0; i < cells.size(); ++i) scores[i] += gains[cells[i]];
}

double SwapGain(const CellExcess& cells, std::span<const std::uint16_t> leaving,
                std::span<const std::uint16_t> entering) {
  double gain = 0;
  for (std::size_t marginal = 0; marginal < cells.marginals(); ++marginal) {
    if (leaving[marginal] == entering[marginal]) continue;
    const std::size_t from = cells.begin[marginal] + leaving[marginal];
    const std::size_t to = cells.begin[marginal] + entering[marginal];
    gain += WeightOf(cells.scale[from]) * (2 * cells.excess[from] - 1);
    gain -= WeightOf(cells.scale[to]) * (2 * cells.excess[to] + 1);
  }
  return gain;
}

void Swap(const CellExcess& cells, std::span<const std::uint16_t> leaving, std::span<const std::uint16_t> entering) {
  for (std::size_t marginal = 0; marginal < cells.marginals(); ++marginal) {
    cells.excess[cells.begin[marginal] + leaving[marginal]] -= 1;
    cells.excess[cells.begin[marginal] + entering[marginal]] += 1;
  }
}

}  // namespace flaim::kernels
