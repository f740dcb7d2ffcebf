#include "secagg/protocol/invitation.h"

#include <algorithm>

#include "base/check.h"
#include "base/status.h"

namespace flaim::secagg {

absl::Status CheckInvitation(const Invitation& invitation) {
  RETURN_IF_ERROR(ValidateTerms(invitation.terms));
  CHECK(invitation.roster.server_key() == invitation.signing_key.verifying_key(),
        "the signing key is not the server's in the roster");
  if (invitation.terms.roster != invitation.roster.digest()) return InvalidArgument("the terms are for another roster");
  const std::vector<ParticipantId>& invited = invitation.invited;
  if (invited.size() != static_cast<std::size_t>(invitation.terms.bounds.invited)) {
    return InvalidArgument("{} are invited; the terms say {}", invited.size(), invitation.terms.bounds.invited);
  }
  for (std::size_t i = 0; i < invited.size(); ++i) {
    if (!invitation.roster.Has(invited[i]) || (i > 0 && invited[i] <= invited[i - 1])) {
      return InvalidArgument("the invited must be an ascending list of members of the roster");
    }
  }
  return absl::OkStatus();
}

Offer MakeOffer(const Invitation& invitation) {
  Offer offer{.deadline_unix_ms = invitation.deadline_unix_ms, .terms = invitation.terms, .signature = {}};
  offer.signature = invitation.signing_key.Sign(DigestOf(invitation.session, offer));
  return offer;
}

}  // namespace flaim::secagg
