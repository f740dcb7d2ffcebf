#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "io/digest.h"
#include "secagg/crypto/signature.h"

namespace flaim::runtime {

// What the coordinator's people hand to a site's people, once: where to go, a secret that works one time, and how to
// recognise the study's authority. Whoever has the code can apply in the site's name; the fingerprint, which both sides
// compare over another channel before approval, is what keeps strangers out.
struct InviteCode {
  static constexpr std::size_t kSecretBytes = 16;

  std::string address;  // host:port of the coordinator
  std::array<std::uint8_t, kSecretBytes> secret{};
  Digest authority{};  // fingerprint of its certificate

  bool operator==(const InviteCode&) const = default;
};

// One word of letters, digits, '-' and '_', with a checksum: a code that was mistyped or cut off is noticed.
//
// "flaim-", then in base64url without padding: version (1 byte, 1), length of the address (1 byte), address, secret,
// authority, and the first 4 bytes of SHA-256 of all that. Other versions differ between the version and the checksum.
// REQUIRES: ParseNetworkAddress accepts the address.
std::string ToText(const InviteCode& code);
// Reads exactly what ToText writes, with white space around it. InvalidArgument says what is likely to have happened;
// FailedPrecondition for a whole code of another version.
absl::StatusOr<InviteCode> ParseInviteCode(std::string_view text);

// The secret as it travels.
std::string SecretOf(const InviteCode& code);

// What is kept of a secret, so that who reads the coordinator's files cannot apply.
Digest DigestOfSecret(std::string_view secret);

// What a site signs with its key of the secure sums when it applies.
Digest DigestOfApplication(std::string_view secret, std::string_view signing_request, const secagg::VerifyingKey& key);

// What both sides show: 8 groups of 4 hexadecimal digits, over both of the site's public keys.
std::string IdentityFingerprint(const Digest& request, const secagg::VerifyingKey& key);

// "hospital-3": letters, digits, '-', '_' and '.', at most 64, beginning with a letter or digit.
absl::Status CheckSiteName(std::string_view name);

}  // namespace flaim::runtime
