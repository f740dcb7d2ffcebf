#include "runtime/programs/coordinator_folder.h"

#include "base/secure_random_source.h"
#include "base/status.h"
#include "io/hex.h"
#include "runtime/identity/network_address.h"
#include "runtime/identity/private_file.h"
#include "runtime/identity/signing_key_file.h"
#include "runtime/programs/manifest_files.h"

namespace flaim::runtime {
namespace {

std::string RandomId(RandomSource& random) {
  std::array<std::uint8_t, 16> bytes{};
  random.Fill(std::as_writable_bytes(std::span(bytes)));
  return ToHex(bytes);
}

}  // namespace

absl::StatusOr<Study> CoordinatorFolder::Create(const std::string& path, Manifest manifest, const std::string& address,
                                                std::vector<std::string> hosts, const Clock& clock) {
  ASSIGN_OR_RETURN(const NetworkAddress dialled, ParseNetworkAddress(address));
  hosts.insert(hosts.begin(), dialled.host);
  SecureRandomSource random;
  // Everything that can be refused is, before there is a folder.
  manifest.id = RandomId(random);
  const secagg::SigningKey rehearsal = secagg::SigningKey::Generate(random);
  manifest.server = rehearsal.verifying_key();
  ASSIGN_OR_RETURN(Study study, OpenStudy(Sign(manifest, rehearsal)));
  RETURN_IF_ERROR(MakeFolder(path));
  ASSIGN_OR_RETURN(const secagg::SigningKey signing_key, CreateSigningKey(path + "/signing.key", random));
  manifest.server = signing_key.verifying_key();
  ASSIGN_OR_RETURN(const CertificateAuthority authority, CertificateAuthority::Create(manifest.study, clock));
  ASSIGN_OR_RETURN(const std::string key, MakePrivateKey());
  ASSIGN_OR_RETURN(const std::string certificate, authority.IssueForServer(key, hosts, clock));
  RETURN_IF_ERROR(WritePrivateFile(path + "/authority.key", authority.private_key()));
  RETURN_IF_ERROR(WritePrivateFile(path + "/server.key", key));
  RETURN_IF_ERROR(WriteTextFile(path + "/authority.pem", authority.certificate()));
  RETURN_IF_ERROR(WriteTextFile(path + "/server.pem", certificate));
  RETURN_IF_ERROR(WriteTextFile(path + "/address", address + "\n"));
  // Only who signs has changed: the same plan, which takes long to work out, need not be worked out again.
  const SignedManifest signed_manifest = Sign(manifest, signing_key);
  RETURN_IF_ERROR(WriteManifest(path, signed_manifest));
  study.manifest = std::move(manifest);
  study.digest = signed_manifest.digest();
  return study;
}

absl::StatusOr<CoordinatorFolder> CoordinatorFolder::Open(const std::string& path) {
  absl::StatusOr<SignedManifest> manifest = ReadManifest(path);
  if (absl::IsNotFound(manifest.status())) {
    return absl::NotFoundError(
        fmt::format("{} is not the folder of a study: make one with `flaim coordinator init {}`", path, path));
  }
  RETURN_IF_ERROR(manifest.status());
  ASSIGN_OR_RETURN(secagg::SigningKey signing_key, LoadSigningKey(path + "/signing.key"));
  ASSIGN_OR_RETURN(const std::string authority_certificate, ReadTextFile(path + "/authority.pem"));
  ASSIGN_OR_RETURN(const std::string authority_key, ReadPrivateFile(path + "/authority.key"));
  ASSIGN_OR_RETURN(CertificateAuthority authority, CertificateAuthority::Load(authority_certificate, authority_key));
  ASSIGN_OR_RETURN(const std::string certificate, ReadTextFile(path + "/server.pem"));
  ASSIGN_OR_RETURN(const std::string key, ReadPrivateFile(path + "/server.key"));
  ASSIGN_OR_RETURN(std::string address, ReadTextFile(path + "/address"));
  while (address.ends_with('\n')) address.pop_back();
  TlsIdentity identity{
      .certificate = certificate + authority_certificate, .private_key = key, .authority = authority_certificate};
  return CoordinatorFolder(path, *std::move(manifest), std::move(address), std::move(authority), std::move(identity),
                           std::move(signing_key));
}

}  // namespace flaim::runtime
