#pragma once

#include <vector>

#include "absl/status/status.h"
#include "secagg/messages.h"
#include "secagg/roster.h"

namespace flaim::secagg {

// Who is in the sum, as one participant was told and signed.
struct ConfirmedSet {
  const std::vector<ParticipantId>& ids;  // of all who advertised, ascending
  const std::vector<bool>& survivors;     // by rank in `ids`
  Digest digest{};                        // what is signed
};

// Whether as many others as needed, all of them survivors, have signed the same set. One signature over anything else
// is one too many: an honest server does not show it.
absl::Status CheckConfirmations(const Roster& roster, const ConfirmedSet& set, ParticipantId self, int needed,
                                const Bundle& bundle);

}  // namespace flaim::secagg
