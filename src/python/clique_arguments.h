#pragma once

#include <cstddef>
#include <vector>

#include "base/status.h"
#include "marginal/clique.h"
#include "python/status.h"

namespace flaim::python {

// Cliques cross over from Python as lists of positions in the domain; the names stay there.
using AttributeList = std::vector<AttributeIndex>;

// Refuses a position outside the domain, and a clique with more cells than can be counted.
inline Clique CliqueOf(const Domain& domain, const AttributeList& attributes) {
  for (const AttributeIndex attribute : attributes) {
    if (attribute < 0 || attribute >= domain.size()) {
      ThrowIfError(InvalidArgument("there is no attribute {} in a domain of {}", attribute, domain.size()));
    }
  }
  Clique clique(attributes);
  ThrowIfError(CellCount(domain, clique).status());
  return clique;
}

inline std::vector<Clique> CliquesOf(const Domain& domain, const std::vector<AttributeList>& lists) {
  std::vector<Clique> cliques;
  cliques.reserve(lists.size());
  for (const AttributeList& attributes : lists) cliques.push_back(CliqueOf(domain, attributes));
  return cliques;
}

// Of the clique's table, in sorted attribute order.
inline std::vector<std::size_t> ShapeOf(const Domain& domain, const Clique& clique) {
  std::vector<std::size_t> shape;
  for (const AttributeIndex attribute : clique) shape.push_back(static_cast<std::size_t>(domain[attribute].size));
  return shape;
}

// As many as the machine has, unless the caller says.
inline int CheckedThreads(int threads) {
  if (threads < 0 || threads > 1024) ThrowIfError(InvalidArgument("threads is {}; give 0 for all cores", threads));
  return threads;
}

}  // namespace flaim::python
