#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/random_source.h"
#include "privacy/numbers/rational.h"
#include "privacy/samplers/exact_categorical.h"

namespace flaim {

// How a DiscreteGaussian lays out its table. It moves speed only: every layout samples the same distribution exactly.
struct DiscreteGaussianTable {
  // The table holds the values -reach to reach; what lies beyond is drawn from an exact tail. REQUIRES: reach >= 0.
  std::int64_t reach = 0;
  // Precision of the table; a coarse one (tests use 8 bits) sends more draws through the lazy path.
  int total_bits = ExactCategorical::kMaxTotalBits;
};

// The discrete Gaussian: integer k with probability proportional to exp(-k^2 / (2 sigma^2)), exactly, for rational
// sigma^2. Made once for a sigma^2, immutable afterwards, safe to share between threads that each have their own
// source. It remembers nothing of what it drew.
//
// Up to a sigma of about 1,300 it draws from a table: one 64-bit word, one lookup and one comparison a sample. The
// cells are -reach, ..., reach with weights exp(-k^2 / (2 sigma^2)) and one last cell for both tails. With m = reach +
// 1,
//   exp(-(m+j)^2 / (2 sigma^2)) = exp(-m^2 / (2 sigma^2)) * exp(-j m / sigma^2) * exp(-j^2 / (2 sigma^2)),
// so the last cell weighs the two-sided geometric series 2 exp(-m^2 / (2 sigma^2)) / (1 - exp(-m / sigma^2)); when it
// is chosen, j is drawn geometrically with ratio exp(-m / sigma^2), accepted with probability exp(-j^2 / (2 sigma^2)),
// and a refusal starts anew. Nothing is truncated. Above that sigma it is SampleDiscreteGaussianReference.
//
// Does not cover: timing. How long a draw takes depends on the value drawn (the tail and the lazy path are slow), so a
// party that can time single draws learns about rare events, and about every draw above the table's largest sigma.
class DiscreteGaussian {
 public:
  // REQUIRES: sigma_squared > 0.
  explicit DiscreteGaussian(const Rational& sigma_squared);
  DiscreteGaussian(const Rational& sigma_squared, const DiscreteGaussianTable& table);

  const Rational& sigma_squared() const { return sigma_squared_; }

  std::int64_t Sample(RandomSource& random) const;

  // Sets each entry to an independent sample.
  void Fill(RandomSource& random, std::span<std::int64_t> values) const;

  // Adds an independent sample to each entry. CHECKs against overflow.
  void Add(RandomSource& random, std::span<std::int64_t> values) const;

 private:
  std::int64_t SampleTable(RandomSource& random) const;
  std::optional<std::int64_t> SampleTail(RandomSource& random) const;

  Rational sigma_squared_;
  std::int64_t reach_ = 0;
  std::optional<ExactCategorical> table_;  // empty above the table's largest sigma
};

}  // namespace flaim
