#include "algorithms/federated/equal_spending.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/federated/spending_parts.h"
#include "base/status.h"
#include "privacy/accountants/exact_accountant.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

constexpr int kNoCap = std::numeric_limits<int>::max();
// Half the sensitivity is the same as twice the epsilon, which costs four times as much.
constexpr double kPublishedSelectionCost = 4;
// Exact fractions keep 30 bits.
constexpr double kAfterRounding = 1 - 1e-8;

}  // namespace

bool EqualSpending::MeasuresLocally() const {
  return method_.selection == Selection::kLocal && method_.stepping == LocalStepping::kMeasuring;
}

bool EqualSpending::IsHalved() const { return method_.as_published && method_.selection == Selection::kLocal; }

EqualSpending::EqualSpending(const Method& method, int attributes) : method_(method), attributes_(attributes) {
  shape_.one_ways = method.one_ways == OneWays::kEveryRound ? attributes : 0;
  shape_.measured = shape_.one_ways;
  if (method.selection == Selection::kNone) return;
  shape_.measured += method.local_steps;
  if (MeasuresLocally() && !method.as_published) shape_.measured += method.local_steps - 1;
  if (method.selection == Selection::kRandom) return;
  shape_.selections = method.local_steps;
  shape_.measurement_share = 1 - method.selection_share;
}

absl::StatusOr<RoundSpending> EqualSpending::Round(double rho_of_marginal, double rho_of_selection) const {
  RoundSpending round;
  ASSIGN_OR_RETURN(const Rational sigma_squared, SigmaSquaredFor(rho_of_marginal, 1));
  if (shape_.one_ways > 0) round.one_way_sigma_squared = sigma_squared;
  if (method_.selection == Selection::kNone) return round;
  round.sigma_squared = sigma_squared;
  round.selections = 1;
  round.choices = method_.local_steps;
  round.measured = round.choices;
  if (shape_.selections == 0) return round;
  ASSIGN_OR_RETURN(round.epsilon, EpsilonFor(rho_of_selection * (IsHalved() ? kPublishedSelectionCost : 1)));
  round.score_rho = rho_of_selection * shape_.selections;
  return round;
}

Rho EqualSpending::RoundingOfRound() const { return Rho::FromUnits(4 + 2 * method_.local_steps); }

