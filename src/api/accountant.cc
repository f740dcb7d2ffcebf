#include "flaim/accountant.h"

#include "api/error.h"
#include "base/status.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/budget/charge.h"

namespace flaim::api {
namespace {

constexpr double kLargestRho = 1000;

absl::StatusOr<double> RhoOfNoise(double sigma, int marginals) {
  if (!(sigma > 0) || marginals < 1) return InvalidArgument("sigma and the number of marginals must be positive");
  ASSIGN_OR_RETURN(const Rational sigma_squared, Rational::RoundDown(sigma * sigma));
  return CostOf(GaussianMechanism{sigma_squared, marginals}).ToDouble();
}

}  // namespace

Result<double> EpsilonOf(double rho, double delta) {
  if (!(rho >= 0 && rho <= kLargestRho)) return Error{ErrorKind::kRefused, "rho must be from 0 to 1000"};
  if (!(delta > 0 && delta < 1)) return Error{ErrorKind::kRefused, "delta must be between 0 and 1"};
  return flaim::EpsilonOf(Rho::RoundUp(rho), delta);
}

Result<double> RhoFor(double epsilon, double delta) {
  const absl::StatusOr<PrivacyBudget> budget = PrivacyBudget::Create(epsilon, delta);
  if (!budget.ok()) return ErrorOf(budget.status());
  return flaim::RhoFor(*budget).ToDouble();
}

Result<double> RhoOfGaussian(double sigma, int marginals) { return ResultOf(RhoOfNoise(sigma, marginals)); }

}  // namespace flaim::api
