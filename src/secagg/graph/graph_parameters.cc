#include "secagg/graph/graph_parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "base/check.h"
#include "base/status.h"
#include "secagg/graph/hypergeometric.h"

namespace flaim::secagg {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

double ToLog2(double log) { return std::min(0.0, log / std::numbers::ln2); }

// log2 of a union bound over `events` events of probability exp(log) each.
double UnionLog2(double events, double log) { return ToLog2(std::log(events) + log); }

bool IsComplete(int participants, const GraphParameters& parameters) { return parameters.degree >= participants - 1; }

// log2 of a bound of the probability that somebody has `too_many` neighbours or more of `marked` others.
double SomebodyHasTooMany(int participants, int marked, int degree, int too_many) {
  const int others = participants - 1;
  return UnionLog2(participants, LogHypergeometricTail(others, std::min(marked, others), degree, too_many));
}

double TwoRunsSplitTheCircle(int participants, int colluders, const GraphParameters& parameters) {
  const int run = parameters.degree / 2;
  const double pairs = 0.5 * participants * (participants - 1.0);
  return UnionLog2(pairs, LogBothTails(participants, colluders, run, parameters.threshold - run));
}

absl::Status Validate(const ParticipantBounds& bounds, const FailureBits& bits) {
  if (bounds.invited < 1 || bounds.invited > kMostParticipants) {
    return InvalidArgument("{} participants are invited; a sum takes from 1 to {}", bounds.invited, kMostParticipants);
  }
  if (bounds.dropouts < 0 || bounds.colluders < 0) {
    return InvalidArgument("dropouts ({}) and colluders ({}) cannot be negative", bounds.dropouts, bounds.colluders);
  }
  if (bounds.dropouts >= bounds.invited || bounds.colluders >= bounds.invited - bounds.dropouts) {
    return InvalidArgument(
        "of {} participants {} may drop out and {} may collude, so nobody honest is sure to be left; allow fewer "
        "dropouts or colluders, or invite more sites",
        bounds.invited, bounds.dropouts, bounds.colluders);
  }
  if (!(bits.security > 0 && bits.security <= 1000 && bits.correctness > 0 && bits.correctness <= 1000)) {
    return InvalidArgument(
        "failures of 2^-{} (security) and 2^-{} (correctness) were asked for; allowed are 2^-1000 to 1", bits.security,
        bits.correctness);
  }
  return absl::OkStatus();
}

bool IsSecureFor(const ParticipantBounds& bounds, const FailureBits& bits, DropoutModel model,
                 const GraphParameters& parameters) {
  const auto holds = [&](int participants, DropoutModel against) {
    return SecurityFailureLog2(participants, bounds.colluders, parameters, against) <= -bits.security;
  };
  if (!holds(bounds.invited, DropoutModel::kIndependentOfGraph)) return false;
  return model == DropoutModel::kIndependentOfGraph ||
         (holds(bounds.invited, model) && holds(bounds.LeastSurvivors(), model));
}

// The least of low .. high for which `holds`, given that it holds from there on; high + 1 if for none.
template <typename Predicate>
int LeastWhere(int low, int high, const Predicate& holds) {
  while (low <= high) {
    const int middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle - 1;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// The least threshold of a circle with this degree that keeps the bounds, if any does: security gains by a higher
// threshold, correctness by a lower one.
std::optional<int> ChooseThreshold(const ParticipantBounds& bounds, const FailureBits& bits, DropoutModel model,
                                   int degree) {
  const int lowest = degree / 2 + 1;
  const int too_high = LeastWhere(lowest, degree, [&](int threshold) {
    return CorrectnessFailureLog2(bounds, {degree, threshold}) > -bits.correctness;
  });
  const int threshold = LeastWhere(lowest, too_high - 1, [&](int candidate) {
    return IsSecureFor(bounds, bits, model, {degree, candidate});
  });
  return threshold < too_high ? std::optional(threshold) : std::nullopt;
}

absl::StatusOr<GraphParameters> ChooseComplete(const ParticipantBounds& bounds) {
  if (bounds.invited == 1) return GraphParameters{};
  const int degree = bounds.invited - 1;
  const int threshold = std::max((degree + bounds.colluders) / 2, bounds.dropouts + bounds.colluders) + 1;
  if (threshold <= degree - std::max(bounds.dropouts - 1, 0)) return GraphParameters{degree, threshold};
  return InvalidArgument(
      "{} participants cannot bear {} dropouts and {} colluders: allow fewer dropouts or fewer colluders, or invite "
      "more sites (twice the dropouts and the colluders together must stay below the number of participants, and two "
      "be honest)",
      bounds.invited, bounds.dropouts, bounds.colluders);
}

}  // namespace

int EffectiveDegree(int participants, const GraphParameters& parameters) {
  return std::min(parameters.degree, participants - 1);
}

int EffectiveThreshold(int participants, const GraphParameters& parameters) {
  return std::min(parameters.threshold, EffectiveDegree(participants, parameters));
}

double SecurityFailureLog2(int participants, int colluders, const GraphParameters& parameters, DropoutModel model) {
  CHECK(participants >= 1 && colluders >= 0 && parameters.degree >= 0 && parameters.threshold >= 0);
  const int degree = EffectiveDegree(participants, parameters);
  const int threshold = EffectiveThreshold(participants, parameters);
  if (degree == 0) return kImpossible;
  const int marked = std::min(colluders, participants - 1);
  const int too_many = 2 * threshold - degree;
  if (IsComplete(participants, parameters)) return marked < too_many ? kImpossible : 0;

  const double neighbourhood = SomebodyHasTooMany(participants, marked, degree, too_many);
  if (model == DropoutModel::kIndependentOfGraph) return neighbourhood;
  const double split = TwoRunsSplitTheCircle(participants, marked, {degree, threshold});
  return ToLog2(LogAdd(neighbourhood * std::numbers::ln2, split * std::numbers::ln2));
}

double CorrectnessFailureLog2(const ParticipantBounds& bounds, const GraphParameters& parameters) {
  CHECK(bounds.invited >= 1 && bounds.dropouts >= 0 && parameters.degree >= 0 && parameters.threshold >= 0);
  const int degree = EffectiveDegree(bounds.invited, parameters);
  const int threshold = EffectiveThreshold(bounds.invited, parameters);
  if (ConfirmationsNeeded(bounds.invited, bounds.colluders) > bounds.LeastSurvivors() - 1) return 0;
  if (IsComplete(bounds.invited, parameters)) {
    return threshold <= degree - std::max(bounds.dropouts - 1, 0) ? kImpossible : 0;
  }
  return SomebodyHasTooMany(bounds.invited, bounds.dropouts, degree, degree - threshold + 1);
}

int ConfirmationsNeeded(int participants, int colluders) { return (participants + colluders) / 2; }

int NeighboursNeeded(int participants, int colluders, const GraphParameters& parameters) {
  if (IsComplete(participants, parameters)) return ConfirmationsNeeded(participants, colluders);
  return EffectiveThreshold(participants, parameters);
}

absl::StatusOr<GraphParameters> ChooseCircle(const ParticipantBounds& bounds, const FailureBits& bits,
                                             DropoutModel model) {
  RETURN_IF_ERROR(Validate(bounds, bits));
  const int largest = std::min(bounds.LeastSurvivors() - 2, kLargestDegree);
  for (int degree = 2; degree <= largest; degree += 2) {
    const std::optional<int> threshold = ChooseThreshold(bounds, bits, model, degree);
    if (threshold) return GraphParameters{degree, *threshold};
  }
  return InvalidArgument(
      "no graph with at most {} neighbours each lets {} participants bear {} dropouts and {} colluders with failures "
      "of 2^-{} (security) and 2^-{} (correctness): allow fewer dropouts or fewer colluders, or invite more sites",
      std::max(largest, 0), bounds.invited, bounds.dropouts, bounds.colluders, bits.security, bits.correctness);
}

absl::StatusOr<GraphParameters> ChooseGraph(const ParticipantBounds& bounds, const FailureBits& bits,
                                            DropoutModel model) {
  RETURN_IF_ERROR(Validate(bounds, bits));
  if (bounds.invited <= kCompleteUpTo) return ChooseComplete(bounds);
  absl::StatusOr<GraphParameters> circle = ChooseCircle(bounds, bits, model);
  if (circle.ok() || bounds.invited - 1 > kLargestDegree) return circle;
  return ChooseComplete(bounds);
}

}  // namespace flaim::secagg
