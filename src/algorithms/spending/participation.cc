#include "algorithms/spending/participation.h"

#include <algorithm>
#include <cmath>

#include "algorithms/spending/parts.h"
#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {

ParticipationSpending::ParticipationSpending(const Method& method, const PrivacyBudget& budget, int attributes,
                                             SumNoise noise)
    : method_(method),
      plan_(std::get<ChooseThenMeasure>(method.rounds)),
      budget_(budget),
      allowance_(RhoFor(budget)),
      attributes_(attributes),
      noise_(noise) {
  plan_.choosing_rounds = std::min(plan_.choosing_rounds, plan_.rounds);
  participations_ =
      method.membership == Membership::kPool ? plan_.rounds : std::min(plan_.rounds, method.participation_cap);
}

absl::StatusOr<std::unique_ptr<SpendingPlan>> ParticipationSpending::Create(const Method& method,
                                                                            const PrivacyBudget& budget, int attributes,
                                                                            SumNoise noise) {
  std::unique_ptr<ParticipationSpending> plan(new ParticipationSpending(method, budget, attributes, noise));
  if (method.accounting == Accounting::kExact && plan->participations_ > 1) {
    return InvalidArgument("the exact accountant knows one participation of FLAIM-Once: a pool has one in each round");
  }
  // Whatever cannot be paid for is noticed before the first client is asked.
  ParticipationSpending rehearsal = *plan;
  RETURN_IF_ERROR(rehearsal.Next(0).status());
  plan->scale_of_shape_ = std::move(rehearsal.scale_of_shape_);
  return plan;
}

ClientTerms ParticipationSpending::client_terms() const {
  if (method_.accounting != Accounting::kExact) return {allowance_, method_.participation_cap};
  // No schedule of this promise has less noise than a composition of continuous Gaussians.
  const double share = SigmaShareOfZcdp(budget_);
  return {Rho::RoundUp(allowance_.ToDouble() / (share * share)), method_.participation_cap};
}

int ParticipationSpending::ChoicesIn(int round) const {
  // What is chosen from noisy sums costs nothing, and is chosen when all groups that watch have.
  if (round >= plan_.choosing_rounds || method_.selection == Selection::kNoisySums) return 0;
  const std::int64_t marginals = plan_.marginals;
  return static_cast<int>(marginals * (round + 1) / plan_.choosing_rounds - marginals * round / plan_.choosing_rounds);
}

void ParticipationSpending::PlanChoices(int choices, RoundSpending& round) const {
  if (choices == 0) return;
  const bool is_one_by_one = method_.selection == Selection::kScoreOfSum;
  const int most = is_one_by_one ? 1 : plan_.choices_at_once > 0 ? plan_.choices_at_once : choices;
  round.selections = (choices + most - 1) / most;
  round.choices = choices / round.selections;
}

bool ParticipationSpending::WatchesNext() const {
  return method_.selection == Selection::kNoisySums && begun_ < plan_.choosing_rounds;
}

absl::StatusOr<std::optional<RoundSpending>> ParticipationSpending::Next(std::size_t known) {
  if (IsOver()) return std::nullopt;
  RoundSpending round;
  PlanChoices(ChoicesIn(begun_), round);
  const int measured = static_cast<int>(known) + round.selections * round.choices;
  // A unit for each cost that is rounded up: one-ways, what was chosen before, and two for each selection.
  const double rho = allowance_.ToDouble() / participations_ - Rho::FromUnits(2 + 2 * round.selections).ToDouble();
  const double choosing_rho = round.selections > 0 ? method_.selection_share * rho : 0;
  const double counting_rho = rho - choosing_rho;
  const double one_way_share = measured > 0 ? plan_.one_way_share : 1;

  round.is_last = ++begun_ == plan_.rounds;
  round.measured = measured;
  ASSIGN_OR_RETURN(round.one_way_sigma_squared, SigmaSquaredFor(one_way_share * counting_rho, attributes_));
  if (measured > 0) {
    ASSIGN_OR_RETURN(round.sigma_squared, SigmaSquaredFor((1 - one_way_share) * counting_rho, measured));
  }
  if (choosing_rho > 0) {
    round.score_rho = choosing_rho / round.selections;
    ASSIGN_OR_RETURN(round.epsilon, EpsilonFor(round.score_rho));
  }
  if (method_.accounting == Accounting::kExact) RETURN_IF_ERROR(UseExactAccountant(static_cast<int>(known), round));
  return round;
}

std::vector<Step> ParticipationSpending::StepsOf(int known, const RoundSpending& round) const {
  const auto sum = [&](const Rational& sigma_squared, int marginals) {
    return StepOfSum({sigma_squared, marginals}, noise_);
  };
  std::vector<Step> steps = {sum(*round.one_way_sigma_squared, attributes_)};
  if (known > 0) steps.push_back(sum(*round.sigma_squared, known));
  for (int selection = 0; selection < round.selections; ++selection) {
    steps.push_back(ExponentialMechanism{round.epsilon});
    steps.push_back(sum(*round.sigma_squared, round.choices));
  }
  return steps;
}

// The client's terms allow for no less noise than continuous Gaussians need.
absl::StatusOr<double> ParticipationSpending::ExactScale(int known, const RoundSpending& round) {
  const std::pair<int, int> shape(known, round.selections);
  if (const auto scale = scale_of_shape_.find(shape); scale != scale_of_shape_.end()) return scale->second;
  ASSIGN_OR_RETURN(const double scale, CalibrateNoise(StepsOf(known, round), budget_, SigmaShareOfZcdp(budget_)));
  return scale_of_shape_[shape] = scale;
}

absl::Status ParticipationSpending::UseExactAccountant(int known, RoundSpending& round) {
  if (round.selections > 0 && method_.selection == Selection::kSummedScores) return absl::OkStatus();
  ASSIGN_OR_RETURN(const double scale, ExactScale(known, round));
  ASSIGN_OR_RETURN(round.one_way_sigma_squared,
                   Rational::RoundUp(round.one_way_sigma_squared->ToDouble() * scale * scale));
  if (round.sigma_squared) {
    ASSIGN_OR_RETURN(round.sigma_squared, Rational::RoundUp(round.sigma_squared->ToDouble() * scale * scale));
  }
  ASSIGN_OR_RETURN(round.epsilon, Rational::RoundDown(round.epsilon.ToDouble() / scale));
  return absl::OkStatus();
}

}  // namespace flaim
