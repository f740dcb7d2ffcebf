#include "algorithms/federated/participation_spending.h"

#include <algorithm>
#include <cmath>

#include "algorithms/federated/spending_parts.h"
#include "base/status.h"
#include "privacy/exact_accountant.h"
#include "privacy/zcdp_accountant.h"

namespace flaim {

ParticipationSpending::ParticipationSpending(const Method& method, const PrivacyBudget& budget, int attributes)
    : method_(method), plan_(std::get<ChooseThenMeasure>(method.rounds)), budget_(budget), attributes_(attributes) {
  plan_.choosing_rounds = std::min(plan_.choosing_rounds, plan_.rounds);
}

absl::StatusOr<std::unique_ptr<SpendingPlan>> ParticipationSpending::Create(const Method& method,
                                                                            const PrivacyBudget& budget,
                                                                            int attributes) {
  std::unique_ptr<ParticipationSpending> plan(new ParticipationSpending(method, budget, attributes));
  // Whatever cannot be paid for is noticed before the first client is asked.
  ParticipationSpending rehearsal = *plan;
  RETURN_IF_ERROR(rehearsal.Next(0).status());
  return plan;
}

ClientTerms ParticipationSpending::client_terms() const {
  const Rho allowance = RhoFor(budget_);
  if (method_.accounting != Accounting::kExact) return {allowance, method_.participation_cap};
  // No schedule of this promise has less noise than a composition of continuous Gaussians.
  const double share = SigmaShareOfZcdp(budget_);
  return {Rho::RoundUp(allowance.ToDouble() / (share * share)), method_.participation_cap};
}

int ParticipationSpending::ChoicesIn(int round) const {
  if (round >= plan_.choosing_rounds) return 0;
  return plan_.marginals * (round + 1) / plan_.choosing_rounds - plan_.marginals * round / plan_.choosing_rounds;
}

absl::StatusOr<std::optional<RoundSpending>> ParticipationSpending::Next(std::size_t chosen) {
  if (begun_ == plan_.rounds) return std::nullopt;
  const int choices = ChoicesIn(begun_);
  const int measured = static_cast<int>(chosen) + choices;
  const double rho = RhoFor(budget_).ToDouble() / method_.participation_cap;
  const double choosing_rho = choices > 0 ? method_.selection_share * rho : 0;
  const double counting_rho = rho - choosing_rho;
  const double one_way_share = measured > 0 ? plan_.one_way_share : 1;

  RoundSpending round;
  round.is_last = ++begun_ == plan_.rounds;
  ASSIGN_OR_RETURN(round.one_way_sigma_squared, SigmaSquaredFor(one_way_share * counting_rho, attributes_));
  if (measured > 0) {
    ASSIGN_OR_RETURN(round.sigma_squared, SigmaSquaredFor((1 - one_way_share) * counting_rho, measured));
  }
  if (choices > 0) {
    const int at_once = plan_.choices_at_once > 0 ? std::min(plan_.choices_at_once, choices) : choices;
    round.choices = method_.selection == Selection::kScoreOfSum ? 1 : at_once;
    round.selections = (choices + round.choices - 1) / round.choices;
    round.score_rho = choosing_rho / round.selections;
    ASSIGN_OR_RETURN(round.epsilon, EpsilonFor(round.score_rho));
  }
  if (method_.accounting == Accounting::kExact) RETURN_IF_ERROR(UseExactAccountant(measured, round));
  return round;
}

absl::Status ParticipationSpending::UseExactAccountant(int measured, RoundSpending& round) const {
  if (round.selections > 0 && method_.selection == Selection::kSummedScores) return absl::OkStatus();
  std::vector<Step> steps;
  for (int participation = 0; participation < method_.participation_cap; ++participation) {
    steps.push_back(GaussianMechanism{*round.one_way_sigma_squared, attributes_});
    for (int i = 0; i < round.selections; ++i) steps.push_back(ExponentialMechanism{round.epsilon});
    if (round.sigma_squared) steps.push_back(GaussianMechanism{*round.sigma_squared, measured});
  }
  ASSIGN_OR_RETURN(const double calibrated, CalibrateNoise(steps, budget_));
  const double scale = std::max(calibrated, SigmaShareOfZcdp(budget_));
  ASSIGN_OR_RETURN(round.one_way_sigma_squared,
                   Rational::RoundUp(round.one_way_sigma_squared->ToDouble() * scale * scale));
  if (round.sigma_squared) {
    ASSIGN_OR_RETURN(round.sigma_squared, Rational::RoundUp(round.sigma_squared->ToDouble() * scale * scale));
  }
  ASSIGN_OR_RETURN(round.epsilon, Rational::RoundDown(round.epsilon.ToDouble() / scale));
  return absl::OkStatus();
}

}  // namespace flaim
