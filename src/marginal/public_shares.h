#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/table/table.h"
#include "marginal/clique.h"
#include "marginal/score.h"

namespace flaim {

// A public distribution over the cells of a marginal, such as the model's, in fixed point: whole units of 1/kUnit,
// rounded down, so that they never add up to more than kUnit.
class PublicShares {
 public:
  // Fine enough that rounding a share changes what a cell expects of n rows by less than n / 10^9 records.
  static constexpr std::int64_t kUnit = kScoreScale << 20;

  // REQUIRES: non-negative and finite. They are taken relative to their sum, which is positive.
  explicit PublicShares(std::span<const double> shares);

  std::span<const std::uint32_t> units() const { return units_; }
  std::int64_t total() const { return total_; }

 private:
  std::vector<std::uint32_t> units_;
  std::int64_t total_ = 0;
};

// How far the counts of a table are from what a public distribution expects for a table *of the same size*:
//
//   |M_q - n m_q|_1,   n the table's own number of rows, m_q the shares,
//
// in units of 1/PublicShares::kUnit record, exactly. So clients of different sizes can be compared with one model
// without anybody knowing their size. The price is in the sensitivity: a record moves its cell by one and n m_q by m_q,
// whose sum is one, so the distance moves by up to 2 records instead of 1 (sensitivity.h).
struct ShareDistance {
  std::int64_t units = 0;

  // In score units, rounded down: a move of at most 2 records stays at most 2 kScoreScale.
  ScaledDistance Scaled() const { return {units / (PublicShares::kUnit / kScoreScale)}; }
  bool operator==(const ShareDistance&) const = default;
};

// Above this the units of a distance could overflow.
inline constexpr std::int64_t kMaxMeasuredRows = (std::int64_t{1} << 30) - 1;

// Measures such distances for one table after the other. Takes time in proportion to the rows, not to the cells: cells
// without rows contribute n times what is left of the shares. Keeps its buffers; one for each thread.
class ShareDistanceMeter {
 public:
  // REQUIRES: the shares are over the clique's cells; at most kMaxMeasuredRows.
  ShareDistance Measure(const Table& rows, const Clique& clique, const PublicShares& shares);

 private:
  std::vector<std::uint32_t> indices_;  // of each row
  std::vector<std::uint32_t> counts_;   // of each cell, all zero between calls
};

// The same for rows that were counted elsewhere, such as in a database. REQUIRES: one count for each share, none
// negative, together at most kMaxMeasuredRows.
ShareDistance ShareDistanceOfCounts(std::span<const std::int64_t> counts, const PublicShares& shares);

// The proxy of AugFLAIM (Private) for a query: the distances of its attributes' one-way marginals, averaged. Rounded
// down to score units. REQUIRES: not empty, at most kMaxScoredAttributes.
ScaledDistance MeanDistance(std::span<const ShareDistance> one_ways);

// One client's scores are added up under noise, so their unit is coarser: 1/kSummedScoreScale record, and the noise
// still fits into exact fractions.
inline constexpr std::int64_t kSummedScoreScale = 16;
std::int64_t ToSummedScore(ShareDistance distance);

}  // namespace flaim
