#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/methods/method.h"
#include "algorithms/spending/spending.h"
#include "federation/requests.h"

namespace flaim {

// Checked by a client for itself: that what it is asked for in one participation is no more than a round of the plan it
// agreed to. Needed where the exact accountant set the noise: what that accountant proves, it proves of the plan's
// rounds, and a client's account, which adds up zCDP, would let other mixtures of the same total pass.
//
// For methods whose clients release counts only, in one participation. Every request says how many marginals its round
// measures, so the round of the plan is known before the first release and cannot be picked by what that release shows.
// Of that round a client gives at most the one-ways, once, and then the marginals, in one sum, each with the very noise
// of the plan. Less may be asked for: what is left out is post-processing. More noise may not: the delta of discrete
// noise is a saw-tooth in sigma, and more can be worse. Not thread-safe.
class ParticipationCheck {
 public:
  // Whether a client can check a method at all.
  static bool Covers(const Method& method);

  // REQUIRES: a plan, not yet begun, of a method that it covers.
  ParticipationCheck(std::shared_ptr<const SpendingPlan> plan, int attributes)
      : plan_(std::move(plan)), attributes_(attributes) {}

  // PermissionDenied if `next`, after `before` in the same participation, is not what the plan says.
  absl::Status Check(const std::vector<CountsRequest>& before, const CountsRequest& next) const;

 private:
  bool IsOneWays(const CountsRequest& request) const;
  // Of so many marginals; nothing if the plan has no such round. Worked out once.
  const std::optional<RoundSpending>& PlannedRound(int marginals) const;

  std::shared_ptr<const SpendingPlan> plan_;
  int attributes_;
  mutable std::map<int, std::optional<RoundSpending>> rounds_;
};

}  // namespace flaim
