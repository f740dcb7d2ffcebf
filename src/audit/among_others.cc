#include "audit/among_others.h"

#include "base/status.h"

namespace flaim {
namespace {

// So many that neither the client nor noise moves everybody's shares by as much as a row of the client.
constexpr std::int64_t kRowsOfOthers = 1 << 22;

}  // namespace

absl::StatusOr<NoisyMarginals> AmongOthers::SumCounts(const CountsRequest& request) {
  ASSIGN_OR_RETURN(NoisyMarginals sum, one_.SumCounts(request));
  if (request.contributors == Contributors::kChoosers) return sum;
  for (NoisyMarginal& marginal : sum.marginals) {
    for (std::int64_t& count : marginal.counts) count += kRowsOfOthers / std::ssize(marginal.counts);
  }
  return sum;
}

}  // namespace flaim
