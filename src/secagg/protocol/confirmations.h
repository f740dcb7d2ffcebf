#pragma once

#include <vector>

#include "absl/status/status.h"
#include "secagg/messages/messages.h"
#include "secagg/messages/roster.h"
#include "secagg/messages/terms.h"

namespace flaim::secagg {

// Who is in the sum, as one participant was told and signed, and who has to confirm it.
struct ConfirmedSet {
  const std::vector<ParticipantId>& ids;  // of all who advertised, ascending
  const std::vector<bool>& survivors;     // by rank in `ids`
  Digest digest{};                        // what is signed
  const std::vector<int>& committee;      // ranks, ascending
  int quorum = 0;
};

// Whether a quorum, the participant itself included if it is on the committee, has signed the same set. One signature
// over anything else, or by anybody else, is one too many: an honest server does not show it.
absl::Status CheckConfirmations(const Roster& roster, const ConfirmedSet& set, ParticipantId self,
                                const Bundle& bundle);

// The committee among those who advertised: drawn, like the graph, from all that they advertised.
std::vector<int> CommitteeAmong(const SessionTerms& terms, int participants, const Digest& key_list);

}  // namespace flaim::secagg
