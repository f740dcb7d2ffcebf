#include "privacy/samplers/discrete_gaussian.h"

#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/int128.h"
#include "privacy/samplers/bernoulli_exp.h"
#include "privacy/samplers/discrete_gaussian_reference.h"
#include "privacy/samplers/discrete_laplace.h"

namespace flaim {
namespace {

// The tail beyond 6 sigma is drawn once in five hundred million. 2^13 values a side take 256 KB.
constexpr double kReachInSigma = 6;
constexpr std::int64_t kReachLimit = std::int64_t{1} << 13;

// k^2 / (2 sigma^2).
WideRational GaussianExponent(std::int64_t value, const Rational& sigma_squared) {
  const auto magnitude = static_cast<UInt128>(value < 0 ? -value : value);
  UInt128 numerator;
  CHECK(!__builtin_mul_overflow(magnitude * magnitude, static_cast<UInt128>(sigma_squared.denominator()), &numerator));
  return {numerator, 2 * static_cast<UInt128>(sigma_squared.numerator())};
}

// m / sigma^2: the ratio of the geometric series that lies over the tail from m on.
WideRational TailStep(std::int64_t first, const Rational& sigma_squared) {
  return {static_cast<UInt128>(first) * static_cast<UInt128>(sigma_squared.denominator()),
          static_cast<UInt128>(sigma_squared.numerator())};
}

// The shortest table that reaches kReachInSigma and, with its tails, fills all 2^b columns of an alias table.
std::optional<DiscreteGaussianTable> ChooseTable(const Rational& sigma_squared) {
  const double wanted = kReachInSigma * std::sqrt(sigma_squared.ToDouble());
  for (std::int64_t half = 2; half <= kReachLimit; half *= 2) {
    if (static_cast<double>(half - 1) >= wanted) return DiscreteGaussianTable{.reach = half - 1};
  }
  return std::nullopt;
}

ExactCategorical MakeTable(const Rational& sigma_squared, const DiscreteGaussianTable& table) {
  CHECK(sigma_squared.numerator() > 0, "sigma^2 must be positive");
  CHECK(0 <= table.reach && table.reach <= kReachLimit);
  ExponentialWeights weights;
  for (std::int64_t value = -table.reach; value <= table.reach; ++value) {
    weights.numerators.push_back(GaussianExponent(value, sigma_squared).numerator);
  }
  weights.denominator = GaussianExponent(0, sigma_squared).denominator;
  const std::int64_t tail = table.reach + 1;
  weights.series = TwoSidedGeometricWeight{GaussianExponent(tail, sigma_squared), TailStep(tail, sigma_squared)};
  return ExactCategorical(std::move(weights), table.total_bits);
}

}  // namespace

DiscreteGaussian::DiscreteGaussian(const Rational& sigma_squared) : sigma_squared_(sigma_squared) {
  if (const std::optional<DiscreteGaussianTable> table = ChooseTable(sigma_squared)) {
    reach_ = table->reach;
    table_ = MakeTable(sigma_squared, *table);
  }
}

DiscreteGaussian::DiscreteGaussian(const Rational& sigma_squared, const DiscreteGaussianTable& table)
    : sigma_squared_(sigma_squared), reach_(table.reach), table_(MakeTable(sigma_squared, table)) {}

std::int64_t DiscreteGaussian::Sample(RandomSource& random) const {
  return table_ ? SampleTable(random) : SampleDiscreteGaussianReference(sigma_squared_, random);
}

void DiscreteGaussian::Fill(RandomSource& random, std::span<std::int64_t> values) const {
  for (std::int64_t& value : values) value = Sample(random);
}

void DiscreteGaussian::Add(RandomSource& random, std::span<std::int64_t> values) const {
  for (std::int64_t& value : values) {
    CHECK(!__builtin_add_overflow(value, Sample(random), &value), "a count plus its noise does not fit 64 bits");
  }
}

std::int64_t DiscreteGaussian::SampleTable(RandomSource& random) const {
  const auto tail_index = static_cast<std::size_t>(2 * reach_ + 1);
  while (true) {
    const std::size_t index = table_->Sample(random);
    if (index != tail_index) [[likely]]
      return static_cast<std::int64_t>(index) - reach_;
    if (const std::optional<std::int64_t> value = SampleTail(random)) return *value;
  }
}

std::optional<std::int64_t> DiscreteGaussian::SampleTail(RandomSource& random) const {
  const bool negative = SampleBernoulli({1, 2}, random);
  const std::int64_t beyond = SampleGeometric(TailStep(reach_ + 1, sigma_squared_), random);
  if (!SampleBernoulliExp(GaussianExponent(beyond, sigma_squared_), random)) return std::nullopt;
  const std::int64_t magnitude = reach_ + 1 + beyond;
  return negative ? -magnitude : magnitude;
}

}  // namespace flaim
