#pragma once

#include <memory>
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
// For methods whose clients release counts only, in one participation. A request is covered if there is a number m of
// marginals for which the plan's round has at least as many marginals as were asked for so far, and no more noise than
// was asked for, in one-ways and others alike: more noise and fewer releases only help.
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

  std::shared_ptr<const SpendingPlan> plan_;
  int attributes_;
};

}  // namespace flaim
