#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "privacy/numbers/rational.h"
#include "secagg/graph/graph_parameters.h"
#include "secagg/noise/noise_plan.h"

namespace flaim::secagg {

// Who contributes to which blocks of numbers. A block is an opaque index: whoever calls knows what it counts.
struct BlockChoices {
  std::vector<int> always;               // blocks that everybody contributes to
  std::vector<std::vector<int>> chosen;  // of each participant: the blocks that it chose besides
};

enum class GroupPolicy {
  // One sum of everybody over all blocks that anybody contributes to; who did not choose a block adds zeros. Nobody is
  // alone unless only one takes part, the noise is split over everybody, and nobody sees who chose what.
  kUnion,
  // One sum of everybody over the blocks of `always`, and one for each other block over exactly those who chose it.
  // Less
  // to send, more noise: a small group has few to split it over. Shows who chose what.
  kPerBlock,
};

// One secure sum to be run.
struct PlannedSum {
  std::vector<int> participants;  // ascending indices into BlockChoices::chosen
  std::vector<int> blocks;        // ascending
  // Of this group: any of the study's dropouts and colluders may be in it. At least one participant is counted as
  // staying, and one as honest, or there is nothing to protect.
  ParticipantBounds bounds;
  // Everybody adds all of the noise, because no neighbour graph bears the study's bounds in so small a group
  // (ChooseGraph). Each contribution is then protected by its own noise alone; masks come on top, with the bounds that
  // the group can bear: no colluders, and as many of the dropouts as possible.
  bool undivided_noise = false;

  // A sum of one is that participant's contribution: nothing but its own noise protects it.
  bool IsAlone() const { return participants.size() == 1; }

  bool operator==(const PlannedSum&) const = default;
};

// Plans sums that cover every participant's choices, and the blocks of `always` for everybody, exactly once. Blocks of
// `always` need not be chosen, and choosing them changes nothing. `bounds` speaks of the participants in `choices`.
// InvalidArgument if their numbers differ, if a participant names a block twice or a negative one, or if the bounds do
// not even allow a sum of everybody.
absl::StatusOr<std::vector<PlannedSum>> PlanSums(const BlockChoices& choices, const ParticipantBounds& bounds,
                                                 GroupPolicy policy = GroupPolicy::kUnion,
                                                 const FailureBits& bits = {});

// The noise of a planned sum.
absl::StatusOr<NoisePlan> PlanNoise(const Rational& sigma_squared, const PlannedSum& sum);

}  // namespace flaim::secagg
