#include "runtime/identity/certificate.h"

#include <arpa/inet.h>
#include <openssl/obj_mac.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>

#include "base/status.h"
#include "fmt/chrono.h"
#include "io/message_text.h"
#include "runtime/identity/invite_code.h"
#include "runtime/identity/pem.h"

namespace flaim::runtime {
namespace {

using TimePoint = std::chrono::system_clock::time_point;

// X.509 knows the years 0 to 9999, the clock in nanoseconds only those from 1678 to 2261.
absl::StatusOr<TimePoint> TimePointFrom(const ASN1_TIME& time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(&time, &parts) != 1) return InvalidArgument("the certificate has a date that is none");
  constexpr std::chrono::seconds kEarliest =
      std::chrono::ceil<std::chrono::seconds>(TimePoint::min().time_since_epoch());
  constexpr std::chrono::seconds kLatest =
      std::chrono::floor<std::chrono::seconds>(TimePoint::max().time_since_epoch());
  return TimePoint(std::clamp(std::chrono::seconds(timegm(&parts)), kEarliest, kLatest));
}

std::string TextOf(TimePoint time) {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

absl::StatusOr<std::string> CommonName(const X509& certificate) {
  const X509_NAME* subject = X509_get_subject_name(&certificate);
  const int index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (index < 0) return std::string();
  if (X509_NAME_get_index_by_NID(subject, NID_commonName, index) >= 0) {
    return InvalidArgument("the certificate has more than one name");
  }
  unsigned char* text = nullptr;
  const int size = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
  if (size < 0) return InvalidArgument("the name in the certificate is no text");
  std::string name(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  OPENSSL_free(text);
  return name;
}

std::string AddressText(const ASN1_OCTET_STRING& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = ASN1_STRING_length(&address) == 4 ? AF_INET : AF_INET6;
  if (family == AF_INET6 && ASN1_STRING_length(&address) != 16) return {};
  inet_ntop(family, ASN1_STRING_get0_data(&address), text.data(), text.size());
  return text.data();
}

std::vector<std::string> HostsOf(const X509& certificate) {
  std::vector<std::string> hosts;
  const GeneralNamesHandle names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) {
      hosts.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName)),
                         static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName)));
    } else if (name->type == GEN_IPADD) {
      hosts.push_back(AddressText(*name->d.iPAddress));
    }
  }
  return hosts;
}

absl::StatusOr<CertificateFacts> FactsOf(const X509& certificate) {
  ASSIGN_OR_RETURN(std::string name, CommonName(certificate));
  ASSIGN_OR_RETURN(const TimePoint valid_from, TimePointFrom(*X509_get0_notBefore(&certificate)));
  ASSIGN_OR_RETURN(const TimePoint valid_until, TimePointFrom(*X509_get0_notAfter(&certificate)));
  return CertificateFacts{
      .name = std::move(name), .hosts = HostsOf(certificate), .valid_from = valid_from, .valid_until = valid_until};
}

// X509_V_OK, or OpenSSL's first objection to the chain of these two, and to which of them.
struct Objection {
  int error = X509_V_OK;
  bool is_to_authority = false;
};

absl::StatusOr<Objection> Verify(X509& certificate, X509& authority, TimePoint now) {
  const StoreHandle store(X509_STORE_new());
  const StoreContextHandle context(X509_STORE_CTX_new());
  if (store == nullptr || context == nullptr || X509_STORE_add_cert(store.get(), &authority) != 1 ||
      X509_STORE_CTX_init(context.get(), store.get(), &certificate, nullptr) != 1) {
    return OpenSslFailure();
  }
  X509_STORE_CTX_set_time(context.get(), 0, std::chrono::system_clock::to_time_t(now));
  if (X509_verify_cert(context.get()) == 1) return Objection{};
  const int error = X509_STORE_CTX_get_error(context.get());
  return Objection{.error = error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error,
                   .is_to_authority = X509_STORE_CTX_get_error_depth(context.get()) > 0};
}

