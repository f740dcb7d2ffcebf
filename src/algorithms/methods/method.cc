#include "algorithms/methods/method.h"

#include <algorithm>

#include "base/status.h"

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
  trust.oracle = method.as_published || method.heterogeneity == Heterogeneity::kOracle ||
                 method.weighting == Weighting::kTrueSizes;
  return trust;
}

bool IsPrivate(const Method& method) { return !TrustOf(method).oracle; }

absl::Status CheckMethod(const Method& method) {
  const bool is_annealed = std::holds_alternative<Annealed>(method.rounds);
  const bool is_pool = method.membership == Membership::kPool;
  const bool is_present = method.membership == Membership::kPresent;
  const auto* fixed = std::get_if<FixedRounds>(&method.rounds);
  const auto* once = std::get_if<ChooseThenMeasure>(&method.rounds);
  if (fixed != nullptr && (fixed->rounds < 1 || fixed->rounds > 100'000)) {
    return InvalidArgument("{} rounds: give between 1 and 100000", fixed->rounds);
  }
  if (is_annealed && std::get<Annealed>(method.rounds).rounds_per_attribute <= 0) {
    return InvalidArgument("annealing needs a positive number of rounds for each attribute");
  }
  if (is_annealed && is_present && method.accounting != Accounting::kPaper) {
    return InvalidArgument(
        "annealed rounds have no fixed number, so a participation cap cannot be planned for: use --accounting paper, "
        "or a fixed number of rounds");
  }
  if (!(method.pool_share_at_start >= 0 && method.pool_share_at_start <= 1) ||
      (method.pool_share_at_start > 0 && !is_pool)) {
    return InvalidArgument("a share of the clients to wait for is between 0 and 1, and for a pool that keeps counts");
  }
  const bool is_asked = method.selection == Selection::kLocal || method.selection == Selection::kRandom ||
                        method.selection == Selection::kSummedScores;
  if (is_pool && is_asked) {
    return InvalidArgument("the clients of a pool have gone: they cannot choose, or score, any more");
  }
  if (method.membership == Membership::kOneTable && is_asked) {
    return InvalidArgument("where all rows are in one table, there are no clients that could choose, or score");
  }
  if (method.weighting == Weighting::kSameRows && method.membership != Membership::kOneTable) {
    return InvalidArgument("marginals count as measured only where all are of the same rows, in one table");
  }
  if (is_annealed && method.as_published) {
    return InvalidArgument("the published code's mistakes are known for a fixed number of rounds");
  }
  if (!(method.improvement_threshold >= 0)) {
    return InvalidArgument("the threshold of an improvement must not be negative");
  }
  if (once == nullptr && method.weighting == Weighting::kHeterogeneity &&
      (method.selection == Selection::kLocal || method.selection == Selection::kRandom)) {
    return InvalidArgument("weighting by heterogeneity needs sums to which whole groups contribute");
  }
  if (method.participation_cap < 1)
    return InvalidArgument("a participation cap of {} lets nobody serve: give at least 1", method.participation_cap);
  if (method.local_steps < 1 || method.local_steps > 100) {
    return InvalidArgument("{} local steps: give between 1 and 100", method.local_steps);
  }
  const bool is_chosen_by_clients = method.selection == Selection::kLocal || method.selection == Selection::kRandom;
  if (method.local_steps > 1 && !is_chosen_by_clients) {
    return InvalidArgument("local steps are for clients that choose by themselves");
  }
  if (!(method.selection_share > 0 && method.selection_share < 1)) {
    return InvalidArgument("the share of the budget for selecting must lie between 0 and 1");
  }
  if (method.accounting == Accounting::kExact &&
      (is_annealed || (once == nullptr && method.selection == Selection::kSummedScores) ||
       (once != nullptr && method.participation_cap > 1))) {
    return InvalidArgument(
        "the exact accountant needs a schedule that is fixed in advance, without summed scores, and for FLAIM-Once a "
        "participation cap of 1");
  }
  if (once == nullptr && method.selection == Selection::kNoisySums) {
    return InvalidArgument("choosing from noisy sums is for rounds that choose and then measure, as in flaim-once");
  }
  if (once == nullptr) return absl::OkStatus();
  if (method.selection != Selection::kSummedScores && method.selection != Selection::kNoisySums &&
      method.selection != Selection::kScoreOfSum) {
    return InvalidArgument("rounds that choose and then measure need a selection by sums");
  }
  if (once->rounds < 1 || once->rounds > 100'000 || once->choosing_rounds < 1 || once->marginals < 1 ||
      once->marginals > 100'000) {
    return InvalidArgument("FLAIM-Once needs at least one round, one choosing round and one marginal to choose");
  }
  if (!(once->one_way_share > 0 && once->one_way_share < 1)) {
    return InvalidArgument("the share of the one-way marginals must lie between 0 and 1");
  }
  if (method.accounting == Accounting::kPaper) {
    return InvalidArgument("the paper's accounting does not know rounds that choose and then measure");
  }
  return absl::OkStatus();
}

}  // namespace flaim
