#include "runtime/identity/certificate.h"

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/identity/identity_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kUnauthenticated = absl::StatusCode::kUnauthenticated;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

std::string SiteCertificate(const CertificateAuthority& authority, const std::string& site, const Clock& clock) {
  return *authority.IssueForSite(*MakeSigningRequest(*MakePrivateKey(), site), site, clock);
}

TEST(SigningRequest, HasAFingerprintThatDependsOnItsKeyOnly) {
  const std::string key = *MakePrivateKey();
  const std::string request = *MakeSigningRequest(key, "hospital-3");
  EXPECT_EQ(*RequestFingerprint(request), *RequestFingerprint(*MakeSigningRequest(key, "clinic")));
  EXPECT_EQ(*RequestFingerprint(request), *RequestFingerprint(*MakeSigningRequest(key, "")));
  EXPECT_NE(*RequestFingerprint(request), *RequestFingerprint(*MakeSigningRequest(*MakePrivateKey(), "hospital-3")));
}

TEST(SigningRequest, IsOnlyMadeForASiteNameAndAKey) {
  const std::string key = *MakePrivateKey();
  EXPECT_EQ(MakeSigningRequest(key, "a/b").status().code(), kInvalid);
  EXPECT_EQ(MakeSigningRequest("no key", "site").status().code(), kInvalid);
  EXPECT_EQ(MakeSigningRequest(*MakeSigningRequest(key, "site"), "site").status().code(), kInvalid);
}

TEST(SigningRequest, IsRefusedOnceAnyBitOfItHasChanged) {
  const Bytes der = DerOf(*MakeSigningRequest(*MakePrivateKey(), "hospital-3"));
  ASSERT_TRUE(RequestFingerprint(PemOf("CERTIFICATE REQUEST", der)).ok());
  for (std::size_t bit = 0; bit < 8 * der.size(); ++bit) {
    Bytes changed = der;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ 1U << bit % 8);
    EXPECT_EQ(RequestFingerprint(PemOf("CERTIFICATE REQUEST", changed)).status().code(), kInvalid) << "bit " << bit;
  }
}

TEST(SigningRequest, IsRefusedWithASignatureOfAnotherKey) {
  const KeyHandle key(EVP_EC_gen("P-256"));
  const KeyHandle other(EVP_EC_gen("P-256"));
  ASSERT_TRUE(RequestFingerprint(RequestFor(*key, *key)).ok());
  EXPECT_THAT(MessageOf(RequestFingerprint(RequestFor(*key, *other)).status()), HasSubstr("not signed by its own key"));
}

TEST(SigningRequest, IsRefusedWithAnyKeyThatIsNotOnP256) {
  const KeyHandle rsa(EVP_RSA_gen(2048));
  const KeyHandle p384(EVP_EC_gen("P-384"));
  const KeyHandle k256(EVP_EC_gen("secp256k1"));
  for (EVP_PKEY* key : {rsa.get(), p384.get(), k256.get()}) {
    EXPECT_THAT(MessageOf(RequestFingerprint(RequestFor(*key, *key)).status()), HasSubstr("P-256"));
  }
}

// The same key, written otherwise, would have another fingerprint.
TEST(SigningRequest, IsRefusedWithAKeyInAnUnusualForm) {
  for (const auto& [parameter, value] : std::vector<std::pair<const char*, const char*>>{
           {"point-format", "compressed"}, {"point-format", "hybrid"}, {"encoding", "explicit"}}) {
    const KeyHandle key(EVP_EC_gen("P-256"));
    ASSERT_EQ(EVP_PKEY_set_utf8_string_param(key.get(), parameter, value), 1);
    EXPECT_THAT(MessageOf(RequestFingerprint(RequestFor(*key, *key)).status()), HasSubstr("P-256")) << value;
  }
}

TEST(PrivateKey, WithAPassPhraseIsRefusedWithoutAskingForIt) {
  const KeyHandle key(EVP_EC_gen("P-256"));
  const StreamHandle stream(BIO_new(BIO_s_mem()));
  std::string phrase = "phrase";
  ASSERT_EQ(PEM_write_bio_PKCS8PrivateKey(stream.get(), key.get(), EVP_aes_128_cbc(), phrase.data(),
                                          static_cast<int>(phrase.size()), nullptr, nullptr),
            1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(stream.get(), &bytes);
  const std::string text(bytes, static_cast<std::size_t>(size));
  EXPECT_THAT(MessageOf(MakeSigningRequest(text, "site").status()), HasSubstr("pass phrase"));
}

TEST(Certificate, SaysWhatIsInIt) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const CertificateFacts own = *ReadCertificate(authority.certificate());
  EXPECT_EQ(own.name, "Demo study");
  EXPECT_TRUE(own.hosts.empty());

  const std::string server = *authority.IssueForServer(
      *MakePrivateKey(), {"flaim.example.org", "192.0.2.7", "2001:DB8:0::7", "localhost"}, clock);
  EXPECT_THAT(ReadCertificate(server)->hosts,
              ElementsAre("flaim.example.org", "192.0.2.7", "2001:db8::7", "localhost"));
  EXPECT_EQ(ReadCertificate(SiteCertificate(authority, "hospital-3", clock))->name, "hospital-3");
}

