#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.h"

namespace flaim {

// Bins side by side: bin i is [edge i, edge i+1). Lookup guesses as if the bins were equally wide, and searches when
// the guess is wrong, so it is exact for every choice of edges. Copies share the edges.
template <typename Number>
class BinEdges {
 public:
  // REQUIRES: at least two edges, strictly increasing.
  explicit BinEdges(std::vector<Number> edges) {
    CHECK(edges.size() >= 2);
    CHECK(std::is_sorted(edges.begin(), edges.end(), std::less_equal<>()), "edges do not increase");
    origin_ = static_cast<double>(edges.front());
    scale_ = static_cast<double>(edges.size() - 1) / (static_cast<double>(edges.back()) - origin_);
    edges_ = std::make_shared<const std::vector<Number>>(std::move(edges));
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(edges_->size() - 1); }
  Number lower(std::uint32_t bin) const { return (*edges_)[bin]; }
  Number upper(std::uint32_t bin) const { return (*edges_)[bin + 1]; }
  Number front() const { return edges_->front(); }
  Number back() const { return edges_->back(); }

  // The bin of a value; the upper end of the last bin counts as inside. REQUIRES: front() <= value <= back().
  std::uint32_t Find(Number value) const {
    const double guess = (static_cast<double>(value) - origin_) * scale_;
    if (guess >= 0 && guess < static_cast<double>(size())) [[likely]] {
      const auto bin = static_cast<std::uint32_t>(guess);
      if (lower(bin) <= value && value < upper(bin)) [[likely]]
        return bin;
    }
    const auto after = std::upper_bound(edges_->begin(), edges_->end(), value);
    const auto bin = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after - edges_->begin(), 1) - 1);
    return std::min(bin, size() - 1);
  }

 private:
  std::shared_ptr<const std::vector<Number>> edges_;
  double origin_;
  double scale_;
};

}  // namespace flaim
