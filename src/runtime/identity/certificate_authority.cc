#include <openssl/obj_mac.h>

#include <algorithm>

#include "base/status.h"
#include "io/message_text.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/invite_code.h"
#include "runtime/identity/network_address.h"
#include "runtime/identity/pem.h"

namespace flaim::runtime {
namespace {

using TimePoint = std::chrono::system_clock::time_point;

constexpr std::chrono::hours kAuthorityLife{24 * 3652};   // ten years
constexpr std::chrono::hours kCertificateLife{24 * 730};  // two years
// The other side's clock may be this much behind.
constexpr std::chrono::minutes kClockSkew{5};
constexpr int kSerialBits = 128;
constexpr std::size_t kMaxNameBytes = 64;

// What differs between the certificates that an authority makes.
struct Contents {
  std::string name;
  std::vector<std::pair<int, std::string>> extensions;  // OpenSSL's number and text for each
  TimePoint valid_from;
  TimePoint valid_until;
};

struct Issuer {
  X509* certificate = nullptr;  // null: the new certificate itself
  EVP_PKEY* key = nullptr;
};

bool SetSerial(X509& certificate) {
  const BigNumberHandle serial(BN_new());
  return serial != nullptr && BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
         BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(&certificate)) != nullptr;
}

bool SetName(X509& certificate, const std::string& name) {
  return X509_NAME_add_entry_by_NID(X509_get_subject_name(&certificate), NID_commonName, MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(name.data()), static_cast<int>(name.size()),
                                    /*loc=*/-1, /*set=*/0) == 1;
}

bool SetTime(ASN1_TIME* field, TimePoint time) {
  return ASN1_TIME_set(field, std::chrono::system_clock::to_time_t(time)) != nullptr;
}

bool AddExtension(X509& certificate, X509& issuer, int kind, const std::string& text) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  const ExtensionHandle extension(X509V3_EXT_conf_nid(nullptr, &context, kind, text.c_str()));
  return extension != nullptr && X509_add_ext(&certificate, extension.get(), -1) == 1;
}

absl::StatusOr<std::string> Sign(EVP_PKEY& subject_key, const Contents& contents, const Issuer& issuer) {
  const CertificateHandle certificate(X509_new());
  if (certificate == nullptr) return OpenSslFailure();
  X509& issuing = issuer.certificate != nullptr ? *issuer.certificate : *certificate;
  const bool is_filled_in = X509_set_version(certificate.get(), X509_VERSION_3) == 1 && SetSerial(*certificate) &&
                            SetName(*certificate, contents.name) &&
                            X509_set_issuer_name(certificate.get(), X509_get_subject_name(&issuing)) == 1 &&
                            SetTime(X509_getm_notBefore(certificate.get()), contents.valid_from) &&
                            SetTime(X509_getm_notAfter(certificate.get()), contents.valid_until) &&
                            X509_set_pubkey(certificate.get(), &subject_key) == 1;
  if (!is_filled_in) return OpenSslFailure();
  for (const auto& [kind, text] : contents.extensions) {
    if (!AddExtension(*certificate, issuing, kind, text)) return OpenSslFailure();
  }
  if (X509_sign(certificate.get(), issuer.key, EVP_sha256()) <= 0) return OpenSslFailure();
  return ToPem(*certificate);
}

absl::Status CheckStudyName(const std::string& study) {
  const bool has_control_characters = std::any_of(study.begin(), study.end(), [](char character) {
    return static_cast<unsigned char>(character) < 0x20 || character == 0x7f;
  });
  if (!study.empty() && study.size() <= kMaxNameBytes && IsUtf8(study) && !has_control_characters) {
    return absl::OkStatus();
  }
  return InvalidArgument("{} cannot be the name of a study: give 1 to {} bytes of text in one line",
                         QuoteForMessage(study), kMaxNameBytes);
}

absl::Status CheckLife(const CertificateFacts& authority, TimePoint now) {
  if (now < authority.valid_from) {
    return FailedPrecondition("by this machine's clock the study's authority is not valid yet: set the clock right");
  }
  if (now >= authority.valid_until) {
    return FailedPrecondition(
        "the study's authority has expired, unless this machine's clock is wrong: set the study up anew");
  }
  return absl::OkStatus();
}

