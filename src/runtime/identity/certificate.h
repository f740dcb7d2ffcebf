#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "io/digest.h"

namespace flaim::runtime {

// X.509 with OpenSSL: keys on P-256, certificates that say as little as TLS can do with.

// A private key, PEM. Whoever stores it does so in a file that only its owner can read.
absl::StatusOr<std::string> MakePrivateKey();

// A request for a certificate, PEM: the public half of the key, signed with it. The name, which may be empty, is a
// proposal: the authority issues for the name that the site was invited under.
absl::StatusOr<std::string> MakeSigningRequest(const std::string& private_key, const std::string& site);

// SHA-256 of a certificate's DER; of the public key (SubjectPublicKeyInfo) in a signing request, InvalidArgument if the
// request is not signed by that key, or the key is not on P-256.
absl::StatusOr<Digest> CertificateFingerprint(const std::string& certificate);
absl::StatusOr<Digest> RequestFingerprint(const std::string& signing_request);

// For people and doctors. Of a certificate that was not checked, the name and hosts can be any text: quote them.
struct CertificateFacts {
  std::string name;
  std::vector<std::string> hosts;
  std::chrono::system_clock::time_point valid_from;
  std::chrono::system_clock::time_point valid_until;
};
absl::StatusOr<CertificateFacts> ReadCertificate(const std::string& certificate);

// Unauthenticated, with what to do, unless `certificate` was signed by `authority` and is valid now.
absl::Status CheckCertificate(const std::string& certificate, const std::string& authority, const Clock& clock);

// The study's own authority: it signs for the coordinator and for the sites that were approved, and nothing else
// believes it.
class CertificateAuthority {
 public:
  static absl::StatusOr<CertificateAuthority> Create(const std::string& study, const Clock& clock);
  static absl::StatusOr<CertificateAuthority> Load(const std::string& certificate, const std::string& private_key);

  const std::string& certificate() const { return certificate_; }
  const std::string& private_key() const { return private_key_; }

  // Certificates are valid for two years from five minutes ago, but never longer than the authority, which is valid
  // for ten. FailedPrecondition once it has expired.

  // For a server that is reached under these host names and IP addresses.
  absl::StatusOr<std::string> IssueForServer(const std::string& private_key, const std::vector<std::string>& hosts,
                                             const Clock& clock) const;
  // For a client: the key of the request, the name as given here, nothing else from the request. InvalidArgument if the
  // request is not signed by its own key, or the key is not on P-256.
  absl::StatusOr<std::string> IssueForSite(const std::string& signing_request, const std::string& site,
                                           const Clock& clock) const;

 private:
  CertificateAuthority(std::string certificate, std::string private_key)
      : certificate_(std::move(certificate)), private_key_(std::move(private_key)) {}

  std::string certificate_;
  std::string private_key_;
};

}  // namespace flaim::runtime
