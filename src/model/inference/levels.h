#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "data/table/bins.h"
#include "marginal/clique.h"

namespace flaim {

// The values inside bins, and how likely each is in its bin. With levels, a model whose tree is over bins is a
// distribution over values: given its bin, a value depends on nothing else. An immutable value, and public.
class Levels {
 public:
  // `shares`: for each attribute with bins, one number for each value, 1 in sum over every bin; empty for the others.
  // They are normalised, but where rounding alone keeps them from 1: so the shares of levels give the same levels
  // again. Refuses numbers below 0 or not finite, and a bin without any.
  static absl::StatusOr<Levels> Create(Bins bins, std::vector<std::vector<double>> shares);

  const Bins& bins() const { return bins_; }
  // P(value | its bin), for each value; empty where every value is by itself.
  const std::vector<double>& SharesOf(AttributeIndex attribute) const {
    return shares_[static_cast<std::size_t>(attribute)];
  }
  double Share(AttributeIndex attribute, std::uint32_t value) const {
    return bins_.HasBins(attribute) ? SharesOf(attribute)[value] : 1;
  }

  // Whether a table of so many cells is over the bins of the clique's attributes and not over their values. A bin holds
  // more than one value somewhere, so the numbers of cells differ.
  bool IsOverBins(const Clique& clique, std::size_t cells) const;

  // A marginal over values from the one over bins: each cell divided among its values. REQUIRES: the cells of the
  // clique over bins, row-major in sorted attribute order; so is the result.
  std::vector<double> Refine(const Clique& clique, std::span<const double> of_bins) const;

  bool operator==(const Levels&) const = default;

 private:
  Levels(Bins bins, std::vector<std::vector<double>> shares) : bins_(std::move(bins)), shares_(std::move(shares)) {}

  Bins bins_;
  std::vector<std::vector<double>> shares_;
};

}  // namespace flaim
