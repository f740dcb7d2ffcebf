#include "privacy/accountants/exact_accountant.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <utility>

#include "base/overloaded.h"
#include "base/status.h"
#include "privacy/accountants/privacy_profile.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxSteps = 100'000;

// Lattice points per typical standard deviation of a step's loss. Splitting a loss between two lattice points adds at
// most step^2 / 4 to its variance, so 16 keep the total standard deviation within 0.05 %, and 64 within 0.003 %.
constexpr double kFewPoints = 16;
constexpr double kManyPoints = 64;
// Multiply-adds for one profile. Many points if they are cheap; fewer than few if even those would take seconds.
constexpr double kCheapWork = 3e7;
constexpr double kMaxWork = 1.5e9;
constexpr double kMaxLatticePoints = 1 << 16;
// How far the total loss can stray, as a multiple of sqrt(4 rho): beyond it lies less than 1e-18.
constexpr double kLossReach = 6.5;

double Deviation(const GaussianMechanism& gaussian) {
  return std::sqrt(static_cast<double>(gaussian.sensitivity_squared) / gaussian.sigma_squared.ToDouble());
}

double Deviation(const Step& step) {
  return std::visit(
      Overloaded{[](const Mu& mu) { return mu.value(); },
                 [](const GaussianMechanism& gaussian) { return Deviation(gaussian); },
                 [](const SplitGaussian& split) { return Deviation(split.mechanism); },
                 [](const ExponentialMechanism& exponential) { return exponential.epsilon.ToDouble() / 2; }},
      step);
}

Rho ZcdpCost(const Step& step) {
  return std::visit(Overloaded{[](const Mu& mu) { return Rho::RoundUp(mu.value() * mu.value() / 2 * (1 + 1e-15)); },
                               [](const SplitGaussian& split) { return CostOf(split.mechanism); },
                               [](const auto& mechanism) { return CostOf(mechanism); }},
                    step);
}

Rho ZcdpCost(std::span<const Step> steps) {
  Rho total;
  for (const Step& step : steps) total = total + ZcdpCost(step);
  return total;
}

bool CanFollow(double sigma_squared, std::int64_t coordinates) {
  return coordinates <= kMaxCoordinates && sigma_squared * static_cast<double>(coordinates) <= kMaxSumVariance;
}

bool CanBeSplit(const SplitGaussian& split) { return split.mechanism.sigma_squared.ToDouble() >= kLeastSplitVariance; }

absl::Status ValidateGaussian(const GaussianMechanism& gaussian) {
  RETURN_IF_ERROR(Validate(gaussian));
  if (CanFollow(gaussian.sigma_squared.ToDouble(), gaussian.sensitivity_squared)) return absl::OkStatus();
  return InvalidArgument(
      "the exact accountant follows discrete noise up to {} counts per record and sigma^2 * counts = {}; a release "
      "has {} counts and sigma^2 = {}: use the zCDP total for it",
      kMaxCoordinates, kMaxSumVariance, gaussian.sensitivity_squared, gaussian.sigma_squared.ToString());
}

absl::Status ValidateStep(const Step& step) {
  if (std::holds_alternative<Mu>(step)) return absl::OkStatus();
  if (const auto* gaussian = std::get_if<GaussianMechanism>(&step)) return ValidateGaussian(*gaussian);
  if (const auto* split = std::get_if<SplitGaussian>(&step)) {
    RETURN_IF_ERROR(ValidateGaussian(split->mechanism));
    if (CanBeSplit(*split)) return absl::OkStatus();
    return InvalidArgument("sigma^2 = {} is too little to be brought along in shares; give at least {}",
                           split->mechanism.sigma_squared.ToString(), kLeastSplitVariance);
  }
  const auto& exponential = std::get<ExponentialMechanism>(step);
  RETURN_IF_ERROR(Validate(exponential));
  if (exponential.epsilon.ToDouble() > 100) {
    return InvalidArgument("a selection with epsilon = {} protects nobody; the exact accountant takes at most 100",
                           exponential.epsilon.ToString());
  }
  return absl::OkStatus();
}

absl::Status ValidateSteps(std::span<const Step> steps) {
  if (steps.size() > kMaxSteps) {
    return InvalidArgument("the schedule has {} steps; the exact accountant takes at most {}", steps.size(), kMaxSteps);
  }
  double total = 0;
  for (const Step& step : steps) {
    RETURN_IF_ERROR(ValidateStep(step));
    total += Deviation(step) * Deviation(step) / 2;
  }
  if (total > 1000) {
    return InvalidArgument("the schedule costs about rho = {:.0f}, which protects nobody; add noise", total);
  }
  return absl::OkStatus();
}

