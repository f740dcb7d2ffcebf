#include "algorithms/methods/presets.h"

namespace flaim {

// Ours (docs/METHODS.md). Every client serves once, and spends everything in that one participation:
//
//   1  the first groups measure the one-ways and all pairs        selection/noisy_sums.cc ToWatch
//   2  whoever has the sums chooses from them, at no price        selection/noisy_sums.cc Finish
//   3  later groups measure the one-ways and what was chosen      loop/measuring.cc MeasureAgain
//   4  all groups of a marginal are pooled, by their noise and    loop/pooling.cc Pool
//      by how much groups differ
//   5  estimate the model                                         loop/state.cc Refit
//
// What a participation may cost: spending/participation.h.
Method FlaimOnce() {
  Method method;
  method.name = "flaim-once";
  method.title = "FLAIM-Once";
  method.summary =
      "Every client serves once, in secure sums only: first groups show which marginals all others measure";
  method.selection = Selection::kNoisySums;
  method.one_ways = OneWays::kEveryRound;
  method.one_way_candidates = false;
  method.weighting = Weighting::kHeterogeneity;
  method.rounds = ChooseThenMeasure::For(10);
  method.accounting = Accounting::kExact;
  method.noise_penalty = 0.5;
  return method;
}

// Step 2 by compute parties, from exact sums that they keep in shares.
Method FlaimOnceJoint() {
  Method method = FlaimOnce();
  method.name = "flaim-once-joint";
  method.title = "FLAIM-Once (joint)";
  method.summary = "FLAIM-Once with marginals chosen by the score of the summed counts";
  method.selection = Selection::kScoreOfSum;
  method.rounds = ChooseThenMeasure{.one_way_share = 0.5};
  method.noise_penalty = 0.6;
  return method;
}

// The same over a pool that waits for everybody: one round, and one noise.
Method DistAimOnce() {
  Method method = FlaimOnceJoint();
  method.name = "dist-aim-once";
  method.title = "DistAIM-Once";
  method.summary = "Shares are kept until all clients have uploaded; then AIM on them, with one noise";
  method.membership = Membership::kPool;
  method.pool_share_at_start = 1;
  method.rounds = ChooseThenMeasure{.rounds = 1, .choosing_rounds = 1, .marginals = 20};
  method.noise_penalty = 0.4;
  return method;
}

}  // namespace flaim
