#include "model/kernels/row_swap.h"

#include <algorithm>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim::kernels {
namespace {

using Row = std::vector<std::uint16_t>;  // the cell of each marginal

// Rows in cells of marginals, counted anew for each distance: the plain twin of what the kernels keep up.
struct CountedRows {
  std::vector<std::vector<double>> expected;  // of each marginal
  std::vector<Row> rows;

  std::vector<std::vector<double>> Excess() const {
    std::vector<std::vector<double>> excess = expected;
    for (std::size_t marginal = 0; marginal < expected.size(); ++marginal) {
      for (double& cell : excess[marginal]) cell = -cell;
      for (const Row& row : rows) excess[marginal][row[marginal]] += 1;
    }
    return excess;
  }

  double Distance() const {
    double distance = 0;
    const std::vector<std::vector<double>> excess = Excess();
    for (std::size_t marginal = 0; marginal < expected.size(); ++marginal) {
      for (std::size_t cell = 0; cell < expected[marginal].size(); ++cell) {
        distance += excess[marginal][cell] * excess[marginal][cell] / std::max(1.0, expected[marginal][cell]);
      }
    }
    return distance;
  }
};

// The same as the kernels have it.
struct FlatCells {
  explicit FlatCells(const CountedRows& counted) : begin({0}) {
    const std::vector<std::vector<double>> by_marginal = counted.Excess();
    for (std::size_t i = 0; i < by_marginal.size(); ++i) {
      scale.insert(scale.end(), counted.expected[i].begin(), counted.expected[i].end());
      excess.insert(excess.end(), by_marginal[i].begin(), by_marginal[i].end());
      begin.push_back(static_cast<std::uint32_t>(scale.size()));
    }
  }
  CellExcess cells() { return {begin, scale, excess}; }

  std::vector<std::uint32_t> begin;
  std::vector<double> scale;
  std::vector<double> excess;
};

Row RandomRow(const CountedRows& counted, RandomSource& random) {
  Row row;
  for (const auto& cells : counted.expected) row.push_back(static_cast<std::uint16_t>(random.NextBelow(cells.size())));
  return row;
}

CountedRows RandomCase(RandomSource& random) {
  CountedRows counted{.expected = std::vector<std::vector<double>>(1 + random.NextBelow(5)), .rows = {}};
  for (std::vector<double>& expected : counted.expected) {
    expected.resize(1 + random.NextBelow(6));
    for (double& cell : expected) cell = random.NextBelow(3) == 0 ? 0 : 12 * random.NextUnit();
  }
  for (int row = 0; row < 30; ++row) counted.rows.push_back(RandomRow(counted, random));
  return counted;
}

constexpr double kRounding = 1e-9;

TEST(RowSwap, GainIsWhatCountingAllRowsAgainSays) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SeededRandomSource random(seed, "gain");
    CountedRows counted = RandomCase(random);
    FlatCells flat(counted);
    ASSERT_NEAR(SquaredDistance(flat.scale, flat.excess), counted.Distance(), kRounding);
    for (int swap = 0; swap < 10; ++swap) {
      Row& leaving = counted.rows[random.NextBelow(counted.rows.size())];
      const Row entering = RandomRow(counted, random);
      const double before = counted.Distance();
      const double gain = SwapGain(flat.cells(), leaving, entering);
      Swap(flat.cells(), leaving, entering);
      leaving = entering;
      ASSERT_NEAR(gain, before - counted.Distance(), kRounding) << "seed " << seed;
      ASSERT_NEAR(SquaredDistance(flat.scale, flat.excess), counted.Distance(), kRounding);
    }
  }
}

TEST(RowSwap, GainsOfCellsAreThoseOfLeavingAndOfEnteringAlone) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SeededRandomSource random(seed, "scores");
    CountedRows counted = RandomCase(random);
    FlatCells flat(counted);
    std::vector<float> leaving(flat.scale.size());
    std::vector<float> entering(flat.scale.size());
    GainsOfCells(flat.scale, flat.excess, leaving, entering);
    const Row row = counted.rows.back();
    const Row other = RandomRow(counted, random);
    float leaving_gain = 0;
    float entering_gain = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      AddGains(std::span(row).subspan(i, 1), std::span(leaving).subspan(flat.begin[i]), {&leaving_gain, 1});
      AddGains(std::span(other).subspan(i, 1), std::span(entering).subspan(flat.begin[i]), {&entering_gain, 1});
    }
    ASSERT_LE(leaving_gain + entering_gain, SwapGain(flat.cells(), row, other) + 1e-3);

    const double before = counted.Distance();
    counted.rows.push_back(other);
    ASSERT_NEAR(entering_gain, before - counted.Distance(), 1e-3) << "seed " << seed;
    counted.rows.pop_back();
    counted.rows.pop_back();
    ASSERT_NEAR(leaving_gain, before - counted.Distance(), 1e-3) << "seed " << seed;
  }
}

TEST(RowSwap, AddsTheGainsOfARunOfRows) {
  SeededRandomSource random(1, "run");
  const std::vector<float> gains = {3, -1, 0.5, 8};
  std::vector<std::uint16_t> cells(1000);
  for (std::uint16_t& cell : cells) cell = static_cast<std::uint16_t>(random.NextBelow(gains.size()));
  std::vector<float> scores(cells.size(), 2);
  AddGains(cells, gains, scores);
  for (std::size_t i = 0; i < cells.size(); ++i) ASSERT_EQ(scores[i], 2 + gains[cells[i]]);
}

}  // namespace
}  // namespace flaim::kernels
