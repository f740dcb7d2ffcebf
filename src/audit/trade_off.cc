#include "audit/trade_off.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

// Enough that the polygon touches the curve to three digits.
constexpr int kEpsilons = 60;

double EpsilonAt(int index, double highest) { return highest * index / (kEpsilons - 1); }

// P(X <= hits) for X binomial, from the likeliest term down. REQUIRES: hits <= trials * probability.
double BinomialBelow(std::int64_t hits, std::int64_t trials, double probability) {
  if (probability >= 1) return hits >= trials ? 1 : 0;
  const auto n = static_cast<double>(trials);
  auto k = static_cast<double>(hits);
  double term = std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(probability) +
                         (n - k) * std::log1p(-probability));
  double sum = term;
  for (; k > 0 && term > 1e-17 * sum; --k) {
    term *= k * (1 - probability) / ((n - k + 1) * probability);
    sum += term;
  }
  return std::min(sum, 1.0);
}

// The largest probability with which so few hits still happen with probability alpha.
double UpperEnd(std::int64_t hits, std::int64_t trials, double alpha) {
  if (hits == trials) return 1;
  double low = static_cast<double>(hits) / static_cast<double>(trials);
  double high = 1;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (BinomialBelow(hits, trials, middle) > alpha ? low : high) = middle;
  }
  return high;
}

double NormalBelow(double x) { return 0.5 * std::erfc(-x * M_SQRT1_2); }

double NormalQuantile(double probability) {
  if (probability <= 0) return -std::numeric_limits<double>::infinity();
  if (probability >= 1) return std::numeric_limits<double>::infinity();
  double low = -40;
  double high = 40;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    (NormalBelow(middle) < probability ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

TradeOff TradeOff::OfRho(Rho rho) {
  const double highest = EpsilonOf(rho, 1e-12);
  std::vector<Promise> promises;
  for (int i = 0; i < kEpsilons; ++i) {
    const double epsilon = EpsilonAt(i, highest);
    promises.push_back({epsilon, std::min(1.0, DeltaOf(rho, epsilon))});
  }
  return TradeOff(std::move(promises));
}

absl::StatusOr<TradeOff> TradeOff::OfSchedule(const std::vector<Step>& steps) {
  ASSIGN_OR_RETURN(const double highest, ExactEpsilon(steps, 1e-9));
  std::vector<Promise> promises;
  for (int i = 0; i < kEpsilons; ++i) {
    const double epsilon = EpsilonAt(i, highest);
    ASSIGN_OR_RETURN(const double delta, BestDelta(steps, epsilon));
    promises.push_back({epsilon, delta});
  }
  return TradeOff(std::move(promises));
}

double TradeOff::LeastFalseNegative(double false_positive) const {
  double least = 0;
  for (const auto& [epsilon, delta] : promises_) {
    least = std::max(
        {least, 1 - delta - std::exp(epsilon) * false_positive, std::exp(-epsilon) * (1 - delta - false_positive)});
  }
  return least;
}

Interval ClopperPearson(std::int64_t hits, std::int64_t trials, double alpha) {
  CHECK(0 <= hits && hits <= trials && trials > 0 && alpha > 0 && alpha < 1);
  return {.low = 1 - UpperEnd(trials - hits, trials, alpha), .high = UpperEnd(hits, trials, alpha)};
}

double MuOf(const ErrorRates& rates) {
  return -NormalQuantile(rates.false_positive) - NormalQuantile(rates.false_negative);
}

}  // namespace flaim
