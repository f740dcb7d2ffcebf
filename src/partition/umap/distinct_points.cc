#include "partition/umap/distinct_points.h"

#include <algorithm>
#include <numeric>

namespace flaim {
namespace {

// Points in an order that puts equal ones together, each group's first point first.
std::vector<std::uint32_t> EqualOnesTogether(const Points& points) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    const std::span<const float> a = points.at(left);
    const std::span<const float> b = points.at(right);
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin());
    return in_a == a.end() ? left < right : *in_a < *in_b;
  });
  return order;
}

bool Same(const Points& points, std::uint32_t left, std::uint32_t right) {
  return std::equal(points.at(left).begin(), points.at(left).end(), points.at(right).begin());
}

}  // namespace

DistinctPoints::DistinctPoints(const Points& points) : group_of_(points.size()), members_(points.size()) {
  const std::vector<std::uint32_t> order = EqualOnesTogether(points);
  std::vector<std::uint32_t> first_of(points.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const bool repeats = place > 0 && Same(points, order[place - 1], order[place]);
    first_of[order[place]] = repeats ? first_of[order[place - 1]] : order[place];
  }
  starts_ = {0};
  for (std::size_t point = 0; point < first_of.size(); ++point) {
    const bool is_first = first_of[point] == point;
    group_of_[point] = is_first ? static_cast<std::uint32_t>(groups()) : group_of_[first_of[point]];
    if (is_first) starts_.push_back(0);
    ++starts_[group_of_[point] + 1];
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t point = 0; point < group_of_.size(); ++point) {
    members_[next[group_of_[point]]++] = static_cast<std::uint32_t>(point);
  }
}

}  // namespace flaim
