#include "algorithms/spending/spending.h"

#include <cmath>

#include "algorithms/spending/annealed.h"
#include "algorithms/spending/equal.h"
#include "algorithms/spending/participation.h"
#include "algorithms/spending/parts.h"
#include "base/status.h"
#include "marginal/sensitivity.h"

namespace flaim {

double RoundSpending::Sigma() const { return sigma_squared ? std::sqrt(sigma_squared->ToDouble()) : 0; }

absl::StatusOr<Rational> RoundSpending::ScoreSigmaSquared(std::size_t candidates) const {
  return SigmaSquaredFor(score_rho, static_cast<double>(SummedScoresSensitivitySquared(candidates)));
}

absl::StatusOr<std::unique_ptr<SpendingPlan>> MakeSpendingPlan(const Method& method, const PrivacyBudget& budget,
                                                               int attributes, SumNoise noise) {
  RETURN_IF_ERROR(CheckMethod(method));
  if (std::holds_alternative<ChooseThenMeasure>(method.rounds)) {
    return ParticipationSpending::Create(method, budget, attributes, noise);
  }
  if (std::holds_alternative<Annealed>(method.rounds)) return AnnealedSpending::Create(method, budget, attributes);
  return EqualSpending::Create(method, budget, attributes, noise);
}

}  // namespace flaim
