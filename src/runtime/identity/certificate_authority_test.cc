#include <openssl/x509v3.h>

#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/identity/certificate.h"
#include "runtime/identity/identity_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

// What `openssl verify -x509_strict -purpose ... -attime ...` does.
int VerifyStrictly(const std::string& leaf, const std::string& root, int purpose, const Clock& clock) {
  const CertificateHandle certificate = *CertificateFromPem(leaf);
  const CertificateHandle authority = *CertificateFromPem(root);
  const StoreHandle store(X509_STORE_new());
  X509_STORE_add_cert(store.get(), authority.get());
  const StoreContextHandle context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr);
  X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_X509_STRICT | X509_V_FLAG_CHECK_SS_SIGNATURE);
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_STORE_CTX_set_time(context.get(), 0, std::chrono::system_clock::to_time_t(clock.Now()));
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

struct Study {
  ManualClock clock{kNoon};
  CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);

  std::string Site(const std::string& name) const {
    return *authority.IssueForSite(*MakeSigningRequest(*MakePrivateKey(), ""), name, clock);
  }
  std::string Server(const std::vector<std::string>& hosts) const {
    return *authority.IssueForServer(*MakePrivateKey(), hosts, clock);
  }
};

TEST(CertificateAuthority, IsAnAuthorityThatMayNotMakeOthers) {
  const Study study;
  const CertificateHandle own = *CertificateFromPem(study.authority.certificate());
  EXPECT_EQ(X509_check_ca(own.get()), 1);
  EXPECT_EQ(X509_get_pathlen(own.get()), 0);
  EXPECT_EQ(X509_get_key_usage(own.get()), static_cast<unsigned>(KU_KEY_CERT_SIGN | KU_CRL_SIGN));
  EXPECT_EQ(VerifyStrictly(study.authority.certificate(), study.authority.certificate(), X509_PURPOSE_ANY, study.clock),
            X509_V_OK);
  const CertificateFacts facts = *ReadCertificate(study.authority.certificate());
  EXPECT_EQ(facts.valid_from, kNoon - std::chrono::minutes(5));
  EXPECT_EQ(facts.valid_until, kNoon + 3652 * kDay);
}

TEST(CertificateAuthority, IssuesForSitesAsClientsOnly) {
  const Study study;
  const std::string certificate = study.Site("hospital-3");
  EXPECT_EQ(VerifyStrictly(certificate, study.authority.certificate(), X509_PURPOSE_SSL_CLIENT, study.clock),
            X509_V_OK);
  EXPECT_EQ(VerifyStrictly(certificate, study.authority.certificate(), X509_PURPOSE_SSL_SERVER, study.clock),
            X509_V_ERR_INVALID_PURPOSE);
  const CertificateHandle parsed = *CertificateFromPem(certificate);
  EXPECT_EQ(X509_check_ca(parsed.get()), 0);
  EXPECT_EQ(X509_get_key_usage(parsed.get()), static_cast<unsigned>(KU_DIGITAL_SIGNATURE));
  EXPECT_EQ(X509_get_extended_key_usage(parsed.get()), static_cast<unsigned>(XKU_SSL_CLIENT));
}

