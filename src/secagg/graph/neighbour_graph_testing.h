#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/random_source.h"
#include "secagg/graph/neighbour_graph.h"

// For tests only: seeds, the order on the circle, and which parts of a graph hang together.

namespace flaim::secagg {

inline Digest RandomSeed(RandomSource& random) {
  Digest seed;
  random.Fill(std::as_writable_bytes(std::span(seed)));
  return seed;
}

// The order of a circle depends on the seed alone, so a circle of degree 2 shows it.
inline std::vector<int> OrderOnTheCircle(int participants, const Digest& seed) {
  const NeighbourGraph ring(participants, 2, seed);
  std::vector<int> order = {0, ring.NeighboursOf(0)[0]};
  while (static_cast<int>(order.size()) < participants) {
    const std::vector<int> next = ring.NeighboursOf(order.back());
    order.push_back(next[0] == order[order.size() - 2] ? next[1] : next[0]);
  }
  return order;
}

// How many parts those with is_in[rank] fall into, joined by their edges only.
inline int CountParts(const NeighbourGraph& graph, const std::vector<bool>& is_in) {
  std::vector<bool> is_seen(is_in.size(), false);
  int parts = 0;
  for (int start = 0; start < graph.participants(); ++start) {
    if (!is_in[start] || is_seen[start]) continue;
    ++parts;
    std::vector<int> open = {start};
    is_seen[start] = true;
    while (!open.empty()) {
      const int rank = open.back();
      open.pop_back();
      for (const int other : graph.NeighboursOf(rank)) {
        if (!is_in[other] || is_seen[other]) continue;
        is_seen[other] = true;
        open.push_back(other);
      }
    }
  }
  return parts;
}

}  // namespace flaim::secagg
