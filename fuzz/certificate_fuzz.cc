#include <openssl/pem.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/openssl_handles.h"

// Any bytes as PEM, and as what PEM wraps: 'R' and the bytes of a request for a certificate, 'C' and those of a
// certificate, anything else a text. A request that is accepted leads to a certificate that the authority stands for,
// under the name that was asked for; a certificate that passes the check is one that the authority has signed.

namespace {

using namespace flaim::runtime;

const flaim::ManualClock& Noon() {
  static const flaim::ManualClock clock(std::chrono::system_clock::time_point(std::chrono::seconds(1'763'294'400)));
  return clock;
}

const CertificateAuthority& Authority() {
  static const CertificateAuthority authority = *CertificateAuthority::Create("Fuzz", Noon());
  return authority;
}

std::string Pem(const char* label, const std::uint8_t* data, std::size_t size) {
  const ErrorQueueMark mark;  // nothing cannot be wrapped
  const StreamHandle stream(BIO_new(BIO_s_mem()));
  PEM_write_bio(stream.get(), label, "", data, static_cast<long>(size));
  char* bytes = nullptr;
  const long length = BIO_get_mem_data(stream.get(), &bytes);
  return {bytes, static_cast<std::size_t>(length)};
}

void TryRequest(const std::string& text) {
  const bool is_accepted = RequestFingerprint(text).ok();
  const absl::StatusOr<std::string> certificate = Authority().IssueForSite(text, "site", Noon());
  CHECK(certificate.ok() == is_accepted);
  if (!is_accepted) return;
  CHECK(CheckCertificate(*certificate, Authority().certificate(), Noon()).ok());
  CHECK(ReadCertificate(*certificate)->name == "site");
}

void TryCertificate(const std::string& text) {
  CHECK(CertificateFingerprint(text).ok() || !ReadCertificate(text).ok());
  CHECK(!CheckCertificate(text, Authority().certificate(), Noon()).ok(), "a forged certificate passed");
  CheckCertificate(Authority().certificate(), text, Noon()).IgnoreError();
  CheckCertificate(text, text, Noon()).IgnoreError();
  CertificateAuthority::Load(text, Authority().private_key()).status().IgnoreError();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool is_request = data[0] == 'R';
  const bool is_certificate = data[0] == 'C';
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (!is_certificate) TryRequest(is_request ? Pem("CERTIFICATE REQUEST", data + 1, size - 1) : text);
  if (!is_request) TryCertificate(is_certificate ? Pem("CERTIFICATE", data + 1, size - 1) : text);
  if (!is_request && !is_certificate) MakeSigningRequest(text, "site").status().IgnoreError();
  CHECK(ERR_peek_error() == 0, "an error was left in OpenSSL's queue");
  return 0;
}
