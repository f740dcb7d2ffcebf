#include "runtime/identity/application.h"

#include "gtest/gtest.h"
#include "runtime/identity/identity_testing.h"

namespace flaim::runtime {
namespace {

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

InviteCode SomeCode(RandomSource& random) {
  InviteCode code{.address = "localhost:7443"};
  random.Fill(std::as_writable_bytes(std::span(code.secret)));
  return code;
}

TEST(Application, OfItsMakerIsAccepted) {
  SecureRandomSource random;
  const SiteKeys keys = MakeSiteKeys(random);
  const absl::StatusOr<Applicant> applicant = CheckApplication(ApplicationOf(SomeCode(random), keys));
  ASSERT_TRUE(applicant.ok()) << applicant.status();
  EXPECT_EQ(applicant->verifying_key, keys.signing_key.verifying_key());
  EXPECT_EQ(applicant->request_fingerprint, *RequestFingerprint(keys.signing_request));
}

TEST(Application, WithAnyPartOfAnotherOneIsRefused) {
  SecureRandomSource random;
  const InviteCode code = SomeCode(random);
  const Application good = ApplicationOf(code, MakeSiteKeys(random));
  const Application other = ApplicationOf(SomeCode(random), MakeSiteKeys(random));
  for (std::string Application::*part : {&Application::invite_secret, &Application::signing_request,
                                         &Application::verifying_key, &Application::signature}) {
    Application mixed = good;
    mixed.*part = other.*part;
    EXPECT_EQ(CheckApplication(mixed).status().code(), kInvalid);
    mixed.*part = "";
    EXPECT_EQ(CheckApplication(mixed).status().code(), kInvalid);
    mixed.*part = (good.*part).substr(1);
    EXPECT_EQ(CheckApplication(mixed).status().code(), kInvalid);
    mixed.*part = fmt::format("{}x", good.*part);
    EXPECT_EQ(CheckApplication(mixed).status().code(), kInvalid);
  }
}

TEST(Application, WithARequestThatIsSignedButNoneIsRefused) {
  SecureRandomSource random;
  SiteKeys keys = MakeSiteKeys(random);
  keys.signing_request = "-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n";
  EXPECT_EQ(CheckApplication(ApplicationOf(SomeCode(random), keys)).status().code(), kInvalid);
}

TEST(Application, WithARequestThatIsPaddedWithTextIsRefused) {
  SecureRandomSource random;
  SiteKeys keys = MakeSiteKeys(random);
  keys.signing_request = std::string(5000, ' ') + keys.signing_request;
  EXPECT_EQ(CheckApplication(ApplicationOf(SomeCode(random), keys)).status().code(), kInvalid);
}

}  // namespace
}  // namespace flaim::runtime
