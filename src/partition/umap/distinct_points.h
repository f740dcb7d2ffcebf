#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "partition/umap/points.h"

namespace flaim {

// Which points are the same. Tables of codes repeat rows, some of them thousands of times, and a search for neighbours
// that meets them one by one sees nothing else. Groups are numbered by their first point, the points of a group ascend.
class DistinctPoints {
 public:
  explicit DistinctPoints(const Points& points);

  std::size_t groups() const { return starts_.size() - 1; }
  std::uint32_t group_of(std::size_t point) const { return group_of_[point]; }
  std::span<const std::uint32_t> members(std::size_t group) const {
    return std::span(members_).subspan(starts_[group], starts_[group + 1] - starts_[group]);
  }

 private:
  std::vector<std::uint32_t> group_of_;
  std::vector<std::uint32_t> members_;
  std::vector<std::size_t> starts_;
};

}  // namespace flaim
