#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/table/domain.h"

namespace flaim {

// A set of attributes: the paper's query q. An immutable value, sorted and without repeats.
class Clique {
 public:
  Clique() = default;
  // Sorts and drops repeats. REQUIRES: no negative index.
  explicit Clique(std::vector<AttributeIndex> attributes);

  int size() const { return static_cast<int>(attributes_.size()); }
  const std::vector<AttributeIndex>& attributes() const { return attributes_; }
  auto begin() const { return attributes_.begin(); }
  auto end() const { return attributes_.end(); }

  bool Contains(AttributeIndex attribute) const;
  bool IsSubsetOf(const Clique& other) const;
  Clique Intersect(const Clique& other) const;
  Clique Union(const Clique& other) const;

  auto operator<=>(const Clique&) const = default;

 private:
  std::vector<AttributeIndex> attributes_;
};

// n_q, the number of cells of the marginal over `clique`; an error if it exceeds 2^62.
absl::StatusOr<std::int64_t> CellCount(const Domain& domain, const Clique& clique);

// "age,sex" in domain order.
std::string CliqueName(const Domain& domain, const Clique& clique);

}  // namespace flaim
