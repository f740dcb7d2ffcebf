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

const std::optional<RoundSpending>& ParticipationCheck::PlannedRound(int marginals) const {
  const auto [round, is_new] = rounds_.try_emplace(marginals);
  if (is_new) round->second = plan_->Clone()->Next(static_cast<std::size_t>(marginals)).value_or(std::nullopt);
  return round->second;
}

absl::Status ParticipationCheck::Check(const std::vector<CountsRequest>& before, const CountsRequest& next) const {
  for (const CountsRequest& request : before) {
    if (request.round_marginals != next.round_marginals) return NotPlanned("the round has changed on the way");
    if (!IsOneWays(request)) return NotPlanned("the marginals come last, and in one sum");
    if (IsOneWays(next)) return NotPlanned("the one-way marginals are measured once");
  }
  const std::optional<RoundSpending>& round = PlannedRound(next.round_marginals);
  if (!round) return NotPlanned("no round has so many marginals");
  if (IsOneWays(next)) {
    return next.sigma_squared == round->one_way_sigma_squared ? absl::OkStatus()
                                                              : NotPlanned("other noise in the one-way marginals");
  }
  if (std::ssize(next.cliques) > next.round_marginals) return NotPlanned("more marginals than the round has");
  return next.sigma_squared == round->sigma_squared ? absl::OkStatus() : NotPlanned("other noise in the marginals");
}

}  // namespace flaim
