#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/tls_identity.h"
#include "runtime/study/manifest.h"
#include "runtime/study/study.h"

namespace flaim::runtime {

// What the coordinator of a study keeps, in one folder: the manifest, its keys and certificates, the book of sites, the
// journal, and in the end the model.
class CoordinatorFolder {
 public:
  // Makes the folder of a study, and hands back the study: draws the keys, signs the manifest (whose `server` and `id`
  // are filled in), makes the authority. `address` is what sites will dial; `hosts` are more names under which the
  // coordinator is reached.
  static absl::StatusOr<Study> Create(const std::string& path, Manifest manifest, const std::string& address,
                                      std::vector<std::string> hosts, const Clock& clock);
  static absl::StatusOr<CoordinatorFolder> Open(const std::string& path);

  const std::string& path() const { return path_; }
  const SignedManifest& manifest() const { return manifest_; }
  const std::string& address() const { return address_; }
  const CertificateAuthority& authority() const { return authority_; }
  const TlsIdentity& identity() const { return identity_; }
  const secagg::SigningKey& signing_key() const { return signing_key_; }

  std::string SitesPath() const { return path_ + "/sites.db"; }
  std::string JournalPath() const { return path_ + "/journal.log"; }
  std::string SumPath() const { return path_ + "/sum.log"; }
  std::string ModelPath() const { return path_ + "/model.flaim"; }
  std::string StatusUrlPath() const { return path_ + "/status-url"; }

 private:
  CoordinatorFolder(std::string path, SignedManifest manifest, std::string address, CertificateAuthority authority,
                    TlsIdentity identity, secagg::SigningKey signing_key)
      : path_(std::move(path)),
        manifest_(std::move(manifest)),
        address_(std::move(address)),
        authority_(std::move(authority)),
        identity_(std::move(identity)),
        signing_key_(std::move(signing_key)) {}

  std::string path_;
  SignedManifest manifest_;
  std::string address_;
  CertificateAuthority authority_;
  TlsIdentity identity_;
  secagg::SigningKey signing_key_;
};

}  // namespace flaim::runtime
