#pragma once

#include "io/digest.h"
#include "secagg/crypto/mask_stream.h"
#include "secagg/crypto/secret_bytes.h"
#include "secagg/messages/roster.h"

namespace flaim::secagg {

// The keys of one session, each for one purpose. All are bound to the digest of the key list, which covers the offer
// and so the terms: two participants who were told of different models, rosters or layouts derive different masks, and
// their masks do not cancel.

// The mask that two participants have in common, from the secret that they agreed on.
Secret32 PairMaskSeed(const Secret32& agreed, const Digest& key_list, ParticipantId one, ParticipantId other);

// Whether `self` adds or subtracts the mask it has in common with `other`.
MaskSign PairMaskSign(ParticipantId self, ParticipantId other);

// The mask that is a participant's own, from its seed.
Secret32 OwnMaskSeed(const Secret32& seed, const Digest& key_list);

// What `from` seals its shares for `to` with.
Secret32 SealingKey(const Secret32& agreed, const Digest& key_list, ParticipantId from, ParticipantId to);

}  // namespace flaim::secagg
