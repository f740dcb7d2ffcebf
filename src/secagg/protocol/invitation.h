#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "secagg/messages/messages.h"
#include "secagg/messages/roster.h"
#include "secagg/messages/terms.h"

namespace flaim::secagg {

// What a server needs to run one session. The references are to things that outlive it.
struct Invitation {
  const Roster& roster;
  const SigningKey& signing_key;  // of roster.server_key()
  SessionId session;              // random, never used before
  std::int64_t deadline_unix_ms = 0;
  SessionTerms terms;
  std::vector<ParticipantId> invited;  // ascending; as many as the terms say
};

// InvalidArgument if the terms are not valid, or the invited are not as many members of the roster as they say.
absl::Status CheckInvitation(const Invitation& invitation);

// The offer, signed.
Offer MakeOffer(const Invitation& invitation);

}  // namespace flaim::secagg
