#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "secagg/protocol/participation.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::secagg {

// A participant in the protocol of Bell et al. 2020. It trusts the server with nothing but delivery:
//   - it answers each stage once, and a session once;
//   - it takes no key that its owner, pinned in the roster, did not sign together with the very same offer;
//   - it works out its neighbours itself, from everything that was advertised;
//   - it unmasks only after enough neighbours have signed the same set of survivors, and then gives one kind of share
//     for each of them.
// Whatever is wrong ends the session for it, before anything that could not be taken back.
//
// InvalidArgument if the agreed terms are not valid.
absl::StatusOr<std::unique_ptr<SumClient>> MakeSecureClient(Participation participation,
                                                            const Surroundings& surroundings);

}  // namespace flaim::secagg
