#pragma once

#include <cstdint>

#include "absl/status/statusor.h"

namespace flaim::secagg {

// What a study says about those who take part in a sum.
struct ParticipantBounds {
  int invited = 0;
  int dropouts = 0;   // so many may vanish, at whatever stage; one more and the sum is abandoned
  int colluders = 0;  // so many may work for the server

  int LeastSurvivors() const { return invited - dropouts; }
  bool operator==(const ParticipantBounds&) const = default;
};

// How often it may go wrong, as powers of two.
struct FailureBits {
  double security = 40;     // probability at most 2^-security that a graph lets the server learn more than the sum
  double correctness = 20;  // probability at most 2^-correctness that dropouts within bounds prevent a sum
};

// Against which server a graph is chosen.
enum class DropoutModel {
  // It may feign dropouts after it has seen the graph. What we use.
  kAdaptive,
  // Who drops out does not depend on the graph: the semi-malicious server of Bell et al. 2020 and its published values.
  kIndependentOfGraph,
};

// How densely participants are joined, and how many of them it takes.
//
// Let k be the degree, t the threshold, c the colluders and d the dropouts among somebody's neighbours. The threshold
// holds if
//   2t > k + c   the server cannot collect t shares of both kinds, even if it tells different neighbours different
//                stories: honest ones give one kind each, colluders both;
//   t <= k - d   enough neighbours are left to recover what has to be recovered.
struct GraphParameters {
  int degree = 0;
  int threshold = 0;

  bool operator==(const GraphParameters&) const = default;
};

// Up to this many, everybody is joined to everybody: certain instead of probable, and cheap enough.
inline constexpr int kCompleteUpTo = 200;
// Beyond, no participant is asked to hold shares of more others than this.
inline constexpr int kLargestDegree = 2000;
inline constexpr int kMostParticipants = 1 << 24;

// Where fewer take part than were invited, a degree that they cannot reach means the complete graph, and a threshold
// that they cannot reach means all neighbours.
int EffectiveDegree(int participants, const GraphParameters& parameters);
int EffectiveThreshold(int participants, const GraphParameters& parameters);

// log2 of an upper bound of the probability, over the random order on the circle, that
//   some participant's neighbourhood breaks 2t > k + c: n P[H >= 2t - k], where H counts the colluders among k of the
//   n - 1 others (hypergeometric), or,
//   with kAdaptive, colluders together with feigned dropouts split the honest participants into two parts that share no
//   mask. On the circle that takes two disjoint runs of k/2 places without a live honest participant. The honest one
//   beside a run is unmasked only if t of its neighbours are live (it waits for t confirmations, and its shares take
//   t), so of the run at most k - t dropped out and b = t - k/2 collude: C(n,2) P[both runs hold >= b colluders].
// -infinity if it cannot happen, at most 0. The complete graph cannot be split and is -infinity or 0. `participants`
// may be fewer than were invited.
//
// The same is asked of participants whose vectors are in but who are kept from confirming: they can be unmasked only by
// t neighbours' shares, so beside a run of dropouts as many colluders are needed.
//
// Does not cover: an order that depends on who colludes. Whoever can try 2^g key lists before one is fixed (a server
// that decides whom to list, colluders who choose among keys) gains up to g bits.
double SecurityFailureLog2(int participants, int colluders, const GraphParameters& parameters,
                           DropoutModel model = DropoutModel::kAdaptive);

// log2 of an upper bound of the probability that dropouts within bounds prevent a sum. Certain (0) if those who are
// left are too few to confirm. On a circle: that somebody has fewer than t neighbours left, n P[H >= k - t + 1] with H
// dropouts among k of n - 1. On the complete graph it is certain or impossible: the shares of one who vanished come
// from t of its k neighbours, of whom the other d - 1 vanished too. Dropouts are taken to be independent of the graph
// here: a server that feigns them can always prevent a sum.
double CorrectnessFailureLog2(const ParticipantBounds& bounds, const GraphParameters& parameters);

// How many others must have confirmed the survivors where everybody confirms (committee.h): with the one who counts,
// more than half of the participants and colluders together.
int ConfirmationsNeeded(int participants, int colluders);

// How many live neighbours a participant insists on before it masks and before it confirms: on a circle the threshold,
// see SecurityFailureLog2; on the complete graph as many as will have to confirm.
int NeighboursNeeded(int participants, int colluders, const GraphParameters& parameters);

// The least degree, and for it the least threshold, that keep both failures within bounds; up to kCompleteUpTo the
// complete graph. With kAdaptive the security bound holds for every number of participants from the least survivors to
// the invited, since some may vanish before the graph is drawn. InvalidArgument if the bounds cannot be met: too few
// are left, or dropouts and colluders together are too many.
absl::StatusOr<GraphParameters> ChooseGraph(const ParticipantBounds& bounds, const FailureBits& bits = {},
                                            DropoutModel model = DropoutModel::kAdaptive);

// The same on a circle, however few are invited.
absl::StatusOr<GraphParameters> ChooseCircle(const ParticipantBounds& bounds, const FailureBits& bits = {},
                                             DropoutModel model = DropoutModel::kAdaptive);

}  // namespace flaim::secagg
