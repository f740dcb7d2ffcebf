#include <cstdint>
#include <vector>

#include "base/status.h"
#include "privacy/ledger/ledger.h"
#include "privacy/release/release.h"
#include "privacy/release/sum_permit.h"
#include "secagg/protocol/contribution.h"

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
SumPermit ForgedPermit() { return SumPermit(SumName{}, kMechanism); }
#elif defined(COPIED_PERMIT)
SumPermit CopyOf(const SumPermit& permit) { return permit; }
#elif defined(PAID_COUNTS)
secagg::ContributionSource PaidCountsOf(SumPermit& permit) {
  return [&permit] { return secagg::PaidCounts(std::move(permit)); };
}
#elif defined(BARE_COUNTS)
secagg::ContributionSource BareCountsOf(SumPermit&) {
  return [] { return std::vector<std::vector<std::int64_t> >{{1}}; };
}
#elif defined(HOME_MADE_COUNTS)
secagg::ContributionSource ForgedCountsOf(SumPermit&) {
  return [] { return secagg::PaidCounts(); };
}
#elif defined(COUNTS_OF_A_COPIED_PERMIT)
secagg::ContributionSource TwicePaidCountsOf(SumPermit& permit) {
  return [&permit] { return secagg::PaidCounts(permit); };
}
#elif defined(COPIED_COUNTS)
secagg::PaidCounts CopyOf(const secagg::PaidCounts& counts) { return counts; }
#else
#error "one case must be chosen"
#endif

}  // namespace flaim
