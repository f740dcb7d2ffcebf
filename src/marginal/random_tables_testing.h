#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random_source.h"
#include "data/table/table.h"
#include "fmt/format.h"
#include "marginal/clique.h"

// Small random tables and cliques for the tests of this module.
namespace flaim::testing_tables {

inline Domain DomainOfSizes(const std::vector<std::int64_t>& sizes) {
  std::vector<Attribute> attributes;
  for (std::size_t i = 0; i < sizes.size(); ++i) attributes.push_back({fmt::format("c{}", i), sizes[i]});
  return Domain::Create(attributes).value();
}

inline std::vector<std::uint32_t> RandomRow(const Domain& domain, RandomSource& random) {
  std::vector<std::uint32_t> row;
  for (const Attribute& attribute : domain.attributes()) {
    row.push_back(static_cast<std::uint32_t>(random.NextBelow(static_cast<std::uint64_t>(attribute.size))));
  }
  return row;
}

inline std::vector<std::vector<std::uint32_t>> RandomRows(const Domain& domain, std::size_t count,
                                                          RandomSource& random) {
  std::vector<std::vector<std::uint32_t>> rows;
  for (std::size_t row = 0; row < count; ++row) rows.push_back(RandomRow(domain, random));
  return rows;
}

inline Table TableOf(const Domain& domain, const std::vector<std::vector<std::uint32_t>>& rows) {
  TableBuilder builder(domain);
  for (const std::vector<std::uint32_t>& row : rows) builder.AddRow(row);
  return std::move(builder).Build();
}

// Every subset of the attributes equally likely, the empty one included.
inline Clique RandomClique(const Domain& domain, RandomSource& random) {
  std::vector<AttributeIndex> attributes;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    if (random.NextBelow(2) == 0) attributes.push_back(attribute);
  }
  return Clique(attributes);
}

}  // namespace flaim::testing_tables
