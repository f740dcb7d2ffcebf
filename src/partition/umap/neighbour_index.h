#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "partition/umap/points.h"

namespace flaim {

// A point and how far it is: squared, as indices compare.
using FoundPoint = std::pair<float, std::uint32_t>;

// Finds points that are near, most of the nearest among them, without looking at all. hnswlib's graphs, a fixed number
// of them: each is built one point after another, several at a time, so that they are the same whatever the threads.
// Points go in in a shuffled order, since neighbouring rows of a file are often alike, and a graph that grows from one
// corner is a poor one. Safe to search from many threads. The points must outlive the index, and be different from each
// other: repeated points fill the links of a graph and cut it into islands.
class NeighbourIndex {
 public:
  // ResourceExhausted if there is not enough memory.
  static absl::StatusOr<NeighbourIndex> Build(const Points& points, std::uint64_t seed, Parallel& parallel);

  NeighbourIndex(NeighbourIndex&&) noexcept;
  NeighbourIndex& operator=(NeighbourIndex&&) noexcept;
  ~NeighbourIndex();

  // Up to `count` others that are near the point, nearest first. Fewer if the graphs lead to no more.
  void Search(std::uint32_t point, std::size_t count, std::vector<FoundPoint>& found) const;

 private:
  class Graph;
  explicit NeighbourIndex(const Points& points);

  const float* Place(std::uint32_t point) const { return padded_.data() + point * width_; }

  std::size_t width_;
  std::vector<float> padded_;
  std::vector<std::unique_ptr<Graph>> graphs_;
};

}  // namespace flaim
