#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "io/digest.h"
#include "runtime/identity/openssl_handles.h"

namespace flaim::runtime {

// Between PEM texts, which may come from anybody, and OpenSSL's objects. InvalidArgument for what is not what it should
// be. A text that is encrypted with a pass phrase is refused; nobody is ever asked for one.

absl::StatusOr<CertificateHandle> CertificateFromPem(const std::string& text);
// On P-256, or refused.
absl::StatusOr<KeyHandle> PrivateKeyFromPem(const std::string& text);
// With a public key on P-256 that has signed the request, or refused.
absl::StatusOr<RequestHandle> RequestFromPem(const std::string& text);

absl::StatusOr<std::string> ToPem(X509& certificate);
absl::StatusOr<std::string> ToPem(X509_REQ& request);
absl::StatusOr<std::string> PrivateKeyToPem(EVP_PKEY& key);

// SHA-256 of the key's SubjectPublicKeyInfo. InvalidArgument if the key is not on P-256, or written in one of the other
// ways in which X.509 lets the same key be written.
absl::StatusOr<Digest> FingerprintOfKey(EVP_PKEY& key);

// What OpenSSL refuses to do although its input is right: memory or its random source has run out.
absl::Status OpenSslFailure();

}  // namespace flaim::runtime
