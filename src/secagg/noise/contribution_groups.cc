#include "secagg/noise/contribution_groups.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/status.h"

namespace flaim::secagg {
namespace {

absl::StatusOr<std::set<int>> DistinctBlocks(const std::vector<int>& blocks) {
  std::set<int> distinct(blocks.begin(), blocks.end());
  if (distinct.size() != blocks.size()) {
    return InvalidArgument("a block is named twice among the {} that are always counted, or that somebody chose",
                           blocks.size());
  }
  if (!distinct.empty() && *distinct.begin() < 0) return InvalidArgument("{} is not a block", *distinct.begin());
  return distinct;
}

PlannedSum SumOfEverybody(std::vector<int> blocks, const ParticipantBounds& bounds) {
  std::vector<int> everybody(bounds.invited);
  std::iota(everybody.begin(), everybody.end(), 0);
  return {std::move(everybody), std::move(blocks), bounds, false};
}

PlannedSum SumOfChoosers(std::vector<int> choosers, int block, const ParticipantBounds& study,
                         const FailureBits& bits) {
  const int size = static_cast<int>(choosers.size());
  ParticipantBounds bounds{size, std::min(study.dropouts, size - 1), std::min(study.colluders, size - 1)};
  const bool undivided = !ChooseGraph(bounds, bits).ok();
  if (undivided) {
    bounds.colluders = 0;
    while (!ChooseGraph(bounds, bits).ok()) --bounds.dropouts;
  }
  return {std::move(choosers), {block}, bounds, undivided};
}

}  // namespace

absl::StatusOr<std::vector<PlannedSum>> PlanSums(const BlockChoices& choices, const ParticipantBounds& bounds,
                                                 GroupPolicy policy, const FailureBits& bits) {
  if (choices.chosen.size() != static_cast<std::size_t>(bounds.invited)) {
    return InvalidArgument("{} participants chose, but the bounds are of {}", choices.chosen.size(), bounds.invited);
  }
  RETURN_IF_ERROR(ChooseGraph(bounds, bits).status());
  ASSIGN_OR_RETURN(std::set<int> common, DistinctBlocks(choices.always));
  std::map<int, std::vector<int>> choosers;
  for (int participant = 0; participant < bounds.invited; ++participant) {
    ASSIGN_OR_RETURN(const std::set<int> chosen, DistinctBlocks(choices.chosen[participant]));
    for (const int block : chosen) {
      if (!common.contains(block)) choosers[block].push_back(participant);
    }
  }

  std::vector<PlannedSum> sums;
  if (policy == GroupPolicy::kUnion) {
    for (const auto& [block, unused] : choosers) common.insert(block);
  }
  if (!common.empty()) sums.push_back(SumOfEverybody({common.begin(), common.end()}, bounds));
  if (policy == GroupPolicy::kPerBlock) {
    for (auto& [block, group] : choosers) sums.push_back(SumOfChoosers(std::move(group), block, bounds, bits));
  }
  return sums;
}

absl::StatusOr<NoisePlan> PlanNoise(const Rational& sigma_squared, const PlannedSum& sum) {
  return sum.undivided_noise ? NoisePlan::MakeUndivided(sigma_squared) : NoisePlan::Make(sigma_squared, sum.bounds);
}

}  // namespace flaim::secagg
