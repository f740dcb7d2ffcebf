#include "privacy/accountants/loss_distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace flaim {
namespace {

// Tails are cut at twelve standard deviations: both mechanisms are subgaussian, so exp(-12^2 / 2) bounds a tail.
constexpr double kTailDeviations = 12;
constexpr double kTailMass = 5.4e-32;

// Covers the rounding of a sum of masses and of the conversion of its terms.
constexpr double kMassSlack = 0x1p-34;

// In units of the resolution: from here on noise is as good as continuous, for the price of kRoundingVariance.
constexpr double kFineVariance = 0x1p13;
// Of a random rounding whose probabilities hang on what is rounded by less than one part in 2^55.
constexpr double kRoundingVariance = 2;

constexpr double kPi = 3.14159265358979323846;

long double UpperTail(long double deviations) { return 0.5L * std::erfc(deviations * std::sqrt(0.5L)); }

// The probability of [from, to] under N(0, 1), from the side where nothing cancels.
long double NormalMass(long double from, long double to) {
  if (from > 0) return UpperTail(from) - UpperTail(to);
  if (to < 0) return UpperTail(-to) - UpperTail(-from);
  return 1 - UpperTail(to) - UpperTail(-from);
}

std::int64_t LatticeFloor(double loss, double step) { return static_cast<std::int64_t>(std::floor(loss / step)); }

// A discrete Gaussian, or a sum of them, on {-reach, ..., reach}.
struct SymmetricMass {
  std::int64_t reach;
  std::vector<double> mass;

  double At(std::int64_t value) const { return mass[static_cast<std::size_t>(value + reach)]; }
};

std::int64_t ReachOf(double variance) {
  return static_cast<std::int64_t>(std::ceil(kTailDeviations * std::sqrt(variance))) + 1;
}

// Cutting the normaliser makes every mass larger, which is the safe side.
SymmetricMass DiscreteGaussianMass(double variance) {
  const std::int64_t reach = ReachOf(variance);
  SymmetricMass result{reach, std::vector<double>(static_cast<std::size_t>(2 * reach + 1))};
  double total = 0;
  for (std::int64_t value = -reach; value <= reach; ++value) {
    const auto size = static_cast<double>(value);
    total += result.mass[static_cast<std::size_t>(value + reach)] = std::exp(-size * size / (2 * variance));
  }
  for (double& mass : result.mass) mass /= total;
  return result;
}

SymmetricMass Convolve(const SymmetricMass& left, const SymmetricMass& right, std::int64_t reach_limit) {
  const std::int64_t reach = std::min(left.reach + right.reach, reach_limit);
  SymmetricMass sum{reach, std::vector<double>(static_cast<std::size_t>(2 * reach + 1))};
  for (std::int64_t first = -left.reach; first <= left.reach; ++first) {
    const std::int64_t from = std::max(-reach, first - right.reach);
    const std::int64_t to = std::min(reach, first + right.reach);
    const double weight = left.At(first);
    for (std::int64_t value = from; value <= to; ++value) {
      sum.mass[static_cast<std::size_t>(value + reach)] += weight * right.At(value - first);
    }
  }
  return sum;
}

SymmetricMass ConvolutionPower(SymmetricMass base, std::int64_t count, std::int64_t reach_limit) {
  SymmetricMass power{0, {1.0}};
  for (; count > 0; count /= 2) {
    if (count % 2 == 1) power = Convolve(power, base, reach_limit);
    if (count > 1) base = Convolve(base, base, reach_limit);
  }
  return power;
}

// The sum of m discrete Gaussians of variance s is a discrete Gaussian of variance m s, up to a factor within
// [1 - R, 1 + R] on every mass; this bounds R. Proof: docs/PRIVACY.md, "Sums of discrete Gaussians".
double SumDeviation(double variance, std::int64_t count) {
  if (count == 1) return 0;
  const double decay = 2 * kPi * kPi * variance;
  const auto terms = static_cast<double>(count);
  const double near = 2 * std::expm1(terms * std::log1p(2.1 * std::exp(-decay / 2)));
  const double far = std::sqrt(decay * terms) * std::exp(terms * (std::log(3.1) - decay / 4));
  return near + far;
}

SymmetricMass SumOfDiscreteGaussians(double variance, std::int64_t count) {
  const double sum_variance = variance * static_cast<double>(count);
  const double deviation = SumDeviation(variance, count);
  if (deviation > kMassSlack) {
    return ConvolutionPower(DiscreteGaussianMass(variance), count, ReachOf(sum_variance));
  }
  SymmetricMass sum = DiscreteGaussianMass(sum_variance);
  for (double& mass : sum.mass) mass *= (1 + deviation) / (1 - deviation);
  return sum;
}

// Splits the mass of one loss between the lattice points around it.
void AddMass(double exact, double mass, LossDistribution& loss) {
  const double step = loss.lattice_step;
  const std::int64_t below = LatticeFloor(exact, step);
  const double offset = std::clamp(exact - static_cast<double>(below) * step, 0.0, step);
  const double to_lower = std::expm1(step - offset) / std::expm1(step);
  const auto cell = static_cast<std::size_t>(below - loss.lowest);
  loss.mass[cell] += mass * (to_lower + kMassSlack);
  loss.mass[cell + 1] += mass * (1 - to_lower + kMassSlack);
}

}  // namespace

