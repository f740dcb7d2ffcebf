#include "runtime/identity/enrolment_desk.h"

#include <fstream>
#include <iterator>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/identity/identity_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto kAlreadyExists = absl::StatusCode::kAlreadyExists;
constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kNotFound = absl::StatusCode::kNotFound;
constexpr auto kPermissionDenied = absl::StatusCode::kPermissionDenied;
constexpr const char* kAddress = "flaim.example.org:7443";

class EnrolmentDeskTest : public testing::Test {
 protected:
  InviteCode Invite(const std::string& site) { return *desk_->Invite(site, kAddress, random_); }
  absl::StatusOr<std::string> Apply(const InviteCode& code, const SiteKeys& keys) {
    return desk_->Apply(ApplicationOf(code, keys));
  }
  absl::StatusOr<EnrolmentDesk::Collection> Collect(const InviteCode& code, const SiteKeys& keys) {
    return desk_->Collect(SecretOf(code), ApplicationOf(code, keys).verifying_key);
  }
  SiteRecord Site(const std::string& name) {
    const std::vector<SiteRecord> sites = *desk_->Sites();
    for (const SiteRecord& site : sites) {
      if (site.name == name) return site;
    }
    ADD_FAILURE() << "no site " << name;
    return {};
  }
  std::string Enrol(const std::string& site, const SiteKeys& keys) {
    const InviteCode code = Invite(site);
    EXPECT_EQ(*Apply(code, keys), site);
    EXPECT_EQ(desk_->Approve(site), absl::OkStatus());
    return Collect(code, keys)->certificate;
  }

  const ScratchFolder folder_;
  ManualClock clock_{kNoon};
  SecureRandomSource random_;
  const CertificateAuthority authority_ = *CertificateAuthority::Create("Demo study", clock_);
  const std::string path_ = folder_.File("sites");
  std::unique_ptr<EnrolmentDesk> desk_ = *EnrolmentDesk::Open(path_, authority_, clock_);
};

TEST_F(EnrolmentDeskTest, LeadsASiteFromItsInviteToItsCertificate) {
  const InviteCode code = Invite("hospital-3");
  EXPECT_EQ(code.address, kAddress);
  EXPECT_EQ(code.authority, *CertificateFingerprint(authority_.certificate()));
  EXPECT_EQ(Site("hospital-3").state, SiteState::kInvited);
  EXPECT_EQ(Site("hospital-3").identity_fingerprint, "");
  EXPECT_EQ(Site("hospital-3").invite_expires, kNoon + 7 * kDay);

  const SiteKeys keys = MakeSiteKeys(random_);
  EXPECT_EQ(*Apply(code, keys), "hospital-3");
  EXPECT_EQ(Site("hospital-3").state, SiteState::kApplied);
  EXPECT_EQ(Site("hospital-3").identity_fingerprint,
            IdentityFingerprint(*RequestFingerprint(keys.signing_request), keys.signing_key.verifying_key()));
  EXPECT_TRUE(Collect(code, keys)->is_pending);
  EXPECT_EQ(Collect(code, keys)->certificate, "");

  ASSERT_EQ(desk_->Approve("hospital-3"), absl::OkStatus());
  const EnrolmentDesk::Collection collection = *Collect(code, keys);
  EXPECT_FALSE(collection.is_pending);
  EXPECT_EQ(collection.authority, authority_.certificate());
  EXPECT_EQ(CheckCertificate(collection.certificate, collection.authority, clock_), absl::OkStatus());
  EXPECT_EQ(ReadCertificate(collection.certificate)->name, "hospital-3");
  EXPECT_EQ(Site("hospital-3").state, SiteState::kApproved);
  EXPECT_EQ(Site("hospital-3").verifying_key, keys.signing_key.verifying_key());
  EXPECT_EQ(Site("hospital-3").certificate_fingerprint, *CertificateFingerprint(collection.certificate));
}

