#include "audit/hidden_noise.h"

#include <cmath>

#include "base/check.h"

namespace flaim {
namespace {

// In standard deviations of a share: what lies beyond is less than 2^-100 of the whole.
constexpr double kHiddenReach = 12;

std::vector<double> ShareMass(double variance, std::int64_t reach) {
  std::vector<double> mass;
  double sum = 0;
  for (std::int64_t value = -reach; value <= reach; ++value) {
    mass.push_back(std::exp(-std::pow(static_cast<double>(value), 2) / (2 * variance)));
    sum += mass.back();
  }
  for (double& value : mass) value /= sum;
  return mass;
}

std::vector<double> Convolve(const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> sum(one.size() + other.size() - 1);
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t j = 0; j < other.size(); ++j) sum[i + j] += one[i] * other[j];
  }
  return sum;
}

}  // namespace

HiddenNoise::HiddenNoise(const secagg::NoisePlan& plan, int contributors) : plan_(plan) {
  CHECK(plan.HasNoise() && contributors >= 1);
  const double variance = plan.share_variance().ToDouble();
  const auto share_reach = static_cast<std::int64_t>(std::ceil(kHiddenReach * std::sqrt(variance)));
  const std::vector<double> share = ShareMass(variance, share_reach);
  mass_ = share;
  for (int i = 1; i < contributors; ++i) mass_ = Convolve(mass_, share);
  reach_ = contributors * share_reach;
}

double HiddenNoise::MassAt(std::int64_t units) const {
  return std::abs(units) > reach_ ? 0 : mass_[static_cast<std::size_t>(units + reach_)];
}

double HiddenNoise::LogProbability(std::int64_t released, std::int64_t count, std::int64_t known) const {
  const std::int64_t shift = plan_.resolution() * count + known;
  const std::int64_t middle = plan_.resolution() * released - shift;
  double mass = 0;
  for (std::int64_t noise = middle - plan_.resolution(); noise <= middle + plan_.resolution(); ++noise) {
    if (plan_.ToCount(shift + noise) == released) mass += MassAt(noise);
  }
  return std::log(mass);
}

}  // namespace flaim
