#include "audit/claim.h"

#include "base/overloaded.h"
#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

Rho CostOfStep(const Step& step) {
  return std::visit(Overloaded{[](const Mu& mu) { return Rho::RoundUp(mu.value() * mu.value() / 2); },
                               [](const SplitGaussian& split) { return CostOf(split.mechanism); },
                               [](const auto& mechanism) { return CostOf(mechanism); }},
                    step);
}

}  // namespace

Claim ClaimOfRho(const PrivacyBudget& promised, Rho rho) {
  return {.promised = promised, .delta = DeltaOf(rho, promised.epsilon()), .rho = rho, .curve = TradeOff::OfRho(rho)};
}

absl::StatusOr<Claim> ClaimOfSchedule(const PrivacyBudget& promised, const std::vector<Step>& steps) {
  Rho rho;
  for (const Step& step : steps) rho = rho + CostOfStep(step);
  ASSIGN_OR_RETURN(const double delta, BestDelta(steps, promised.epsilon()));
  ASSIGN_OR_RETURN(TradeOff curve, TradeOff::OfSchedule(steps));
  return Claim{.promised = promised, .delta = delta, .rho = rho, .curve = std::move(curve)};
}

absl::StatusOr<Claim> ClaimOfOnce(const PrivacyBudget& promised, const SpendingPlan& plan, int attributes,
                                  std::size_t watched) {
  ASSIGN_OR_RETURN(const std::optional<RoundSpending> round, plan.Clone()->Next(watched));
  return ClaimOfSchedule(promised, {SplitGaussian{{*round->one_way_sigma_squared, attributes}},
                                    SplitGaussian{{*round->sigma_squared, static_cast<std::int64_t>(watched)}}});
}

}  // namespace flaim