TEST_F(EnrolmentDeskTest, RefusesUnknownAndUsedSecretsInTheSameWords) {
  const InviteCode code = Invite("a");
  const SiteKeys keys = MakeSiteKeys(random_);
  const SiteKeys thief = MakeSiteKeys(random_);
  ASSERT_TRUE(Apply(code, keys).ok());
  const absl::Status used = Apply(code, thief).status();
  InviteCode guessed = code;
  guessed.secret[0] ^= 1;
  const absl::Status unknown = Apply(guessed, thief).status();
  EXPECT_EQ(used.code(), kPermissionDenied);
  EXPECT_EQ(used, unknown);
  EXPECT_EQ(used, Collect(code, thief).status());
  EXPECT_EQ(used, Collect(guessed, keys).status());
  EXPECT_EQ(used, desk_->Collect(SecretOf(code), "short").status());
  EXPECT_EQ(used, desk_->Apply({}).status());
  EXPECT_EQ(used,
            desk_->Apply({.invite_secret = SecretOf(code), .signing_request = "", .verifying_key = "", .signature = ""})
                .status());
  EXPECT_EQ(Site("a").verifying_key, keys.signing_key.verifying_key());
}

TEST_F(EnrolmentDeskTest, AcceptsTheSameApplicationAgainAndChangesNothing) {
  const InviteCode code = Invite("a");
  const SiteKeys keys = MakeSiteKeys(random_);
  ASSERT_TRUE(Apply(code, keys).ok());
  EXPECT_EQ(*Apply(code, keys), "a");
  EXPECT_EQ(Site("a").state, SiteState::kApplied);
  ASSERT_TRUE(desk_->Approve("a").ok());
  const std::string certificate = Collect(code, keys)->certificate;
  clock_.Advance(30 * kDay);
  EXPECT_EQ(*Apply(code, keys), "a");
  EXPECT_EQ(Site("a").state, SiteState::kApproved);
  EXPECT_EQ(Collect(code, keys)->certificate, certificate);
}

TEST_F(EnrolmentDeskTest, RefusesTheSameTlsKeyWithAnotherSigningKeyAndTheOtherWayRound) {
  const InviteCode code = Invite("a");
  const SiteKeys keys = MakeSiteKeys(random_);
  const SiteKeys other = MakeSiteKeys(random_);
  ASSERT_TRUE(Apply(code, keys).ok());
  EXPECT_EQ(desk_->Apply(MakeApplication(code, keys.signing_request, other.signing_key)).status().code(),
            kPermissionDenied);
  EXPECT_EQ(desk_->Apply(MakeApplication(code, other.signing_request, keys.signing_key)).status().code(),
            kPermissionDenied);
}

TEST_F(EnrolmentDeskTest, RefusesKeysThatDoNotProveThemselvesAndKeepsTheInvite) {
  const InviteCode code = Invite("a");
  const SiteKeys keys = MakeSiteKeys(random_);
  const Application good = ApplicationOf(code, keys);
  Application forged = good;
  forged.signature[5] = static_cast<char>(forged.signature[5] ^ 1);
  EXPECT_EQ(desk_->Apply(forged).status().code(), kInvalid);
  const KeyHandle rsa(EVP_RSA_gen(2048));
  EXPECT_EQ(desk_->Apply(MakeApplication(code, RequestFor(*rsa, *rsa), keys.signing_key)).status().code(), kInvalid);
  const KeyHandle key(EVP_EC_gen("P-256"));
  const KeyHandle other(EVP_EC_gen("P-256"));
  EXPECT_EQ(desk_->Apply(MakeApplication(code, RequestFor(*key, *other), keys.signing_key)).status().code(), kInvalid);
  EXPECT_EQ(Site("a").state, SiteState::kInvited);
  EXPECT_EQ(*desk_->Apply(good), "a");
}

