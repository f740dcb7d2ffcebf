#include "algorithms/spending/round_shape.h"

#include <cmath>

#include "algorithms/spending/parts.h"
#include "base/status.h"

namespace flaim {

RoundShape::RoundShape(const Method& method, int attributes) : method_(method), attributes_(attributes) {
  one_ways_at_first_ = method.one_ways == OneWays::kFirstRound ? attributes : 0;
  one_ways_ = method.one_ways == OneWays::kEveryRound ? attributes : 0;
  measured_ = one_ways_;
  if (method.selection == Selection::kNone) return;
  measured_ += method.local_steps;
  if (MeasuresLocally()) measured_ += method.local_steps - 1;
  if (method.selection == Selection::kRandom) return;
  selections_ = method.local_steps;
  measurement_share_ = 1 - method.selection_share;
}

bool RoundShape::MeasuresLocally() const {
  return method_.selection == Selection::kLocal && method_.stepping == LocalStepping::kMeasuring;
}

absl::StatusOr<RoundSpending> RoundShape::Round(double rho_of_marginal, double rho_of_selection) const {
  RoundSpending round;
  ASSIGN_OR_RETURN(const Rational sigma_squared, SigmaSquaredFor(rho_of_marginal, 1));
  if (one_ways_ > 0) round.one_way_sigma_squared = sigma_squared;
  if (method_.selection == Selection::kNone) return round;
  round.sigma_squared = sigma_squared;
  round.selections = 1;
  round.choices = method_.local_steps;
  round.measured = round.choices;
  if (selections_ == 0) return round;
  ASSIGN_OR_RETURN(round.epsilon, EpsilonFor(rho_of_selection));
  round.score_rho = rho_of_selection * selections_;
  return round;
}

double RoundShape::RhoOfSelection(const RoundSpending& round) const {
  return std::pow(round.epsilon.ToDouble(), 2) / 8;
}

Rho RoundShape::RoundingOfRound() const { return Rho::FromUnits(4 + 2 * method_.local_steps); }

Rho RoundShape::CostOfRound(const RoundSpending& round) const {
  Rho cost;
  const auto add = [&](const Mechanism& mechanism) { cost = cost + CostOf(mechanism); };
  if (round.one_way_sigma_squared) add(GaussianMechanism{*round.one_way_sigma_squared, attributes_});
  if (!round.sigma_squared) return cost;
  add(GaussianMechanism{*round.sigma_squared, round.choices});
  for (int choice = 0; choice < round.choices; ++choice) {
    if (method_.selection == Selection::kLocal || method_.selection == Selection::kScoreOfSum) {
      add(ExponentialMechanism{round.epsilon});
    }
    if (MeasuresLocally() && choice > 0) add(GaussianMechanism{*round.sigma_squared});
  }
  if (method_.selection == Selection::kSummedScores) cost = cost + Rho::RoundUp(round.score_rho);
  return cost;
}

}  // namespace flaim
