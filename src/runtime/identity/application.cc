#include "runtime/identity/application.h"

#include <algorithm>

#include "base/status.h"
#include "runtime/identity/certificate.h"

namespace flaim::runtime {
namespace {

// Ours have about 500 bytes; they are kept, so strangers may not choose how much.
constexpr std::size_t kMaxRequestBytes = 4096;

}  // namespace

Application MakeApplication(const InviteCode& code, const std::string& signing_request, const secagg::SigningKey& key) {
  std::string secret = SecretOf(code);
  const secagg::Signature signature = key.Sign(DigestOfApplication(secret, signing_request, key.verifying_key()));
  return {.invite_secret = std::move(secret),
          .signing_request = signing_request,
          .verifying_key = std::string(key.verifying_key().begin(), key.verifying_key().end()),
          .signature = std::string(signature.begin(), signature.end())};
}

absl::StatusOr<secagg::VerifyingKey> VerifyingKeyFrom(std::string_view bytes) {
  secagg::VerifyingKey key;
  if (bytes.size() != key.size()) {
    return InvalidArgument("a verifying key has {} bytes, not {}: join again with this version of flaim", key.size(),
                           bytes.size());
  }
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

absl::StatusOr<Applicant> CheckApplication(const Application& application) {
  ASSIGN_OR_RETURN(const secagg::VerifyingKey key, VerifyingKeyFrom(application.verifying_key));
  secagg::Signature signature{};
  const bool has_right_size = application.signature.size() == signature.size();
  if (has_right_size) std::copy(application.signature.begin(), application.signature.end(), signature.begin());
  const Digest signed_digest = DigestOfApplication(application.invite_secret, application.signing_request, key);
  if (!has_right_size || !secagg::IsSignedBy(key, signed_digest, signature)) {
    return InvalidArgument("the application is not signed by the key that it presents: join again");
  }
  if (application.signing_request.size() > kMaxRequestBytes) {
    return InvalidArgument("the request for a certificate has {} bytes, and {} are allowed: make it again",
                           application.signing_request.size(), kMaxRequestBytes);
  }
  ASSIGN_OR_RETURN(const Digest fingerprint, RequestFingerprint(application.signing_request));
  return Applicant{.verifying_key = key, .request_fingerprint = fingerprint};
}

}  // namespace flaim::runtime