TEST_F(EnrolmentDeskTest, RefusesAKeyThatAnotherSiteHas) {
  const SiteKeys keys = MakeSiteKeys(random_);
  const SiteKeys fresh = MakeSiteKeys(random_);
  ASSERT_TRUE(Apply(Invite("a"), keys).ok());
  const InviteCode code = Invite("b");
  EXPECT_EQ(Apply(code, keys).status().code(), kAlreadyExists);
  EXPECT_EQ(desk_->Apply(MakeApplication(code, fresh.signing_request, keys.signing_key)).status().code(),
            kAlreadyExists);
  EXPECT_EQ(desk_->Apply(MakeApplication(code, keys.signing_request, fresh.signing_key)).status().code(),
            kAlreadyExists);
  EXPECT_EQ(*Apply(code, fresh), "b");
}

TEST_F(EnrolmentDeskTest, ReplacesAnUnusedInviteByANewOne) {
  const InviteCode first = Invite("a");
  clock_.Advance(kDay);
  const InviteCode second = Invite("a");
  EXPECT_NE(first.secret, second.secret);
  EXPECT_EQ(desk_->Sites()->size(), 1U);
  EXPECT_EQ(Site("a").invite_expires, kNoon + 8 * kDay);
  EXPECT_EQ(Apply(first, MakeSiteKeys(random_)).status().code(), kPermissionDenied);
  EXPECT_EQ(*Apply(second, MakeSiteKeys(random_)), "a");
}

TEST_F(EnrolmentDeskTest, DoesNotInviteWhoHasAppliedOrIsApproved) {
  ASSERT_TRUE(Apply(Invite("a"), MakeSiteKeys(random_)).ok());
  EXPECT_THAT(std::string(desk_->Invite("a", kAddress, random_).status().message()), HasSubstr("has applied already"));
  ASSERT_TRUE(desk_->Approve("a").ok());
  const absl::Status status = desk_->Invite("a", kAddress, random_).status();
  EXPECT_EQ(status.code(), kAlreadyExists);
  EXPECT_THAT(std::string(status.message()), HasSubstr("reject it first"));
}

TEST_F(EnrolmentDeskTest, InvitesOnlyNamesToAddresses) {
  EXPECT_EQ(desk_->Invite("a b", kAddress, random_).status().code(), kInvalid);
  EXPECT_EQ(desk_->Invite("a", "flaim.example.org", random_).status().code(), kInvalid);
  EXPECT_TRUE(desk_->Sites()->empty());
  const InviteCode code = Invite("a");
  EXPECT_EQ(*ParseInviteCode(ToText(code)), code);
}

TEST_F(EnrolmentDeskTest, LetsInvitesExpire) {
  const InviteCode code = Invite("a");
  const SiteKeys keys = MakeSiteKeys(random_);
  clock_.Advance(7 * kDay - std::chrono::seconds(1));
  const InviteCode other = Invite("b");
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_EQ(Apply(code, keys).status().code(), kPermissionDenied);
  EXPECT_EQ(*Apply(other, keys), "b");
  EXPECT_EQ(*Apply(Invite("a"), MakeSiteKeys(random_)), "a");
}

TEST_F(EnrolmentDeskTest, LetsInvitesLiveAsLongAsItIsTold) {
  desk_ = *EnrolmentDesk::Open(path_, authority_, clock_, {.invite_life = std::chrono::hours(1)});
  const InviteCode code = Invite("a");
  clock_.Advance(std::chrono::hours(1));
  EXPECT_EQ(Apply(code, MakeSiteKeys(random_)).status().code(), kPermissionDenied);
}

TEST_F(EnrolmentDeskTest, ApprovesOnlyWhoHasAppliedAndSaysWhatToDo) {
  const absl::Status unknown = desk_->Approve("a");
  EXPECT_EQ(unknown.code(), kNotFound);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("invite it first"));
  Invite("a");
  const absl::Status invited = desk_->Approve("a");
  EXPECT_EQ(invited.code(), kNotFound);
  EXPECT_THAT(std::string(invited.message()), HasSubstr("flaim site join"));
  EXPECT_EQ(desk_->Reject("a").code(), kNotFound);
  EXPECT_EQ(desk_->Reject("b").code(), kNotFound);
}