Rho EqualSpending::CostOfRound(const RoundSpending& round) const {
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

absl::StatusOr<std::unique_ptr<SpendingPlan>> EqualSpending::Create(const Method& method, const PrivacyBudget& budget,
                                                                    int attributes) {
  std::unique_ptr<EqualSpending> plan(new EqualSpending(method, attributes));
  const Shape& shape = plan->shape_;
  const Rho allowance = RhoFor(budget);
  const FixedRounds* fixed = std::get_if<FixedRounds>(&method.rounds);
  const bool has_rounds = shape.measured > 0;
  const double rounds =
      fixed != nullptr ? fixed->rounds : std::get<Annealed>(method.rounds).rounds_per_attribute * attributes;
  const bool is_capped = method.accounting != Accounting::kPaper && method.membership == Membership::kPresent;
  const double rounds_paid = is_capped ? std::min<double>(rounds, method.participation_cap) : rounds;
  const int one_ways_at_first = method.one_ways == OneWays::kFirstRound ? attributes : 0;

  const double rho = allowance.ToDouble() - (1 + rounds_paid) * plan->RoundingOfRound().ToDouble();
  const double marginals_paid = one_ways_at_first + (has_rounds ? rounds_paid * shape.measured : 0);
  const double rho_of_marginal = shape.measurement_share * rho / marginals_paid;
  const double rho_of_selection =
      shape.selections == 0 ? 0 : (1 - shape.measurement_share) * rho / (rounds_paid * shape.selections);
  if (has_rounds) {
    ASSIGN_OR_RETURN(plan->round_, plan->Round(rho_of_marginal, rho_of_selection));
    plan->rounds_ = static_cast<int>(std::lround(rounds));
    if (fixed != nullptr) plan->rounds_left_ = plan->rounds_;
  }
  if (one_ways_at_first > 0 || method.as_published) {
    plan->initialisation_.emplace();
    ASSIGN_OR_RETURN(plan->initialisation_->one_way_sigma_squared, SigmaSquaredFor(rho_of_marginal, 1));
  }

  plan->terms_ = {allowance, is_capped ? method.participation_cap : kNoCap};
  if (method.accounting == Accounting::kExact) {
    RETURN_IF_ERROR(plan->UseExactAccountant(budget, static_cast<int>(rounds_paid)));
  }
  Rho asked_for;
  if (plan->initialisation_) asked_for = plan->CostOfRound(*plan->initialisation_);
  if (fixed == nullptr) plan->left_ = allowance - std::min(allowance, asked_for);
  if (fixed != nullptr && has_rounds) {
    const Rho round = plan->CostOfRound(*plan->round_);
    for (int i = 0; i < static_cast<int>(rounds_paid); ++i) asked_for = asked_for + round;
  }
  plan->terms_.allowance = std::max(plan->terms_.allowance, asked_for);
  return plan;
}

absl::Status EqualSpending::UseExactAccountant(const PrivacyBudget& budget, int rounds_paid) {
  std::vector<Step> steps;
  if (initialisation_) steps.push_back(GaussianMechanism{*initialisation_->one_way_sigma_squared, attributes_});
  for (int i = 0; round_ && i < rounds_paid; ++i) {
    if (round_->one_way_sigma_squared) steps.push_back(GaussianMechanism{*round_->one_way_sigma_squared, attributes_});
    if (!round_->sigma_squared) continue;
    for (int choice = 0; choice < shape_.selections; ++choice) {
      if (MeasuresLocally() && choice > 0) steps.push_back(GaussianMechanism{*round_->sigma_squared});
      steps.push_back(ExponentialMechanism{round_->epsilon});
    }
    steps.push_back(GaussianMechanism{*round_->sigma_squared, method_.local_steps});
  }
  ASSIGN_OR_RETURN(const double scale, CalibrateNoise(steps, budget));
  const auto scaled = [&](std::optional<Rational>& sigma_squared) -> absl::Status {
    if (!sigma_squared) return absl::OkStatus();
    ASSIGN_OR_RETURN(sigma_squared, Rational::RoundUp(sigma_squared->ToDouble() * scale * scale));
    return absl::OkStatus();
  };
  if (initialisation_) RETURN_IF_ERROR(scaled(initialisation_->one_way_sigma_squared));
  if (!round_) return absl::OkStatus();
  RETURN_IF_ERROR(scaled(round_->one_way_sigma_squared));
  RETURN_IF_ERROR(scaled(round_->sigma_squared));
  ASSIGN_OR_RETURN(round_->epsilon, Rational::RoundDown(round_->epsilon.ToDouble() / scale));
  return absl::OkStatus();
}

absl::StatusOr<std::optional<RoundSpending>> EqualSpending::Next(std::size_t) {
  if (IsOver()) return std::nullopt;
  if (rounds_left_) {
    round_->is_last = --*rounds_left_ == 0;
  } else {
    const Rho cost = CostOfRound(*round_);
    if (left_ < cost + cost) RETURN_IF_ERROR(SpendAllThatIsLeft());
    left_ = left_ - CostOfRound(*round_);
  }
  is_over_ = round_->is_last;
  return round_;
}

absl::Status EqualSpending::SpendAllThatIsLeft() {
  const auto spend = [&](double rho) -> absl::Status {
    const double selection = shape_.selections == 0 ? 0 : (1 - shape_.measurement_share) * rho / shape_.selections;
    ASSIGN_OR_RETURN(round_, Round(shape_.measurement_share * rho / shape_.measured, selection));
    return absl::OkStatus();
  };
  const double rho = left_.ToDouble() - RoundingOfRound().ToDouble();
  RETURN_IF_ERROR(spend(rho));
  // As published, a round costs more than it seems to.
  const double cost = CostOfRound(*round_).ToDouble();
  if (method_.as_published) RETURN_IF_ERROR(spend(rho * rho / std::max(rho, cost) * kAfterRounding));
  round_->is_last = true;
  return absl::OkStatus();
}

void EqualSpending::Observe(bool improved) {
  if (rounds_left_ || improved || is_over_ || !round_->sigma_squared) return;
  const double selection_rho = std::pow(round_->epsilon.ToDouble(), 2) / 8 / (IsHalved() ? kPublishedSelectionCost : 1);
  const absl::StatusOr<RoundSpending> finer = Round(4 / (2 * round_->sigma_squared->ToDouble()), 4 * selection_rho);
  if (finer.ok()) round_ = *finer;
}

double EqualSpending::ShareSpent() const {
  if (rounds_left_) return static_cast<double>(rounds_ - *rounds_left_) / rounds_;
  if (!round_) return 1;
  return 1 - left_.ToDouble() / terms_.allowance.ToDouble();
}

}  // namespace flaim