absl::Status Explain(const Objection& objection, const CertificateFacts& facts, TimePoint now) {
  const std::string whose = objection.is_to_authority
                                ? fmt::format("the authority {}", QuoteForMessage(facts.name))
                                : fmt::format("the certificate of {}", QuoteForMessage(facts.name));
  switch (objection.error) {
    case X509_V_OK:
      return absl::OkStatus();
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return absl::UnauthenticatedError(fmt::format(
          "{} expired on {}; this machine's clock says {}. {}, unless the clock is wrong: then set it right", whose,
          TextOf(facts.valid_until), TextOf(now),
          objection.is_to_authority ? "Set the study up anew"
                                    : "Have it replaced: by a new invite for a site, by a new "
                                      "server certificate for the coordinator"));
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return absl::UnauthenticatedError(
          fmt::format("{} is valid only from {}; this machine's clock says {}. Set the clock of this machine right, or "
                      "that of the machine that issued it and have it issued again",
                      whose, TextOf(facts.valid_from), TextOf(now)));
    default:
      return absl::UnauthenticatedError(
          fmt::format("{} was not signed by this study's authority ({}): it belongs to another study, or somebody "
                      "pretends. Check the address, the files and the invite code; do not go on",
                      whose, X509_verify_cert_error_string(objection.error)));
  }
}

absl::Status Unauthenticated(const absl::Status& status) {
  return absl::UnauthenticatedError(std::string(status.message()));
}

}  // namespace

absl::StatusOr<std::string> MakePrivateKey() {
  const ErrorQueueMark mark;
  const KeyHandle key(EVP_EC_gen("P-256"));
  if (key == nullptr) return OpenSslFailure();
  return PrivateKeyToPem(*key);
}

absl::StatusOr<std::string> MakeSigningRequest(const std::string& private_key, const std::string& site) {
  if (!site.empty()) RETURN_IF_ERROR(CheckSiteName(site));
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const KeyHandle key, PrivateKeyFromPem(private_key));
  const RequestHandle request(X509_REQ_new());
  if (request == nullptr || X509_REQ_set_version(request.get(), X509_REQ_VERSION_1) != 1 ||
      X509_REQ_set_pubkey(request.get(), key.get()) != 1) {
    return OpenSslFailure();
  }
  if (!site.empty() &&
      X509_NAME_add_entry_by_NID(X509_REQ_get_subject_name(request.get()), NID_commonName, MBSTRING_UTF8,
                                 reinterpret_cast<const unsigned char*>(site.data()), static_cast<int>(site.size()),
                                 /*loc=*/-1, /*set=*/0) != 1) {
    return OpenSslFailure();
  }
  if (X509_REQ_sign(request.get(), key.get(), EVP_sha256()) <= 0) return OpenSslFailure();
  return ToPem(*request);
}

absl::StatusOr<Digest> CertificateFingerprint(const std::string& certificate) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const CertificateHandle parsed, CertificateFromPem(certificate));
  Digest digest;
  unsigned size = 0;
  if (X509_digest(parsed.get(), EVP_sha256(), digest.data(), &size) != 1 || size != digest.size()) {
    return OpenSslFailure();
  }
  return digest;
}

absl::StatusOr<Digest> RequestFingerprint(const std::string& signing_request) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const RequestHandle request, RequestFromPem(signing_request));
  return FingerprintOfKey(*X509_REQ_get0_pubkey(request.get()));
}

absl::StatusOr<CertificateFacts> ReadCertificate(const std::string& certificate) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const CertificateHandle parsed, CertificateFromPem(certificate));
  return FactsOf(*parsed);
}

absl::Status CheckCertificate(const std::string& certificate, const std::string& authority, const Clock& clock) {
  const ErrorQueueMark mark;
  const absl::StatusOr<CertificateHandle> leaf = CertificateFromPem(certificate);
  if (!leaf.ok()) return Unauthenticated(leaf.status());
  const absl::StatusOr<CertificateHandle> root = CertificateFromPem(authority);
  if (!root.ok()) return Unauthenticated(root.status());
  const TimePoint now = clock.Now();
  ASSIGN_OR_RETURN(const Objection objection, Verify(**leaf, **root, now));
  if (objection.error == X509_V_OK) return absl::OkStatus();
  const absl::StatusOr<CertificateFacts> facts = FactsOf(objection.is_to_authority ? **root : **leaf);
  if (!facts.ok()) return Unauthenticated(facts.status());
  return Explain(objection, *facts, now);
}

}  // namespace flaim::runtime
