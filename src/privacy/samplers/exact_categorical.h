#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/int128.h"
#include "base/random_source.h"
#include "privacy/numbers/wide_rational.h"
#include "privacy/samplers/alias_table.h"

namespace flaim {

// The weight of a whole two-sided geometric series: 2 exp(-first) (1 + exp(-step) + exp(-2 step) + ...).
// REQUIRES: step >= 2^-50.
struct TwoSidedGeometricWeight {
  WideRational first;
  WideRational step;
};

// The weights exp(-numerators[k] / denominator), k = 0, 1, ..., and after them, if present, one series.
// REQUIRES: at least one numerator is 0 (so the largest weight is 1); 0 < denominator < 2^127.
struct ExponentialWeights {
  std::vector<UInt128> numerators;
  UInt128 denominator = 1;
  std::optional<TwoSidedGeometricWeight> series = std::nullopt;
};

// Draws an index with probability exactly proportional to its weight, although weights are irrational, at the price of
// one 64-bit word and one table lookup. Immutable; remembers nothing of what it drew.
//
// How. The line [0, 2^B) is cut at integers into regions, and a point V is drawn uniformly on it. For a scale s fixed
// at construction, weight w_k owns
//   a certain region of l_k units, where l_k <= s w_k: a V there yields k at once;
//   a doubtful region of r units, where l_k + r >= s w_k: V at offset y in [l_k, l_k + r) yields k iff y < s w_k.
// The series has only a doubtful region, [0, t). All the rest, and a V that yields nothing, starts anew.
//
// Why it is exact. One attempt yields k exactly when V falls into a set of total length l_k + (s w_k - l_k) = s w_k, so
// with probability s w_k / 2^B; restarting conditions on success and leaves the ratios w_i : w_j untouched. The s and
// the bounds may be as crude as they like: they decide how often a draw is slow, not what is drawn.
//
// V is drawn lazily: its first 64 bits choose a region (alias table in integers, see AliasTable); only in a doubtful
// region are more bits appended, and s w_k enclosed ever more tightly by MPFR, until y < s w_k is decided
// (see UniformIsBelow). The bounds l_k and l_k + r are proved in exp_bounds.h from integer arithmetic alone. At B = 64
// a draw is doubtful with probability below 700 n / 2^64 for n weights.
//
// Relies on MPFR's correct rounding, and on the random source being uniform. Timing is not constant.
class ExactCategorical {
 public:
  static constexpr int kMaxTotalBits = 64;

  // total_bits is B. REQUIRES: 4 <= total_bits <= 64. CHECKs that the doubtful regions of the weights
  // take at most half of the line, and that some certain region is not empty.
  explicit ExactCategorical(ExponentialWeights weights, int total_bits = kMaxTotalBits);

  // The index of a weight; the series, if present, has the index weights.numerators.size().
  std::size_t Sample(RandomSource& random) const {
    while (true) {
      const std::size_t region = regions_.Sample(random);
      if (region != weights_.numerators.size()) [[likely]]
        return region;
      if (const std::optional<std::size_t> index = ResolveDoubtful(random)) return *index;
    }
  }

 private:
  std::vector<std::uint64_t> LayOut(int total_bits);
  std::optional<std::size_t> ResolveDoubtful(RandomSource& random) const;
  bool AcceptsWeight(std::size_t index, std::uint64_t unit, RandomSource& random) const;
  bool AcceptsSeries(std::uint64_t unit, RandomSource& random) const;

  ExponentialWeights weights_;
  UInt128 scale_ = 0;                 // s
  std::uint64_t doubtful_units_ = 0;  // r
  std::uint64_t series_units_ = 0;    // t
  std::uint64_t leftover_units_ = 0;  // all that is not certain: doubtful regions, series, and what is in nobody's
  AliasTable regions_;                // the certain regions, then one for all that is left over
};

}  // namespace flaim
