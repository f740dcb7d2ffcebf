#include "audit/log_ratio.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"

namespace flaim {
namespace {

// Of each candidate: exp(epsilon score / (2 sensitivity)), normalised.
std::vector<double> LogProbabilities(std::span<const std::int64_t> scores, const ExponentialMechanism& mechanism) {
  const double scale = mechanism.epsilon.ToDouble() / (2.0 * static_cast<double>(mechanism.sensitivity));
  const std::int64_t best = *std::max_element(scores.begin(), scores.end());
  std::vector<double> logs;
  double sum = 0;
  for (const std::int64_t score : scores) {
    logs.push_back(scale * (static_cast<double>(score) - static_cast<double>(best)));
    sum += std::exp(logs.back());
  }
  for (double& value : logs) value -= std::log(sum);
  return logs;
}

}  // namespace

double LogRatioOfCounts(std::span<const std::int64_t> released, std::span<const std::int64_t> with,
                        std::span<const std::int64_t> without, const Rational& sigma_squared) {
  CHECK(released.size() == with.size() && with.size() == without.size());
  double squares = 0;
  for (std::size_t i = 0; i < released.size(); ++i) {
    squares += static_cast<double>((with[i] - without[i]) * (2 * released[i] - with[i] - without[i]));
  }
  return squares / (2 * sigma_squared.ToDouble());
}

double LogRatioOfChoice(std::size_t chosen, std::span<const std::int64_t> with, std::span<const std::int64_t> without,
                        const ExponentialMechanism& mechanism) {
  CHECK(chosen < with.size() && with.size() == without.size());
  return LogProbabilities(with, mechanism)[chosen] - LogProbabilities(without, mechanism)[chosen];
}

double PriceOfCounts(std::span<const std::int64_t> with, std::span<const std::int64_t> without,
                     const Rational& sigma_squared) {
  double squares = 0;
  for (std::size_t i = 0; i < with.size(); ++i) squares += std::pow(static_cast<double>(with[i] - without[i]), 2);
  return squares / (2 * sigma_squared.ToDouble());
}

double PriceOfChoice(std::span<const std::int64_t> with, std::span<const std::int64_t> without,
                     const ExponentialMechanism& mechanism) {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    lowest = std::min(lowest, with[i] - without[i]);
    highest = std::max(highest, with[i] - without[i]);
  }
  const double range = mechanism.epsilon.ToDouble() * static_cast<double>(highest - lowest) /
                       (2.0 * static_cast<double>(mechanism.sensitivity));
  return range * range / 8;
}

}  // namespace flaim
