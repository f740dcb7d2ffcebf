#include "secagg/messages/terms.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/int128.h"
#include "base/status.h"

namespace flaim::secagg {
namespace {

// A sum of discrete Gaussians is subgaussian: it exceeds 12 standard deviations with probability below 2e^-72 < 2^-102.
constexpr double kNoiseReach = 12;
constexpr std::size_t kEntriesMax = std::size_t{1} << 31;

absl::StatusOr<NoisePlan> PlanFor(const SessionTerms& terms, const Block& block) {
  if (block.sigma_squared.numerator() == 0) return NoisePlan::None();
  return NoisePlan::Make(block.sigma_squared, terms.bounds);
}

// Of sums in a block: |sum| is at most this, in units of the block's noise plan.
double ReachOfSum(const SessionTerms& terms, const NoisePlan& plan) {
  const int contributors = terms.bounds.invited;
  const double counts = static_cast<double>(terms.entry_bound) * contributors;
  // Everybody may stand in for all others that privacy rests on.
  const int shares = terms.bounds.LeastSurvivors() - terms.bounds.colluders;
  const double noise = plan.HasNoise() ? kNoiseReach * std::sqrt(shares * plan.VarianceOf(contributors)) : 0;
  return (counts + noise) * static_cast<double>(plan.resolution());
}

absl::Status ValidateBounds(const ParticipantBounds& bounds) {
  const auto is_count = [](int count) { return 0 <= count && count <= kMostParticipants; };
  if (bounds.invited < 1 || !is_count(bounds.invited) || !is_count(bounds.dropouts) || !is_count(bounds.colluders)) {
    return InvalidArgument("invite 1 to {} participants, and state dropouts and colluders within that",
                           kMostParticipants);
  }
  if (bounds.LeastSurvivors() - bounds.colluders < 1) {
    return InvalidArgument(
        "of {} participants, {} may drop out and {} may collude: no honest contribution is certain; allow fewer",
        bounds.invited, bounds.dropouts, bounds.colluders);
  }
  return absl::OkStatus();
}

absl::Status ValidateGraph(const SessionTerms& terms) {
  const int neighbours = terms.bounds.invited - 1;
  const bool is_complete = terms.graph.degree == neighbours;
  if (terms.graph.degree < 0 || terms.graph.degree > neighbours || (terms.graph.degree % 2 != 0 && !is_complete)) {
    return InvalidArgument("a degree of {} does not join {} participants; use ChooseGraph", terms.graph.degree,
                           terms.bounds.invited);
  }
  if (terms.graph.threshold < (neighbours == 0 ? 0 : 1) || terms.graph.threshold > terms.graph.degree) {
    return InvalidArgument("a threshold of {} is not possible among {} neighbours; use ChooseGraph",
                           terms.graph.threshold, terms.graph.degree);
  }
  if (terms.committee < 0 || terms.committee > terms.bounds.invited) {
    return InvalidArgument("a committee of {} cannot be drawn from {} participants; use ChooseCommittee",
                           terms.committee, terms.bounds.invited);
  }
  const bool can_confirm = CommitteeCorrectnessLog2(terms.bounds, terms.committee) < 0;
  const bool can_recover = !is_complete || CorrectnessFailureLog2(terms.bounds, terms.graph) < 0;
  if (!can_confirm || !can_recover) {
    return InvalidArgument("degree {} and threshold {} do not bear {} dropouts among {} participants; use ChooseGraph",
                           terms.graph.degree, terms.graph.threshold, terms.bounds.dropouts, terms.bounds.invited);
  }
  return absl::OkStatus();
}

absl::Status ValidateBlocks(const SessionTerms& terms) {
  const bool is_one_exposed = terms.bounds.LeastSurvivors() - terms.bounds.colluders < 2;
  for (std::size_t i = 0; i < terms.blocks.size(); ++i) {
    const Block& block = terms.blocks[i];
    if (block.entries == 0) return InvalidArgument("block {} has no entries", i);
    if (block.sigma_squared.numerator() == 0 && is_one_exposed) {
      return InvalidArgument(
          "block {} has no noise, and all contributions but one may be known: the sum would be that contribution; add "
          "noise, or participants",
          i);
    }
  }
  const std::size_t entries = EntriesOf(terms);
  if (entries == 0 || entries > kEntriesMax) {
    return InvalidArgument("a sum of {} entries is not possible; between 1 and 2^31 are", entries);
  }
  return absl::OkStatus();
}

}  // namespace

std::size_t EntriesOf(const SessionTerms& terms) {
  std::size_t entries = 0;
  for (const Block& block : terms.blocks) entries += block.entries;
  return entries;
}

NoisePlan NoiseOf(const SessionTerms& terms, BlockIndex block) {
  CHECK(block < terms.blocks.size());
  absl::StatusOr<NoisePlan> plan = PlanFor(terms, terms.blocks[block]);
  CHECK(plan.ok(), "terms were not validated");
  return *plan;
}

absl::StatusOr<int> LeastRingBits(const SessionTerms& terms) {
  double reach = 1;
  for (const Block& block : terms.blocks) {
    ASSIGN_OR_RETURN(const NoisePlan plan, PlanFor(terms, block));
    reach = std::max(reach, ReachOfSum(terms, plan));
  }
  const int bits = static_cast<int>(std::floor(std::log2(reach))) + 2;  // reach < 2^(bits - 1), which is for the sign
  if (bits > 64) {
    return InvalidArgument("a sum with counts up to {} does not fit into 64 bits; state a smaller bound",
                           terms.entry_bound);
  }
  return bits;
}

absl::Status ValidateTerms(const SessionTerms& terms) {
  RETURN_IF_ERROR(ValidateBounds(terms.bounds));
  RETURN_IF_ERROR(ValidateGraph(terms));
  RETURN_IF_ERROR(ValidateBlocks(terms));
  if (terms.entry_bound < 0) return InvalidArgument("the bound of counts, {}, is negative", terms.entry_bound);
  ASSIGN_OR_RETURN(const int least_bits, LeastRingBits(terms));
  if (terms.ring_bits < least_bits || terms.ring_bits > 64) {
    return InvalidArgument("sums of up to {} contributions of at most {} need {} to 64 bits, not {}",
                           terms.bounds.invited, terms.entry_bound, least_bits, terms.ring_bits);
  }
  return absl::OkStatus();
}

std::string FirstDifference(const SessionTerms& ours, const SessionTerms& theirs) {
  if (ours.roster != theirs.roster) return "the roster";
  if (ours.model != theirs.model) return "the model";
  if (ours.workload != theirs.workload) return "the workload";
  if (ours.blocks != theirs.blocks) return "the blocks, or their noise";
  if (ours.entry_bound != theirs.entry_bound) return "the bound of counts";
  if (!(ours.bounds == theirs.bounds)) return "the bounds on participants, dropouts or colluders";
  if (!(ours.graph == theirs.graph)) return "degree or threshold";
  if (ours.committee != theirs.committee) return "the committee";
  if (ours.ring_bits != theirs.ring_bits) return "the bits of the ring";
  if (ours.cipher != theirs.cipher) return "the mask generator";
  return "";
}

GraphParameters GraphAmong(const SessionTerms& terms, int participants) {
  return {.degree = EffectiveDegree(participants, terms.graph),
          .threshold = EffectiveThreshold(participants, terms.graph)};
}

}  // namespace flaim::secagg
