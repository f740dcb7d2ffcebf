#include "algorithms/methods/method.h"

#include <algorithm>

namespace flaim {

ChooseThenMeasure ChooseThenMeasure::For(int rounds) {
  ChooseThenMeasure plan{.rounds = rounds};
  plan.choosing_rounds = std::max(1, rounds / 5);
  plan.marginals = 15 + 15 / std::max(1, rounds);
  return plan;
}

TrustModel TrustOf(const Method& method) {
  TrustModel trust;
  trust.local_choices = method.selection == Selection::kLocal || method.selection == Selection::kRandom;
  trust.compute_parties = method.selection == Selection::kScoreOfSum || method.membership != Membership::kPresent;
  return trust;
}

bool IsPrivate(const Method& method) {
  return method.penalty != Penalty::kOracle && method.weighting != Weighting::kTrueSizes;
}

}  // namespace flaim
