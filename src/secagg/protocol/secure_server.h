#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "secagg/protocol/invitation.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::secagg {

// The server of Bell et al. 2020. It carries messages between participants, adds masked vectors up as they arrive, and
// takes the masks out of the sum at the end; it never holds an unmasked contribution. Memory: two vectors for each
// thread and what participants sent each other, not the vectors themselves.
//
// A wrong sum is never given out for wrong shares: recovered secrets are compared with what their owners published.
// Where more shares than needed have come, some may be wrong. What is not detected is a participant whose masked vector
// is not what the protocol says; it could as well lie about its counts.
absl::StatusOr<std::unique_ptr<SumServer>> MakeSecureServer(Invitation invitation, Parallel& parallel);

}  // namespace flaim::secagg
