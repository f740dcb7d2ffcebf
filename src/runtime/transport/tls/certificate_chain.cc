#include "runtime/transport/tls/certificate_chain.h"

#include "base/status.h"
#include "runtime/identity/pem.h"

namespace flaim::runtime {
namespace {

constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";

}  // namespace

std::vector<std::string> SplitChain(std::string_view pem) {
  std::vector<std::string> certificates;
  std::size_t begin = pem.find(kBegin);
  while (begin != std::string_view::npos) {
    const std::size_t end = pem.find(kEnd, begin);
    if (end == std::string_view::npos) break;
    certificates.push_back(fmt::format("{}\n", pem.substr(begin, end + kEnd.size() - begin)));
    begin = pem.find(kBegin, end);
  }
  return certificates;
}

std::string ChainOf(const TlsIdentity& identity) {
  std::string chain;
  for (const std::string& certificate : SplitChain(identity.certificate)) chain += certificate;
  for (const std::string& certificate : SplitChain(identity.authority)) chain += certificate;
  return chain;
}

absl::Status CheckIdentity(const TlsIdentity& identity) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const CertificateHandle certificate, CertificateFromPem(identity.certificate));
  ASSIGN_OR_RETURN(const CertificateHandle authority, CertificateFromPem(identity.authority));
  ASSIGN_OR_RETURN(const KeyHandle key, PrivateKeyFromPem(identity.private_key));
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return InvalidArgument(
        "the private key does not belong to the certificate: one of the two files is not the right one");
  }
  return absl::OkStatus();
}

}  // namespace flaim::runtime
