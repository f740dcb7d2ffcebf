#include "runtime/site/roster_consent.h"

#include <algorithm>
namespace flaim::runtime {

absl::Status RosterConsent::Check(const Digest& of_roster) const {
  if (is_any || known == 0 || roster == of_roster) return absl::OkStatus();
  return absl::UnauthenticatedError(
      "nobody here has consented to the roster of this study: look at it with `flaim site roster`, ask the other sites "
      "whether theirs is the same, accept its digest there, and start the site again");
}

int StandsInFor(const RosterConsent& consent, int roster_size, const secagg::ParticipantBounds& bounds) {
  if (!consent.known) return 0;
  const int others_needed = bounds.LeastSurvivors() - bounds.colluders - 1;
  const int away = roster_size - bounds.invited + bounds.dropouts;
  return others_needed - std::clamp(*consent.known - away, 0, others_needed);
}

}  // namespace flaim::runtime
