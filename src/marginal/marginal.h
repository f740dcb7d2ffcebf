#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "marginal/clique.h"

namespace flaim {

// The counts of one clique: how many rows hold each combination of its attributes' codes. Row-major in the order of the
// clique, the last attribute fastest; the marginal of the empty clique is the one cell that counts all rows. An
// immutable value. It is private until noise is added: nothing here may leave a site.
class Marginal {
 public:
  // REQUIRES: one count for each cell of the clique over `domain`.
  Marginal(const Domain& domain, Clique clique, std::vector<std::int64_t> counts);

  const Clique& clique() const { return clique_; }
  // The number of codes of each attribute of the clique.
  const std::vector<std::int64_t>& sizes() const { return sizes_; }
  std::span<const std::int64_t> counts() const { return counts_; }

  bool operator==(const Marginal&) const = default;

 private:
  Clique clique_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> counts_;
};

}  // namespace flaim