TEST(CertificateAuthority, IssuesForServersUnderTheirHostsOnly) {
  const Study study;
  const std::string certificate = study.Server({"flaim.example.org", "192.0.2.7", "2001:db8::7"});
  EXPECT_EQ(VerifyStrictly(certificate, study.authority.certificate(), X509_PURPOSE_SSL_SERVER, study.clock),
            X509_V_OK);
  EXPECT_EQ(VerifyStrictly(certificate, study.authority.certificate(), X509_PURPOSE_SSL_CLIENT, study.clock),
            X509_V_ERR_INVALID_PURPOSE);
  const CertificateHandle parsed = *CertificateFromPem(certificate);
  EXPECT_EQ(X509_check_host(parsed.get(), "flaim.example.org", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_ip_asc(parsed.get(), "192.0.2.7", 0), 1);
  EXPECT_EQ(X509_check_ip_asc(parsed.get(), "2001:db8:0:0::7", 0), 1);
  EXPECT_EQ(X509_check_host(parsed.get(), "example.org", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_host(parsed.get(), "coordinator", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_check_ip_asc(parsed.get(), "192.0.2.8", 0), 0);
}

TEST(CertificateAuthority, RefusesHostsThatAreNone) {
  const Study study;
  const std::string key = *MakePrivateKey();
  EXPECT_EQ(study.authority.IssueForServer(key, {}, study.clock).status().code(), kInvalid);
  for (const char* host : {"", "*.example.org", "a,DNS:b", "a b", "email:x", "[::1]", "host:1"}) {
    EXPECT_EQ(study.authority.IssueForServer(key, {"good", host}, study.clock).status().code(), kInvalid) << host;
  }
}

TEST(CertificateAuthority, TakesNothingFromARequestButItsKey) {
  const Study study;
  const KeyHandle key(EVP_EC_gen("P-256"));
  const RequestHandle request(X509_REQ_new());
  ASSERT_EQ(X509_REQ_set_pubkey(request.get(), key.get()), 1);
  ASSERT_EQ(X509_NAME_add_entry_by_txt(X509_REQ_get_subject_name(request.get()), "CN", MBSTRING_ASC,
                                       reinterpret_cast<const unsigned char*>("admin"), -1, -1, 0),
            1);
  STACK_OF(X509_EXTENSION)* wishes = sk_X509_EXTENSION_new_null();
  sk_X509_EXTENSION_push(wishes, X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE"));
  sk_X509_EXTENSION_push(wishes, X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:flaim.example.org"));
  ASSERT_EQ(X509_REQ_add_extensions(request.get(), wishes), 1);
  sk_X509_EXTENSION_pop_free(wishes, X509_EXTENSION_free);
  ASSERT_GT(X509_REQ_sign(request.get(), key.get(), EVP_sha256()), 0);

  const std::string certificate = *study.authority.IssueForSite(*ToPem(*request), "hospital-3", study.clock);
  const CertificateHandle parsed = *CertificateFromPem(certificate);
  EXPECT_EQ(ReadCertificate(certificate)->name, "hospital-3");
  EXPECT_TRUE(ReadCertificate(certificate)->hosts.empty());
  EXPECT_EQ(X509_check_ca(parsed.get()), 0);
  EXPECT_EQ(EVP_PKEY_eq(X509_get0_pubkey(parsed.get()), key.get()), 1);
}

TEST(CertificateAuthority, RefusesRequestsThatAreNotProvedOrNotOnP256) {
  const Study study;
  const KeyHandle key(EVP_EC_gen("P-256"));
  const KeyHandle other(EVP_EC_gen("P-256"));
  const KeyHandle rsa(EVP_RSA_gen(2048));
  EXPECT_EQ(study.authority.IssueForSite(RequestFor(*key, *other), "a", study.clock).status().code(), kInvalid);
  EXPECT_EQ(study.authority.IssueForSite(RequestFor(*rsa, *rsa), "a", study.clock).status().code(), kInvalid);
  EXPECT_EQ(study.authority.IssueForSite("", "a", study.clock).status().code(), kInvalid);
  EXPECT_EQ(study.authority.IssueForSite(RequestFor(*key, *key), "a b", study.clock).status().code(), kInvalid);
  EXPECT_EQ(study.authority.IssueForSite(RequestFor(*key, *key), "", study.clock).status().code(), kInvalid);
  EXPECT_TRUE(study.authority.IssueForSite(RequestFor(*key, *key), "a", study.clock).ok());
}

TEST(CertificateAuthority, GivesNobodyItsOwnKey) {
  const Study study;
  const KeyHandle own = *PrivateKeyFromPem(study.authority.private_key());
  EXPECT_EQ(study.authority.IssueForSite(RequestFor(*own, *own), "a", study.clock).status().code(), kInvalid);
  EXPECT_EQ(study.authority.IssueForServer(study.authority.private_key(), {"a"}, study.clock).status().code(),
            kInvalid);
}

TEST(CertificateAuthority, NeverIssuesBeyondItsOwnLife) {
  Study study;
  const CertificateFacts own = *ReadCertificate(study.authority.certificate());
  EXPECT_EQ(ReadCertificate(study.Site("a"))->valid_from, kNoon - std::chrono::minutes(5));
  EXPECT_EQ(ReadCertificate(study.Site("a"))->valid_until, kNoon + 2 * kYear);
  study.clock.Advance(9 * kYear);
  EXPECT_EQ(ReadCertificate(study.Site("a"))->valid_until, own.valid_until);
  study.clock.Advance(own.valid_until - study.clock.Now());
  const std::string request = *MakeSigningRequest(*MakePrivateKey(), "a");
  EXPECT_EQ(study.authority.IssueForSite(request, "a", study.clock).status().code(),
            absl::StatusCode::kFailedPrecondition);
  study.clock.Advance(kNoon - kDay - study.clock.Now());
  const absl::Status too_early = study.authority.IssueForSite(request, "a", study.clock).status();
  EXPECT_EQ(too_early.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(too_early.message()), HasSubstr("clock"));
}

TEST(CertificateAuthority, DrawsSerialNumbersOf128Bits) {
  const Study study;
  std::set<std::string> serials;
  for (int i = 0; i < 20; ++i) {
    const CertificateHandle certificate = *CertificateFromPem(study.Site("a"));
    const BigNumberHandle serial(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate.get()), nullptr));
    EXPECT_EQ(BN_num_bits(serial.get()), 128);
    EXPECT_EQ(BN_is_negative(serial.get()), 0);
    char* text = BN_bn2hex(serial.get());
    serials.insert(text);
    OPENSSL_free(text);
  }
  EXPECT_EQ(serials.size(), 20U);
}

TEST(CertificateAuthority, IsTheSameWhenLoaded) {
  const Study study;
  const absl::StatusOr<CertificateAuthority> loaded =
      CertificateAuthority::Load(study.authority.certificate(), study.authority.private_key());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const std::string certificate =
      *loaded->IssueForSite(*MakeSigningRequest(*MakePrivateKey(), ""), "hospital-3", study.clock);
  EXPECT_TRUE(CheckCertificate(certificate, study.authority.certificate(), study.clock).ok());
}

TEST(CertificateAuthority, IsNotLoadedFromWhatDoesNotBelongTogether) {
  const Study study;
  const CertificateAuthority twin = *CertificateAuthority::Create("Demo study", study.clock);
  EXPECT_EQ(CertificateAuthority::Load(study.authority.certificate(), twin.private_key()).status().code(), kInvalid);
  EXPECT_EQ(CertificateAuthority::Load("", twin.private_key()).status().code(), kInvalid);
  EXPECT_EQ(CertificateAuthority::Load(twin.certificate(), "").status().code(), kInvalid);
  const std::string key = *MakePrivateKey();
  const std::string server = *twin.IssueForServer(key, {"localhost"}, study.clock);
  EXPECT_THAT(std::string(CertificateAuthority::Load(server, key).status().message()), HasSubstr("authority"));
}

TEST(CertificateAuthority, NeedsAStudyNameOfOneLine) {
  const ManualClock clock(kNoon);
  EXPECT_EQ(ReadCertificate(CertificateAuthority::Create("\xc3\x84rzte, CN=x/y", clock)->certificate())->name,
            "\xc3\x84rzte, CN=x/y");
  EXPECT_TRUE(CertificateAuthority::Create(std::string(64, 'x'), clock).ok());
  for (const std::string& name : {std::string(), std::string(65, 'x'), std::string("a\nb"), std::string("\xff")}) {
    EXPECT_EQ(CertificateAuthority::Create(name, clock).status().code(), kInvalid);
  }
}

}  // namespace
}  // namespace flaim::runtime