TEST_F(EnrolmentDeskTest, IssuesOneCertificateHoweverOftenItIsAskedToApprove) {
  const SiteKeys keys = MakeSiteKeys(random_);
  const InviteCode code = Invite("a");
  ASSERT_TRUE(Apply(code, keys).ok());
  ASSERT_TRUE(desk_->Approve("a").ok());
  const std::string certificate = Collect(code, keys)->certificate;
  clock_.Advance(kDay);
  ASSERT_TRUE(desk_->Approve("a").ok());
  EXPECT_EQ(Collect(code, keys)->certificate, certificate);
}

TEST_F(EnrolmentDeskTest, AdmitsExactlyTheCertificateThatItApproved) {
  const SiteKeys keys = MakeSiteKeys(random_);
  const Digest approved = *CertificateFingerprint(Enrol("a", keys));
  EXPECT_EQ(desk_->Admit("a", approved), absl::OkStatus());
  const std::string second = *authority_.IssueForSite(keys.signing_request, "a", clock_);
  EXPECT_EQ(desk_->Admit("a", *CertificateFingerprint(second)).code(), kPermissionDenied);
  const Digest other = *CertificateFingerprint(Enrol("b", MakeSiteKeys(random_)));
  EXPECT_EQ(desk_->Admit("a", other).code(), kPermissionDenied);
  EXPECT_EQ(desk_->Admit("b", approved).code(), kPermissionDenied);
  EXPECT_EQ(desk_->Admit("c", approved).code(), kPermissionDenied);
  EXPECT_EQ(desk_->Admit("coordinator", {}).code(), kPermissionDenied);
}

TEST_F(EnrolmentDeskTest, AdmitsNobodyBeforeApproval) {
  const InviteCode code = Invite("a");
  EXPECT_EQ(desk_->Admit("a", {}).code(), kPermissionDenied);
  ASSERT_TRUE(Apply(code, MakeSiteKeys(random_)).ok());
  EXPECT_EQ(desk_->Admit("a", {}).code(), kPermissionDenied);
}

TEST_F(EnrolmentDeskTest, ForgetsWhoIsRejectedSoThatItCanStartOver) {
  const SiteKeys keys = MakeSiteKeys(random_);
  const InviteCode code = Invite("a");
  ASSERT_TRUE(Apply(code, keys).ok());
  ASSERT_TRUE(desk_->Approve("a").ok());
  const Digest fingerprint = Site("a").certificate_fingerprint;
  ASSERT_EQ(desk_->Reject("a"), absl::OkStatus());
  EXPECT_TRUE(desk_->Sites()->empty());
  EXPECT_EQ(desk_->Admit("a", fingerprint).code(), kPermissionDenied);
  EXPECT_EQ(Collect(code, keys).status().code(), kPermissionDenied);
  EXPECT_EQ(Apply(code, keys).status().code(), kPermissionDenied);
  EXPECT_NE(*CertificateFingerprint(Enrol("a", keys)), fingerprint);
  EXPECT_EQ(desk_->Admit("a", fingerprint).code(), kPermissionDenied);
}

TEST_F(EnrolmentDeskTest, RemembersEverythingInItsFile) {
  const SiteKeys keys = MakeSiteKeys(random_);
  const Digest fingerprint = *CertificateFingerprint(Enrol("b", keys));
  const InviteCode code = Invite("a");
  desk_ = *EnrolmentDesk::Open(path_, authority_, clock_);
  EXPECT_EQ(desk_->Admit("b", fingerprint), absl::OkStatus());
  EXPECT_EQ(*Apply(code, MakeSiteKeys(random_)), "a");
  EXPECT_EQ(desk_->Sites()->front().name, "a");
}

TEST_F(EnrolmentDeskTest, KeepsNoSecretInItsFile) {
  const InviteCode code = Invite("a");
  ASSERT_TRUE(Apply(code, MakeSiteKeys(random_)).ok());
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const Digest digest = DigestOfSecret(SecretOf(code));
  EXPECT_THAT(bytes, HasSubstr(std::string(digest.begin(), digest.end())));
  EXPECT_THAT(bytes, Not(HasSubstr(SecretOf(code).substr(0, 8))));
}

}  // namespace
}  // namespace flaim::runtime