LossDistribution ContinuousGaussianLoss(Mu mu, double lattice_step) {
  CHECK(mu.value() > 0 && lattice_step > 0, "mu {}, lattice step {}", mu.value(), lattice_step);
  const long double deviation = mu.value();
  const long double mean = deviation * deviation / 2;
  const long double step = lattice_step;
  const double reach = kTailDeviations * mu.value();
  LossDistribution loss;
  loss.lattice_step = lattice_step;
  loss.lowest = LatticeFloor(static_cast<double>(mean) - reach, lattice_step);
  const std::int64_t highest = LatticeFloor(static_cast<double>(mean) + reach, lattice_step) + 1;
  loss.mass.assign(static_cast<std::size_t>(highest - loss.lowest + 1), 0.0);

  // Each cell loses about log10(1 / (its width in deviations * step)) digits to cancellation.
  const double lost_digits = 64.0 * kTailDeviations * static_cast<double>(std::numeric_limits<long double>::epsilon()) /
                             (lattice_step * std::min(1.0, lattice_step / mu.value()));
  const double slack = std::max(kMassSlack, lost_digits);
  for (std::size_t cell = 0; cell + 1 < loss.mass.size(); ++cell) {
    const long double from = step * static_cast<long double>(loss.lowest + static_cast<std::int64_t>(cell));
    const long double to = from + step;
    const long double under_p = NormalMass((from - mean) / deviation, (to - mean) / deviation);
    const long double under_q = NormalMass((from + mean) / deviation, (to + mean) / deviation);
    const long double tilted = under_q * std::exp(to);
    const long double to_lower = (tilted - under_p) / std::expm1(step);
    const long double to_upper = under_p - to_lower;
    loss.mass[cell] += static_cast<double>(std::max(to_lower, 0.0L) + slack * under_p);
    loss.mass[cell + 1] += static_cast<double>(std::max(to_upper, 0.0L) + slack * under_p);
  }
  loss.mass.front() += kTailMass;
  loss.infinite_mass = kTailMass;
  return loss;
}

LossDistribution DiscreteGaussianLoss(const GaussianMechanism& gaussian, double lattice_step, std::int64_t resolution) {
  CHECK(resolution >= 1, "resolution {}", resolution);
  const auto shift = static_cast<double>(resolution);
  const double variance = shift * shift * gaussian.sigma_squared.ToDouble();
  const auto moved = static_cast<double>(gaussian.sensitivity_squared);
  CHECK(lattice_step > 0 && variance > 0, "variance {}, lattice step {}", variance, lattice_step);
  CHECK(gaussian.sensitivity_squared <= kMaxCoordinates && variance * moved <= kMaxSumVariance,
        "{} coordinates with variance {}", moved, variance);
  const SymmetricMass sum = SumOfDiscreteGaussians(variance, gaussian.sensitivity_squared);
  const auto loss_of = [&](std::int64_t value) {
    return shift * (2 * static_cast<double>(value) + shift * moved) / (2 * variance);
  };

  LossDistribution loss;
  loss.lattice_step = lattice_step;
  loss.lowest = LatticeFloor(loss_of(-sum.reach), lattice_step);
  const std::int64_t highest = LatticeFloor(loss_of(sum.reach), lattice_step) + 1;
  loss.mass.assign(static_cast<std::size_t>(highest - loss.lowest + 1), 0.0);
  for (std::int64_t value = -sum.reach; value <= sum.reach; ++value) AddMass(loss_of(value), sum.At(value), loss);
  loss.infinite_mass = 4 * moved * kTailMass;
  return loss;
}

std::vector<LossDistribution> LossesOfEveryResolution(const GaussianMechanism& gaussian, double lattice_step) {
  const double variance = gaussian.sigma_squared.ToDouble();
  CHECK(variance >= kLeastSplitVariance, "variance {}", variance);
  std::vector<LossDistribution> losses;
  std::int64_t resolution = 1;
  const auto units = [&] { return static_cast<double>(resolution * resolution); };
  for (; units() * variance < kFineVariance; resolution *= 2) {
    losses.push_back(DiscreteGaussianLoss(gaussian, lattice_step, resolution));
  }
  const double continuous_variance = variance - kRoundingVariance / units();
  const double mu = std::sqrt(static_cast<double>(gaussian.sensitivity_squared) / continuous_variance);
  losses.push_back(ContinuousGaussianLoss(*Mu::Create(mu * (1 + kMassSlack)), lattice_step));
  return losses;
}

LossDistribution DeviationLoss(const GaussianMechanism& gaussian, double lattice_step) {
  const double deviation = (static_cast<double>(gaussian.sensitivity_squared) + 100) * 0x1p-31;
  LossDistribution loss;
  loss.lattice_step = lattice_step;
  loss.lowest = LatticeFloor(2 * deviation, lattice_step);
  loss.mass.assign(2, 0.0);
  AddMass(2 * deviation, std::exp(deviation), loss);
  loss.infinite_mass = kTailMass;
  return loss;
}

}  // namespace flaim