// Gaussian steps between two selections commute, so those of one kind become one step with the same total loss, or a
// few where one would be too large to follow. Noise in shares stays as it is: each release has a resolution of its own.
std::vector<Step> Grouped(std::span<const Step> steps) {
  std::vector<Step> grouped;
  double sum_of_squares = 0;
  std::map<Rational, std::int64_t> coordinates;
  const auto flush = [&] {
    if (sum_of_squares > 0) grouped.emplace_back(*Mu::Create(std::sqrt(sum_of_squares) * (1 + 1e-12)));
    for (const auto& group : coordinates) grouped.emplace_back(GaussianMechanism{group.first, group.second});
    sum_of_squares = 0;
    coordinates.clear();
  };
  for (const Step& step : steps) {
    if (const auto* mu = std::get_if<Mu>(&step)) {
      sum_of_squares += mu->value() * mu->value();
    } else if (const auto* gaussian = std::get_if<GaussianMechanism>(&step)) {
      std::int64_t& count = coordinates[gaussian->sigma_squared];
      if (!CanFollow(gaussian->sigma_squared.ToDouble(), count + gaussian->sensitivity_squared)) {
        grouped.emplace_back(GaussianMechanism{gaussian->sigma_squared, std::exchange(count, 0)});
      }
      count += gaussian->sensitivity_squared;
    } else if (std::holds_alternative<SplitGaussian>(step)) {
      flush();
      grouped.push_back(step);
    } else if (std::get<ExponentialMechanism>(step).epsilon.numerator() > 0) {
      flush();
      grouped.push_back(step);
    }
  }
  flush();
  return grouped;
}

double RelativeWork(const Step& step) {
  constexpr double kCellCost = 4;
  constexpr double kResolutions = 4;
  const double points = std::holds_alternative<ExponentialMechanism>(step) ? 4 * kCellCost : 24;
  return points * Deviation(step) * (std::holds_alternative<SplitGaussian>(step) ? kResolutions : 1);
}

// A lattice around the epsilons of interest that is fine enough for the typical step, wide enough for the total loss,
// and, where it can be, one on which the selections' epsilon is a whole number of steps.
Lattice ChooseLattice(std::span<const Step> steps, double epsilon_low, double epsilon_high) {
  double sum_of_squares = 0;
  double work = 0;
  double selection = 0;
  for (const Step& step : steps) {
    sum_of_squares += Deviation(step) * Deviation(step);
    work += RelativeWork(step);
    if (const auto* exponential = std::get_if<ExponentialMechanism>(&step)) selection = exponential->epsilon.ToDouble();
  }
  const double rho = sum_of_squares / 2;
  const double reach = rho + kLossReach * std::sqrt(4 * rho);
  const double width = epsilon_high - epsilon_low + 2 * reach;
  const double typical = std::sqrt(sum_of_squares / static_cast<double>(steps.size()));
  const double wanted = std::clamp(std::sqrt(width * work / kCheapWork), typical / kManyPoints, typical / kFewPoints);
  double step = std::max({wanted, width / kMaxLatticePoints, std::sqrt(width * work / kMaxWork)});
  if (selection >= step) step = selection / std::floor(selection / step) * (1 + 1e-15);
  return {step, static_cast<std::int64_t>(std::floor((epsilon_low - reach) / step)),
          static_cast<std::int64_t>(std::ceil((epsilon_high + reach) / step))};
}

// REQUIRES: not empty.
PrivacyProfile ProfileOf(std::span<const Step> grouped, const Lattice& lattice) {
  PrivacyProfile profile(lattice);
  std::map<std::pair<Rational, std::int64_t>, LossDistribution> known;
  for (std::size_t remaining = grouped.size(); remaining > 0; --remaining) {
    const Step& step = grouped[remaining - 1];
    if (const auto* mu = std::get_if<Mu>(&step)) {
      profile.ApplyLoss(ContinuousGaussianLoss(*mu, lattice.step));
    } else if (const auto* gaussian = std::get_if<GaussianMechanism>(&step)) {
      const std::pair key(gaussian->sigma_squared, gaussian->sensitivity_squared);
      auto found = known.find(key);
      if (found == known.end()) found = known.emplace(key, DiscreteGaussianLoss(*gaussian, lattice.step)).first;
      profile.ApplyLoss(found->second);
    } else if (const auto* split = std::get_if<SplitGaussian>(&step)) {
      profile.ApplyWorstLoss(LossesOfEveryResolution(split->mechanism, lattice.step));
      profile.ApplyLoss(DeviationLoss(split->mechanism, lattice.step));
    } else {
      profile.ApplyBoundedRange(std::get<ExponentialMechanism>(step).epsilon.ToDouble() * (1 + 1e-15));
    }
  }
  return profile;
}

absl::StatusOr<GaussianMechanism> Scaled(const GaussianMechanism& gaussian, double scale) {
  ASSIGN_OR_RETURN(const Rational variance, Rational::RoundUp(gaussian.sigma_squared.ToDouble() * scale * scale));
  return GaussianMechanism{variance, gaussian.sensitivity_squared};
}

