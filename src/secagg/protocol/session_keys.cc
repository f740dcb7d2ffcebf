#include "secagg/protocol/session_keys.h"

#include <algorithm>

#include "secagg/crypto/key_derivation.h"

namespace flaim::secagg {
namespace {

Digest Purpose(std::string_view label, ParticipantId first, ParticipantId second) {
  return Transcript(label).Add(first).Add(second).Finish();
}

}  // namespace

Secret32 PairMaskSeed(const Secret32& agreed, const Digest& key_list, ParticipantId one, ParticipantId other) {
  return DeriveKey32(agreed, key_list, Purpose("flaim pair mask", std::min(one, other), std::max(one, other)));
}

MaskSign PairMaskSign(ParticipantId self, ParticipantId other) {
  return self < other ? MaskSign::kAdd : MaskSign::kSubtract;
}

Secret32 OwnMaskSeed(const Secret32& seed, const Digest& key_list) {
  return DeriveKey32(seed, key_list, AsBytes("flaim own mask"));
}

Secret32 SealingKey(const Secret32& agreed, const Digest& key_list, ParticipantId from, ParticipantId to) {
  return DeriveKey32(agreed, key_list, Purpose("flaim sealing", from, to));
}

}  // namespace flaim::secagg
