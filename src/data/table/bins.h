#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "data/table/domain.h"
#include "data/table/table.h"

namespace flaim {

// A coarser view of a domain: each attribute's values gathered in bins, so that a marginal has fewer cells. Says
// nothing about which values are near each other: a bin may hold any of them. An immutable value, and public.
class Bins {
 public:
  // For each attribute the bin of each of its values; an empty list leaves every value by itself, and so does one with
  // as many bins as values. Refuses lists of another length, and bins that are not numbered 0, 1, ... without a gap.
  static absl::StatusOr<Bins> Create(Domain values, std::vector<std::vector<std::uint32_t>> bin_of_value);
  // Every value by itself.
  static Bins OfSingleValues(Domain values);

  // What is gathered, and what it becomes: the same attributes, with bins for values.
  const Domain& values() const { return values_; }
  const Domain& bins() const { return bins_; }

  bool HasBins(AttributeIndex attribute) const { return !Of(attribute).empty(); }
  bool HasBins() const;
  // The bin of each value; empty where every value is by itself.
  const std::vector<std::uint32_t>& Of(AttributeIndex attribute) const {
    return bin_of_value_[static_cast<std::size_t>(attribute)];
  }
  std::uint32_t BinOf(AttributeIndex attribute, std::uint32_t value) const {
    return HasBins(attribute) ? Of(attribute)[value] : value;
  }

  // The values of each bin, in order. REQUIRES: the attribute has bins.
  std::vector<std::vector<std::uint32_t>> ValuesByBin(AttributeIndex attribute) const;

  // The same rows, with bins for values. REQUIRES: the table is over values().
  Table Gather(const Table& rows) const;

  bool operator==(const Bins&) const = default;

 private:
  Bins(Domain values, Domain bins, std::vector<std::vector<std::uint32_t>> bin_of_value);

  Domain values_;
  Domain bins_;
  std::vector<std::vector<std::uint32_t>> bin_of_value_;
};

}  // namespace flaim