absl::Status AppendScaled(const Step& step, double scale, std::vector<Step>& scaled) {
  if (const auto* mu = std::get_if<Mu>(&step)) {
    ASSIGN_OR_RETURN(const Mu scaled_mu, Mu::Create(mu->value() / scale));
    scaled.emplace_back(scaled_mu);
  } else if (const auto* gaussian = std::get_if<GaussianMechanism>(&step)) {
    ASSIGN_OR_RETURN(const GaussianMechanism mechanism, Scaled(*gaussian, scale));
    scaled.emplace_back(mechanism);
  } else if (const auto* split = std::get_if<SplitGaussian>(&step)) {
    ASSIGN_OR_RETURN(const GaussianMechanism mechanism, Scaled(split->mechanism, scale));
    scaled.emplace_back(SplitGaussian{mechanism});
  } else {
    const auto& exponential = std::get<ExponentialMechanism>(step);
    ASSIGN_OR_RETURN(const Rational epsilon, Rational::RoundDown(exponential.epsilon.ToDouble() / scale));
    scaled.emplace_back(ExponentialMechanism{epsilon, exponential.sensitivity});
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> Fits(std::span<const Step> steps, double scale, const PrivacyBudget& budget) {
  ASSIGN_OR_RETURN(const std::vector<Step> scaled, ScaleNoise(steps, scale));
  for (const Step& step : scaled) {
    if (const auto* split = std::get_if<SplitGaussian>(&step); split != nullptr && !CanBeSplit(*split)) return false;
  }
  ASSIGN_OR_RETURN(const double delta, BestDelta(scaled, budget.epsilon()));
  return delta <= budget.delta();
}

// From `scale` upwards. What fits under zCDP fits with more noise too, so there is an end.
absl::StatusOr<double> FirstThatFits(std::span<const Step> steps, double scale, const PrivacyBudget& budget) {
  for (;; scale *= 1 + 1e-3) {
    ASSIGN_OR_RETURN(const bool fits, Fits(steps, scale, budget));
    if (fits) return scale;
  }
}

}  // namespace

absl::StatusOr<double> ExactDelta(std::span<const Step> steps, double epsilon) {
  if (!(epsilon >= 0 && epsilon <= 1000)) return InvalidArgument("epsilon is {}; it must be in [0, 1000]", epsilon);
  RETURN_IF_ERROR(ValidateSteps(steps));
  const std::vector<Step> grouped = Grouped(steps);
  if (grouped.empty()) return 0.0;
  return ProfileOf(grouped, ChooseLattice(grouped, epsilon, epsilon)).DeltaAt(epsilon);
}

absl::StatusOr<double> ExactEpsilon(std::span<const Step> steps, double delta) {
  if (!(delta >= 1e-15 && delta < 1)) return InvalidArgument("delta is {}; it must be in [1e-15, 1)", delta);
  RETURN_IF_ERROR(ValidateSteps(steps));
  const std::vector<Step> grouped = Grouped(steps);
  if (grouped.empty()) return 0.0;
  const double zcdp_epsilon = EpsilonOf(ZcdpCost(steps), delta);
  return ProfileOf(grouped, ChooseLattice(grouped, 0, zcdp_epsilon)).EpsilonAt(delta);
}

absl::StatusOr<double> BestDelta(std::span<const Step> steps, double epsilon) {
  ASSIGN_OR_RETURN(const double exact, ExactDelta(steps, epsilon));
  return std::min(exact, DeltaOf(ZcdpCost(steps), epsilon));
}

absl::StatusOr<std::vector<Step>> ScaleNoise(std::span<const Step> steps, double scale) {
  if (!(scale > 0 && std::isfinite(scale))) return InvalidArgument("the noise scale is {}; it must be positive", scale);
  std::vector<Step> scaled;
  scaled.reserve(steps.size());
  for (const Step& step : steps) RETURN_IF_ERROR(AppendScaled(step, scale, scaled));
  return scaled;
}

absl::StatusOr<double> CalibrateNoise(std::span<const Step> steps, const PrivacyBudget& budget, double least) {
  RETURN_IF_ERROR(ValidateSteps(steps));
  const double cost = ZcdpCost(steps).ToDouble();
  if (cost == 0)
    return InvalidArgument("the schedule releases nothing that costs anything; there is no noise to scale");
  ASSIGN_OR_RETURN(double enough,
                   FirstThatFits(steps, std::sqrt(cost / RhoFor(budget).ToDouble()) * (1 + 1e-6), budget));
  double too_little = enough / 2;
  for (;;) {
    ASSIGN_OR_RETURN(const bool fits, Fits(steps, too_little, budget));
    if (!fits) break;
    enough = std::exchange(too_little, too_little / 2);
  }
  while (enough > too_little * (1 + 1e-4)) {
    const double middle = std::sqrt(enough * too_little);
    ASSIGN_OR_RETURN(const bool fits, Fits(steps, middle, budget));
    (fits ? enough : too_little) = middle;
  }
  return enough >= least ? enough : FirstThatFits(steps, least, budget);
}

}  // namespace flaim
