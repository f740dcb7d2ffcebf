#include "algorithms/aim/budget_schedule.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/status.h"
#include "privacy/budget/budget_refusal.h"

namespace flaim {
namespace {

// Costs are rounded up to whole units: this many in all for a plan of equal rounds.
Rho WithoutRounding(Rho allowance, std::int64_t charges) {
  return Rho::FromUnits(std::max<std::int64_t>(0, allowance.units() - charges));
}

absl::StatusOr<RoundBudget> Round(double measurement_rho, double selection_rho) {
  ASSIGN_OR_RETURN(const Rational sigma_squared, Rational::RoundUp(1 / (2 * measurement_rho)));
  ASSIGN_OR_RETURN(const Rational epsilon, Rational::RoundDown(std::sqrt(8 * selection_rho)));
  return RoundBudget{epsilon, sigma_squared};
}

}  // namespace

Rho RoundBudget::Cost() const {
  return CostOf(GaussianMechanism{sigma_squared}) + CostOf(ExponentialMechanism{epsilon});
}

double RoundBudget::Sigma() const { return std::sqrt(sigma_squared.ToDouble()); }

absl::StatusOr<BudgetSchedule> BudgetSchedule::Create(Rho allowance, int attributes, const RoundPlan& plan) {
  CHECK(attributes > 0);
  const FixedRounds* fixed = std::get_if<FixedRounds>(&plan);
  const double rounds = fixed != nullptr ? fixed->rounds : std::get<Annealed>(plan).rounds_per_attribute * attributes;
  if (!(rounds >= 1) || rounds > 1e6) return InvalidArgument("the number of rounds must be between 1 and 1000000");
  const double rho = WithoutRounding(allowance, static_cast<std::int64_t>(2 * rounds) + 4).ToDouble();
  const double measurements = fixed != nullptr ? rounds + attributes : rounds;
  const absl::StatusOr<RoundBudget> round =
      Round(kMeasurementShare * rho / measurements, (1 - kMeasurementShare) * rho / rounds);
  if (!(rho > 0) || !round.ok() || round->epsilon.numerator() == 0) {
    return BudgetRefused("a budget of rho {:.3g} is too small for {} one-way marginals. Raise --epsilon",
                         allowance.ToDouble(), attributes);
  }
  const GaussianMechanism one_ways{round->sigma_squared, attributes};
  if (CostOf(one_ways) + round->Cost() > allowance) {
    return BudgetRefused(
        "the {} one-way marginals cost rho {:.3g}, which leaves no round of the budget of {:.3g}. Plan more rounds",
        attributes, CostOf(one_ways).ToDouble(), allowance.ToDouble());
  }
  return BudgetSchedule(allowance, one_ways, *round, fixed != nullptr ? std::optional(fixed->rounds) : std::nullopt);
}

BudgetSchedule::BudgetSchedule(Rho allowance, const GaussianMechanism& one_ways, const RoundBudget& round,
                               std::optional<int> rounds_left)
    : allowance_(allowance),
      left_(allowance - CostOf(one_ways)),
      one_ways_(one_ways),
      round_(round),
      rounds_left_(rounds_left) {}

std::optional<RoundBudget> BudgetSchedule::Next() {
  if (is_over_) return std::nullopt;
  if (rounds_left_.has_value()) {
    round_.is_last = --*rounds_left_ == 0;
  } else if (left_ < round_.Cost() + round_.Cost()) {
    SpendAllThatIsLeft();
  }
  is_over_ = round_.is_last;
  CHECK(round_.Cost() <= left_, "a round costs more than is left");
  left_ = left_ - round_.Cost();
  return round_;
}

void BudgetSchedule::SpendAllThatIsLeft() {
  const double rho = WithoutRounding(left_, 4).ToDouble();
  const absl::StatusOr<RoundBudget> last = Round(kMeasurementShare * rho, (1 - kMeasurementShare) * rho);
  // What is left pays for at least the round before, so it can be expressed as that one could.
  CHECK(last.ok(), "{}", last.status().ToString());
  round_ = *last;
  round_.is_last = true;
}

void BudgetSchedule::Observe(bool improved) {
  if (rounds_left_.has_value() || improved || is_over_) return;
  const absl::StatusOr<RoundBudget> finer =
      Round(4 / (2 * round_.sigma_squared.ToDouble()), 4 * std::pow(round_.epsilon.ToDouble(), 2) / 8);
  if (finer.ok()) round_ = *finer;
}

}  // namespace flaim
