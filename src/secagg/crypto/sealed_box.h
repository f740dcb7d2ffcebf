#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "io/bytes.h"
#include "secagg/crypto/secret_bytes.h"

namespace flaim::secagg {

// XChaCha20-Poly1305. A key seals exactly one box: keys are derived for one session, one sender and one receiver, so
// the nonce is constant and not sent.

inline constexpr std::size_t kSealBytes = 16;

// `context` is not in the box, but a box opens only in the context that it was sealed in.
Bytes Seal(const Secret32& key, ByteView context, ByteView message);

// Writes to `message`, which is as long as the box without its kSealBytes. InvalidArgument if the box was not sealed
// with this key in this context, or was changed; then `message` holds nothing of it.
absl::Status Open(const Secret32& key, ByteView context, ByteView box, std::span<std::uint8_t> message);

namespace internal {

// What Seal does, with a nonce of choice: only to compare it with published vectors.
using BoxNonce = std::array<std::uint8_t, 24>;
Bytes SealWithNonce(const Secret32& key, const BoxNonce& nonce, ByteView context, ByteView message);

}  // namespace internal

}  // namespace flaim::secagg