TEST(Certificate, HasAFingerprintOfItsOwn) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const std::string request = *MakeSigningRequest(*MakePrivateKey(), "a");
  const std::string first = *authority.IssueForSite(request, "a", clock);
  EXPECT_EQ(*CertificateFingerprint(first), Sha256(DerOf(first)));
  EXPECT_NE(*CertificateFingerprint(first), *CertificateFingerprint(*authority.IssueForSite(request, "a", clock)));
}

TEST(Certificate, ThatIsNoneIsRefused) {
  const std::string request = *MakeSigningRequest(*MakePrivateKey(), "a");
  for (const std::string& text :
       {std::string(), std::string("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"), request,
        PemOf("CERTIFICATE", DerOf(request)), std::string(100'000, '-')}) {
    EXPECT_EQ(CertificateFingerprint(text).status().code(), kInvalid);
    EXPECT_EQ(ReadCertificate(text).status().code(), kInvalid);
  }
}

TEST(CheckCertificate, AcceptsWhatTheAuthorityIssuedAsLongAsItIsValid) {
  ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const std::string certificate = SiteCertificate(authority, "hospital-3", clock);
  EXPECT_EQ(CheckCertificate(certificate, authority.certificate(), clock), absl::OkStatus());
  clock.Advance(-std::chrono::minutes(4));
  EXPECT_EQ(CheckCertificate(certificate, authority.certificate(), clock), absl::OkStatus());
  clock.Advance(2 * kYear - kDay);
  EXPECT_EQ(CheckCertificate(certificate, authority.certificate(), clock), absl::OkStatus());
}

TEST(CheckCertificate, SaysThatItHasExpiredAndWhen) {
  ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const std::string certificate = SiteCertificate(authority, "hospital-3", clock);
  clock.Advance(2 * kYear + kDay);
  const absl::Status status = CheckCertificate(certificate, authority.certificate(), clock);
  EXPECT_EQ(status.code(), kUnauthenticated);
  EXPECT_THAT(MessageOf(status), HasSubstr("the certificate of 'hospital-3' expired on 2027-11-16 12:00 UTC"));
  EXPECT_THAT(MessageOf(status), HasSubstr("says 2027-11-17 12:00 UTC"));
}

TEST(CheckCertificate, SaysThatTheAuthorityItselfHasExpired) {
  ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  clock.Advance(9 * kYear);
  const std::string certificate = SiteCertificate(authority, "hospital-3", clock);
  clock.Advance(kYear + 10 * kDay);
  EXPECT_THAT(MessageOf(CheckCertificate(certificate, authority.certificate(), clock)),
              HasSubstr("the authority 'Demo study' expired on"));
  EXPECT_THAT(MessageOf(CheckCertificate(authority.certificate(), authority.certificate(), clock)),
              HasSubstr("the certificate of 'Demo study' expired on"));
}

TEST(CheckCertificate, SaysThatItIsNotYetValidAndPointsAtTheClock) {
  ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  clock.Advance(kDay);
  const std::string certificate = SiteCertificate(authority, "hospital-3", clock);
  clock.Advance(-std::chrono::minutes(6));
  const absl::Status status = CheckCertificate(certificate, authority.certificate(), clock);
  EXPECT_EQ(status.code(), kUnauthenticated);
  EXPECT_THAT(MessageOf(status), HasSubstr("valid only from 2025-11-17 11:55 UTC"));
  EXPECT_THAT(MessageOf(status), HasSubstr("Set the clock"));
}

TEST(CheckCertificate, RefusesAForeignAuthorityEvenOfTheSameName) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  for (const char* name : {"Demo study", "Other study"}) {
    const CertificateAuthority foreign = *CertificateAuthority::Create(name, clock);
    const std::string certificate = SiteCertificate(foreign, "hospital-3", clock);
    const absl::Status status = CheckCertificate(certificate, authority.certificate(), clock);
    EXPECT_EQ(status.code(), kUnauthenticated);
    EXPECT_THAT(MessageOf(status), HasSubstr("was not signed by this study's authority"));
    EXPECT_FALSE(CheckCertificate(foreign.certificate(), authority.certificate(), clock).ok());
  }
}

// A site must not be able to sign for others.
TEST(CheckCertificate, RefusesACertificateThatAnotherSiteSigned) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const std::string site_key = *MakePrivateKey();
  const std::string site = *authority.IssueForSite(*MakeSigningRequest(site_key, "a"), "a", clock);
  const KeyHandle key = *PrivateKeyFromPem(site_key);
  const CertificateHandle forged = *CertificateFromPem(SiteCertificate(authority, "b", clock));
  ASSERT_EQ(X509_set_issuer_name(forged.get(), X509_get_subject_name(CertificateFromPem(site)->get())), 1);
  ASSERT_GT(X509_sign(forged.get(), key.get(), EVP_sha256()), 0);
  EXPECT_EQ(CheckCertificate(*ToPem(*forged), authority.certificate(), clock).code(), kUnauthenticated);
  EXPECT_EQ(CheckCertificate(*ToPem(*forged), site, clock).code(), kUnauthenticated);
}

