#include "algorithms/spending/sized_noise.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/status.h"

namespace flaim {

absl::StatusOr<std::vector<Rational>> NoiseBySize(Mu mu, std::span<const std::int64_t> cells) {
  CHECK(!cells.empty());
  const auto fewest = static_cast<double>(*std::min_element(cells.begin(), cells.end()));
  std::vector<double> parts;
  double sum = 0;
  for (const std::int64_t own : cells) {
    const double wanted = std::pow(static_cast<double>(own) / fewest, 2.0 / 3);
    parts.push_back(std::exp2(std::round(std::log2(wanted))));
    sum += parts.back();
  }
  std::vector<Rational> variances;
  for (const double part : parts) {
    const double continuous = sum / (part * mu.value() * mu.value());
    ASSIGN_OR_RETURN(const Rational variance, Rational::RoundUp(continuous * (1 + 1e-12) + kRoundingVariance));
    variances.push_back(variance);
  }
  return variances;
}

double MuOfSum(std::span<const Rational> variances) {
  double squared = 0;
  for (const Rational& variance : variances) {
    CHECK(variance.ToDouble() > kRoundingVariance);
    squared += 1 / (variance.ToDouble() - kRoundingVariance);
  }
  return std::sqrt(squared);
}

}  // namespace flaim
