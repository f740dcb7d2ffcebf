#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "io/digest.h"
#include "runtime/identity/invite_code.h"
#include "secagg/crypto/signature.h"

namespace flaim::runtime {

// What a site that was invited sends to become a member: both of its public keys, each proved to be its own.
struct Application {
  std::string invite_secret;
  std::string signing_request;  // PEM, signed by the key of its future certificate
  std::string verifying_key;    // Ed25519, of the secure sums
  std::string signature;        // by it, over all of the above

  bool operator==(const Application&) const = default;
};

Application MakeApplication(const InviteCode& code, const std::string& signing_request, const secagg::SigningKey& key);

// Who applies, as far as public keys say.
struct Applicant {
  secagg::VerifyingKey verifying_key{};
  Digest request_fingerprint{};
};

// InvalidArgument unless each of the two keys has signed, over this invite. Does not say whether the invite is any
// good.
absl::StatusOr<Applicant> CheckApplication(const Application& application);

// The key in its bytes; InvalidArgument if they are too many or too few.
absl::StatusOr<secagg::VerifyingKey> VerifyingKeyFrom(std::string_view bytes);

}  // namespace flaim::runtime