TEST(CheckCertificate, RefusesACertificateOnceAnyByteOfItHasChanged) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const Bytes der = DerOf(SiteCertificate(authority, "hospital-3", clock));
  SeededRandomSource random(1);
  ASSERT_TRUE(CheckCertificate(PemOf("CERTIFICATE", der), authority.certificate(), clock).ok());
  for (std::size_t i = 0; i < der.size(); ++i) {
    Bytes changed = der;
    changed[i] = static_cast<std::uint8_t>(changed[i] ^ (1 + random.NextBelow(255)));
    EXPECT_EQ(CheckCertificate(PemOf("CERTIFICATE", changed), authority.certificate(), clock).code(), kUnauthenticated)
        << "byte " << i;
  }
}

TEST(CheckCertificate, RefusesWhatIsNoCertificate) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  EXPECT_EQ(CheckCertificate("", authority.certificate(), clock).code(), kUnauthenticated);
  EXPECT_EQ(CheckCertificate(authority.certificate(), "", clock).code(), kUnauthenticated);
}

TEST(Certificate, WithADateBeyondTheClocksRangeIsReadNevertheless) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const CertificateHandle certificate = *CertificateFromPem(SiteCertificate(authority, "a", clock));
  ASSERT_EQ(ASN1_TIME_set_string(X509_getm_notAfter(certificate.get()), "99991231235959Z"), 1);
  ASSERT_EQ(ASN1_TIME_set_string(X509_getm_notBefore(certificate.get()), "00010101000000Z"), 1);
  const KeyHandle key = *PrivateKeyFromPem(authority.private_key());
  ASSERT_GT(X509_sign(certificate.get(), key.get(), EVP_sha256()), 0);
  const CertificateFacts facts = *ReadCertificate(*ToPem(*certificate));
  EXPECT_GT(facts.valid_until, kNoon + 200 * kYear);
  EXPECT_LT(facts.valid_from, kNoon - 200 * kYear);
}

// gRPC reads the queue of the same thread after its own calls.
TEST(Certificate, LeavesNoErrorInTheQueueOfOpenSsl) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const KeyHandle rsa(EVP_RSA_gen(2048));
  ERR_clear_error();
  EXPECT_FALSE(ReadCertificate("nonsense").ok());
  EXPECT_FALSE(RequestFingerprint("nonsense").ok());
  EXPECT_FALSE(MakeSigningRequest("nonsense", "a").ok());
  EXPECT_FALSE(RequestFingerprint(RequestFor(*rsa, *rsa)).ok());
  EXPECT_FALSE(CertificateAuthority::Load(authority.certificate(), *MakePrivateKey()).ok());
  EXPECT_FALSE(
      CheckCertificate(CertificateAuthority::Create("x", clock)->certificate(), authority.certificate(), clock).ok());
  EXPECT_EQ(ERR_peek_error(), 0U);
}

TEST(CheckCertificate, QuotesNamesThatWouldConfuseATerminal) {
  const ManualClock clock(kNoon);
  const CertificateAuthority authority = *CertificateAuthority::Create("Demo study", clock);
  const KeyHandle key(EVP_EC_gen("P-256"));
  const CertificateHandle certificate(X509_new());
  const std::string name = "\x1b[31mred";
  ASSERT_EQ(X509_NAME_add_entry_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, MBSTRING_UTF8,
                                       reinterpret_cast<const unsigned char*>(name.data()),
                                       static_cast<int>(name.size()), -1, 0),
            1);
  ASSERT_EQ(X509_set_pubkey(certificate.get(), key.get()), 1);
  ASSERT_TRUE(ASN1_TIME_set(X509_getm_notBefore(certificate.get()), 0) != nullptr);
  ASSERT_TRUE(ASN1_TIME_set(X509_getm_notAfter(certificate.get()), 0) != nullptr);
  ASSERT_GT(X509_sign(certificate.get(), key.get(), EVP_sha256()), 0);
  const absl::Status status = CheckCertificate(*ToPem(*certificate), authority.certificate(), clock);
  EXPECT_EQ(status.code(), kUnauthenticated);
  EXPECT_THAT(MessageOf(status), AllOf(HasSubstr("red"), Not(HasSubstr("\x1b"))));
}

}  // namespace
}  // namespace flaim::runtime