// A certificate for a key that is not the authority's own, within the authority's life.
absl::StatusOr<std::string> IssueLeaf(const CertificateAuthority& authority, EVP_PKEY& subject_key, Contents contents,
                                      const Clock& clock) {
  ASSIGN_OR_RETURN(const CertificateHandle certificate, CertificateFromPem(authority.certificate()));
  ASSIGN_OR_RETURN(const KeyHandle key, PrivateKeyFromPem(authority.private_key()));
  if (EVP_PKEY_eq(&subject_key, key.get()) == 1) {
    return InvalidArgument("the authority's own key cannot be anybody else's: make another key");
  }
  ASSIGN_OR_RETURN(const CertificateFacts own, ReadCertificate(authority.certificate()));
  RETURN_IF_ERROR(CheckLife(own, clock.Now()));
  contents.valid_from = std::max(clock.Now() - kClockSkew, own.valid_from);
  contents.valid_until = std::min<TimePoint>(clock.Now() + kCertificateLife, own.valid_until);
  for (const auto& [kind, text] :
       std::initializer_list<std::pair<int, std::string>>{{NID_basic_constraints, "critical,CA:FALSE"},
                                                          {NID_key_usage, "critical,digitalSignature"},
                                                          {NID_subject_key_identifier, "hash"},
                                                          {NID_authority_key_identifier, "keyid:always"}}) {
    contents.extensions.emplace_back(kind, text);
  }
  return Sign(subject_key, contents, {.certificate = certificate.get(), .key = key.get()});
}

}  // namespace

absl::StatusOr<CertificateAuthority> CertificateAuthority::Create(const std::string& study, const Clock& clock) {
  RETURN_IF_ERROR(CheckStudyName(study));
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(std::string private_key, MakePrivateKey());
  ASSIGN_OR_RETURN(const KeyHandle key, PrivateKeyFromPem(private_key));
  const Contents contents = {.name = study,
                             .extensions = {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                                            {NID_key_usage, "critical,keyCertSign,cRLSign"},
                                            {NID_subject_key_identifier, "hash"}},
                             .valid_from = clock.Now() - kClockSkew,
                             .valid_until = clock.Now() + kAuthorityLife};
  ASSIGN_OR_RETURN(std::string certificate, Sign(*key, contents, {.certificate = nullptr, .key = key.get()}));
  return CertificateAuthority(std::move(certificate), std::move(private_key));
}

absl::StatusOr<CertificateAuthority> CertificateAuthority::Load(const std::string& certificate,
                                                                const std::string& private_key) {
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const CertificateHandle own, CertificateFromPem(certificate));
  ASSIGN_OR_RETURN(const KeyHandle key, PrivateKeyFromPem(private_key));
  const bool is_authority = X509_check_ca(own.get()) == 1 && X509_check_issued(own.get(), own.get()) == X509_V_OK;
  if (!is_authority) return InvalidArgument("the certificate is not that of a study's authority: check the files");
  if (X509_check_private_key(own.get(), key.get()) != 1 || X509_verify(own.get(), key.get()) != 1) {
    return InvalidArgument("the authority's key does not belong to its certificate: restore both from the same copy");
  }
  return CertificateAuthority(certificate, private_key);
}

absl::StatusOr<std::string> CertificateAuthority::IssueForServer(const std::string& private_key,
                                                                 const std::vector<std::string>& hosts,
                                                                 const Clock& clock) const {
  if (hosts.empty()) return InvalidArgument("name at least one host under which the coordinator is reached");
  const ErrorQueueMark mark;
  std::string names;
  for (const std::string& host : hosts) {
    RETURN_IF_ERROR(CheckHost(host));
    names += fmt::format("{}{}:{}", names.empty() ? "" : ",", IsIpAddress(host) ? "IP" : "DNS", host);
  }
  ASSIGN_OR_RETURN(const KeyHandle key, PrivateKeyFromPem(private_key));
  Contents contents;
  contents.name = "coordinator";
  contents.extensions = {{NID_ext_key_usage, "serverAuth"}, {NID_subject_alt_name, names}};
  return IssueLeaf(*this, *key, std::move(contents), clock);
}

absl::StatusOr<std::string> CertificateAuthority::IssueForSite(const std::string& signing_request,
                                                               const std::string& site, const Clock& clock) const {
  RETURN_IF_ERROR(CheckSiteName(site));
  const ErrorQueueMark mark;
  ASSIGN_OR_RETURN(const RequestHandle request, RequestFromPem(signing_request));
  Contents contents;
  contents.name = site;
  contents.extensions = {{NID_ext_key_usage, "clientAuth"}};
  return IssueLeaf(*this, *X509_REQ_get0_pubkey(request.get()), std::move(contents), clock);
}

}  // namespace flaim::runtime
