#include "algorithms/spending/participation_check.h"

#include <algorithm>
#include <optional>

#include "base/status.h"

namespace flaim {
namespace {

absl::Status NotPlanned(const char* what) {
  return absl::PermissionDeniedError(fmt::format("the request is not a step of the study's plan: {}", what));
}

}  // namespace

bool ParticipationCheck::Covers(const Method& method) {
  const bool releases_counts_only = method.selection == Selection::kNone || method.selection == Selection::kNoisySums;
  return releases_counts_only && std::holds_alternative<ChooseThenMeasure>(method.rounds) &&
         method.participation_cap == 1 && method.membership == Membership::kPresent;
}

bool ParticipationCheck::IsOneWays(const CountsRequest& request) const {
  return std::ssize(request.cliques) == attributes_ &&
         std::all_of(request.cliques.begin(), request.cliques.end(),
                     [](const Clique& clique) { return clique.size() == 1; });
}

absl::Status ParticipationCheck::Check(const std::vector<CountsRequest>& before, const CountsRequest& next) const {
  std::optional<Rational> one_ways;
  std::optional<Rational> least_noise;
  std::size_t marginals = 0;
  const auto count = [&](const CountsRequest& request) -> absl::Status {
    if (IsOneWays(request)) {
      if (one_ways) return NotPlanned("the one-way marginals are measured once");
      one_ways = request.sigma_squared;
      return absl::OkStatus();
    }
    marginals += request.cliques.size();
    least_noise = least_noise ? std::min(*least_noise, request.sigma_squared) : request.sigma_squared;
    return absl::OkStatus();
  };
  for (const CountsRequest& request : before) RETURN_IF_ERROR(count(request));
  RETURN_IF_ERROR(count(next));

  // All that was asked for up to now is held against the round of just as many marginals; if more follow, everything is
  // held against theirs. A round whose marginals come in several requests may be refused although it is planned,
  // because the exact accountant's noise for the one-ways does not quite grow with them; flaim-once asks for them in
  // one.
  ASSIGN_OR_RETURN(const std::optional<RoundSpending> round, plan_->Clone()->Next(marginals));
  if (!round) return NotPlanned("the plan has no rounds");
  if (marginals > 0 && (!round->sigma_squared || *least_noise < *round->sigma_squared)) {
    return NotPlanned("too little noise for so many marginals");
  }
  if (one_ways && (!round->one_way_sigma_squared || *one_ways < *round->one_way_sigma_squared)) {
    return NotPlanned("too little noise in the one-way marginals");
  }
  return absl::OkStatus();
}

}  // namespace flaim
