#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "secagg/protocol/invitation.h"
#include "secagg/protocol/participation.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::secagg {

// The twin of the secure protocol without its cryptography: the same terms, noise, packing and dropouts, but
// vectors travel as they are. The server sees everything, so it is for tests, and to show what security costs.
//
// Of the messages it uses Offer, Advertise (without keys), KeyList (without neighbours), Masked (without masks),
// Finished and Abort.
absl::StatusOr<std::unique_ptr<SumClient>> MakeClearClient(Participation participation,
                                                           const Surroundings& surroundings);
absl::StatusOr<std::unique_ptr<SumServer>> MakeClearServer(Invitation invitation);

}  // namespace flaim::secagg
