#include "secagg/protocol/participation.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"
#include "base/status.h"

namespace flaim::secagg {

absl::Status AnsweredSessionsInMemory::Begin(const SessionId& session) {
  if (sessions_.insert(session).second) return absl::OkStatus();
  return absl::AlreadyExistsError("this session was answered before; a session is answered once");
}

absl::Status CheckParticipation(const Participation& participation) {
  RETURN_IF_ERROR(ValidateTerms(participation.agreed));
  CHECK(participation.roster.KeyOf(participation.self) == participation.signing_key.verifying_key(),
        "the signing key is not the one in the roster");
  return absl::OkStatus();
}

absl::Status AcceptOffer(const Participation& participation, const Surroundings& surroundings, const SessionId& session,
                         const Offer& offer) {
  if (!IsSignedBy(participation.roster.server_key(), DigestOf(session, offer), offer.signature)) {
    return InvalidArgument("the offer is not signed by the server of the roster");
  }
  if (!(offer.terms == participation.agreed)) {
    return InvalidArgument("the offer differs from what was agreed in {}",
                           FirstDifference(participation.agreed, offer.terms));
  }
  if (offer.terms.roster != participation.roster.digest()) return InvalidArgument("the terms are for another roster");
  if (offer.terms.bounds.LeastSurvivors() < participation.least_participants) {
    return InvalidArgument("the sum may be made from {} participants; this one insists on {}",
                           offer.terms.bounds.LeastSurvivors(), participation.least_participants);
  }
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(surroundings.clock.Now().time_since_epoch());
  if (now.count() > offer.deadline_unix_ms) return InvalidArgument("the offer has expired");
  return surroundings.answered.Begin(session);
}

absl::Status AcceptEveryone(const Participation& participation, const std::vector<KeyList::Entry>& everyone,
                            const Digest& own_advertisement) {
  const ParticipantBounds& bounds = participation.agreed.bounds;
  const auto count = static_cast<std::int64_t>(everyone.size());
  if (count < bounds.LeastSurvivors() || count > bounds.invited) {
    return InvalidArgument("{} participants advertised; the terms allow {} to {}", count, bounds.LeastSurvivors(),
                           bounds.invited);
  }
  bool is_listed = false;
  for (std::size_t i = 0; i < everyone.size(); ++i) {
    if (!participation.roster.Has(everyone[i].id) || (i > 0 && everyone[i].id <= everyone[i - 1].id)) {
      return InvalidArgument("the key list is not an ascending list of members of the roster");
    }
    is_listed |= everyone[i].id == participation.self && everyone[i].advertisement == own_advertisement;
  }
  if (!is_listed) return InvalidArgument("the key list does not show this participant as it advertised itself");
  return absl::OkStatus();
}

}  // namespace flaim::secagg
