#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/random_source.h"
#include "gtest/gtest.h"

// For tests only: statements about means of simulated values. Seeds are fixed, and a mean is rejected at kMostErrors
// standard errors: a correct formula fails for one seed in 1.7 million, and then always for that seed.

namespace flaim {

inline constexpr double kMostErrors = 5;

// A standard normal value, by Box and Muller.
inline double NextNormal(RandomSource& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.NextUnit()));
  return radius * std::cos(2 * std::numbers::pi * random.NextUnit());
}

// Values as they are drawn: independent, of one distribution.
class Sample {
 public:
  void Add(double value) {
    ++size_;
    const double difference = value - mean_;
    mean_ += difference / static_cast<double>(size_);
    squares_ += difference * (value - mean_);
  }

  double mean() const { return mean_; }
  double Variance() const { return squares_ / static_cast<double>(size_ - 1); }
  double StandardError() const { return std::sqrt(Variance() / static_cast<double>(size_)); }

 private:
  std::size_t size_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// That the values have this mean; and that there are so many of them that one which is off by `resolution` would be
// noticed.
inline void ExpectMean(const Sample& sample, double mean, double resolution) {
  EXPECT_NEAR(sample.mean(), mean, kMostErrors * sample.StandardError());
  EXPECT_LT(2 * kMostErrors * sample.StandardError(), resolution) << "too few values to tell";
}

// P(a chi-squared variable of 2 `half` degrees of freedom > value), which is that of fewer than `half` arrivals of a
// Poisson process.
inline double ChiSquaredTail(int half, double value) {
  double term = std::exp(-value / 2);
  double tail = 0;
  for (int arrivals = 0; arrivals < half; ++arrivals) {
    tail += term;
    term *= value / 2 / (arrivals + 1);
  }
  return tail;
}

}  // namespace flaim
