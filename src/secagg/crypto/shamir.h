#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "secagg/crypto/secret_bytes.h"

namespace flaim::secagg {

// Shamir's sharing of a 32-byte secret: any `threshold` shares give it back, fewer say nothing about it.
//
// The secret is cut into limbs of at most 56 bits; each limb is the constant term of a polynomial of degree
// threshold - 1 over the field of 2^61 - 1 (kernels/field61.h) with uniform coefficients, and a share holds the values
// of all limbs' polynomials at one point. Coefficients are drawn by rejection, so they are exactly uniform.
//
// A wrong share gives a wrong secret, unnoticed: whoever recovers a secret must compare it with what was published
// about it (a public key, a commitment).

inline constexpr std::size_t kSecretLimbs = 5;

// Point x of the polynomials. REQUIRES of users: not zero; the same for all shares of one receiver.
using SharePoint = std::uint64_t;

// Little-endian values of the limbs' polynomials, 8 bytes each.
using Share = SecretBytes<kSecretLimbs * 8>;

// One share for each point. REQUIRES: 1 <= threshold <= points.size(); points distinct, not zero, below 2^61 - 1.
std::vector<Share> SplitSecret(const Secret32& secret, int threshold, std::span<const SharePoint> points,
                               RandomSource& random);

struct HeldShare {
  SharePoint point = 0;
  const Share* share = nullptr;
};

// The secret from exactly `threshold` shares. InvalidArgument if points repeat or are zero, if a value is not in the
// field, or if the limbs are not those of any secret (a limb above 56 bits: some share was wrong).
absl::StatusOr<Secret32> CombineShares(std::span<const HeldShare> shares);

}  // namespace flaim::secagg
