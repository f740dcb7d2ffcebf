#include <cstdint>
#include <vector>

#include "base/status.h"
#include "privacy/ledger/ledger.h"
#include "privacy/release/release.h"
#include "privacy/release/sum_permit.h"

// Never linked or run: see CMakeLists.txt. Each function differs from Paid in what its name says, and in nothing else.

namespace flaim {

const GaussianMechanism kMechanism{.sigma_squared = Rational(400, 1)};

#if defined(PAID_RELEASE)
absl::StatusOr<NoisyCounts> Paid(Ledger& ledger, const std::vector<std::int64_t>& counts, RandomSource& noise) {
  ASSIGN_OR_RETURN(auto spend, ledger.Debit({"run", 0, "age"}, kMechanism));
  return ReleaseGaussian(std::move(spend), counts, noise);
}
#elif defined(RELEASE_WITHOUT_SPEND)
absl::StatusOr<NoisyCounts> Unpaid(Ledger&, const std::vector<std::int64_t>& counts, RandomSource& noise) {
  return ReleaseGaussian(kMechanism, counts, noise);
}
#elif defined(HOME_MADE_SPEND)
absl::StatusOr<NoisyCounts> Forged(Ledger&, const std::vector<std::int64_t>& counts, RandomSource& noise) {
  Spend<GaussianMechanism> spend(nullptr, kMechanism, 1, std::nullopt);
  return ReleaseGaussian(std::move(spend), counts, noise);
}
#elif defined(COPIED_SPEND)
absl::StatusOr<NoisyCounts> Twice(Ledger& ledger, const std::vector<std::int64_t>& counts, RandomSource& noise) {
  ASSIGN_OR_RETURN(auto spend, ledger.Debit({"run", 0, "age"}, kMechanism));
  return ReleaseGaussian(spend, counts, noise);
}
#elif defined(OTHER_MECHANISM)
absl::StatusOr<NoisyChoice> Mistaken(Ledger& ledger, const std::vector<std::int64_t>& counts, RandomSource& noise) {
  ASSIGN_OR_RETURN(auto spend, ledger.Debit({"run", 0, "age"}, kMechanism));
  return ReleaseExponential(std::move(spend), counts, noise);
}
#elif defined(OTHER_NOISE)
absl::StatusOr<NoisyCounts> Quieter(Ledger& ledger, const std::vector<std::int64_t>& counts, RandomSource& noise) {
  ASSIGN_OR_RETURN(auto spend, ledger.Debit({"run", 0, "age"}, kMechanism));
  return ReleaseGaussian(std::move(spend), counts, noise, Rational(1, 1));
}
#elif defined(PAID_CONTRIBUTION)
absl::StatusOr<SumPermit> PaidForSum(Ledger& ledger) {
  ASSIGN_OR_RETURN(auto spend, ledger.Debit({"run", 0, "age"}, kMechanism));
  return ReleaseIntoSum(std::move(spend), SumName{}, "secure");
}
#elif defined(CONTRIBUTION_WITHOUT_SPEND)
absl::StatusOr<SumPermit> UnpaidForSum(Ledger&) { return ReleaseIntoSum(kMechanism, SumName{}, "secure"); }
#elif defined(CONTRIBUTION_OF_A_USED_SPEND)
absl::StatusOr<SumPermit> SpentTwice(Ledger& ledger) {
  ASSIGN_OR_RETURN(auto spend, ledger.Debit({"run", 0, "age"}, kMechanism));
  return ReleaseIntoSum(spend, SumName{}, "secure");
}
#elif defined(HOME_MADE_PERMIT)
SumPermit ForgedPermit() { return SumPermit(kMechanism); }
#elif defined(COPIED_PERMIT)
SumPermit CopyOf(const SumPermit& permit) { return permit; }
#else
#error "one case must be chosen"
#endif

}  // namespace flaim
