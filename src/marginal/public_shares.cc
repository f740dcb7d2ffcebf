#include "marginal/public_shares.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "marginal/kernels/row_index.h"

namespace flaim {
namespace {

void CheckFit(const Table& rows, const Clique& clique, const PublicShares& shares) {
  CHECK(rows.rows() <= static_cast<std::size_t>(kMaxMeasuredRows));
  const absl::StatusOr<std::int64_t> cells = CellCount(rows.domain(), clique);
  CHECK(cells.ok() && static_cast<std::size_t>(*cells) == shares.units().size(), "the shares are of another marginal");
}

}  // namespace

PublicShares::PublicShares(std::span<const double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  CHECK(sum > 0 && std::isfinite(sum), "shares add up to {}", sum);
  units_.reserve(shares.size());
  for (const double share : shares) {
    CHECK(share >= 0, "a share is {}", share);
    // The running total is cut, because the rounded shares may add up to a hair more than their sum.
    const auto unit = static_cast<std::int64_t>(share / sum * static_cast<double>(kUnit));
    units_.push_back(static_cast<std::uint32_t>(std::min(unit, kUnit - total_)));
    total_ += units_.back();
  }
}

ShareDistance ShareDistanceMeter::Measure(const Table& rows, const Clique& clique, const PublicShares& shares) {
  CheckFit(rows, clique, shares);
  if (counts_.size() < shares.units().size()) counts_.resize(shares.units().size());
  indices_.assign(rows.rows(), 0);
  for (const AttributeIndex attribute : clique) {
    ExtendIndicesInPlace(indices_, rows.column(attribute), 0,
                         static_cast<std::uint32_t>(rows.domain()[attribute].size));
  }
  for (const std::uint32_t cell : indices_) ++counts_[cell];

  const auto size = static_cast<std::int64_t>(rows.rows());
  std::int64_t distance = size * shares.total();
  for (const std::uint32_t cell : indices_) {
    const std::int64_t count = std::exchange(counts_[cell], 0);
    if (count == 0) continue;  // an earlier row of the same cell has settled it
    const std::int64_t expected = size * shares.units()[cell];
    distance += std::abs(count * PublicShares::kUnit - expected) - expected;
  }
  return {distance};
}

ShareDistance ShareDistanceOfCounts(std::span<const std::int64_t> counts, const PublicShares& shares) {
  CHECK(counts.size() == shares.units().size(), "the shares are of another marginal");
  std::int64_t size = 0;
  for (const std::int64_t count : counts) {
    CHECK(count >= 0 && count <= kMaxMeasuredRows - size);
    size += count;
  }
  ShareDistance distance;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    distance.units += std::abs(counts[cell] * PublicShares::kUnit - size * shares.units()[cell]);
  }
  return distance;
}

ScaledDistance MeanDistance(std::span<const ShareDistance> one_ways) {
  CHECK(!one_ways.empty() && one_ways.size() <= kMaxScoredAttributes);
  std::int64_t sum = 0;
  for (const ShareDistance distance : one_ways) sum += distance.units / static_cast<std::int64_t>(one_ways.size());
  return ShareDistance{sum}.Scaled();
}

std::int64_t ToSummedScore(ShareDistance distance) {
  return distance.units / (PublicShares::kUnit / kSummedScoreScale);
}

}  // namespace flaim
