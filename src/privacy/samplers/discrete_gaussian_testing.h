#pragma once

#include <cmath>
#include <cstdint>

#include "privacy/numbers/rational.h"
#include "privacy/samplers/chi_squared_testing.h"

// For tests only: the distribution that both discrete Gaussian samplers must have, from its definition.

namespace flaim {

inline Probabilities DiscreteGaussianProbabilities(const Rational& sigma_squared) {
  const long double variance =
      static_cast<long double>(sigma_squared.numerator()) / static_cast<long double>(sigma_squared.denominator());
  const auto reach = static_cast<std::int64_t>(15 * std::sqrt(variance)) + 15;
  Probabilities probabilities;
  for (std::int64_t value = -reach; value <= reach; ++value) {
    probabilities[value] = std::exp(-static_cast<long double>(value * value) / (2 * variance));
  }
  Normalise(probabilities);
  return probabilities;
}

// Of cells of a quarter sigma each: cell c holds the values in [c * width, (c + 1) * width). For sigma above 100, where
// the sum over a cell equals the integral from half a step before to half a step before its end within 1 / sigma^2.
inline std::int64_t QuarterSigmaWidth(const Rational& sigma_squared) {
  return static_cast<std::int64_t>(std::sqrt(sigma_squared.ToDouble()) / 4);
}

inline std::int64_t CellOf(std::int64_t value, std::int64_t width) {
  return (value >= 0 ? value : value - width + 1) / width;
}

inline Probabilities QuarterSigmaProbabilities(const Rational& sigma_squared) {
  const std::int64_t width = QuarterSigmaWidth(sigma_squared);
  const long double scale = std::sqrt(2 * static_cast<long double>(sigma_squared.ToDouble()));
  Probabilities probabilities;
  for (std::int64_t cell = -40; cell < 40; ++cell) {
    const long double from = (static_cast<long double>(cell * width) - 0.5L) / scale;
    const long double to = (static_cast<long double>((cell + 1) * width) - 0.5L) / scale;
    probabilities[cell] = (std::erf(to) - std::erf(from)) / 2;
  }
  return probabilities;
}

}  // namespace flaim
