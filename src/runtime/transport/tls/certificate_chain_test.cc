#include "runtime/transport/tls/certificate_chain.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/transport_testing.h"

namespace flaim::runtime {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(CertificateChain, IsTheOwnCertificateAndThenTheAuthoritys) {
  const TestStudy study;
  const TlsIdentity identity = study.Coordinator();
  const std::vector<std::string> chain = SplitChain(ChainOf(identity));
  ASSERT_THAT(chain, SizeIs(2));
  EXPECT_EQ(CertificateFingerprint(chain[0]).value(), CertificateFingerprint(identity.certificate).value());
  EXPECT_EQ(CertificateFingerprint(chain[1]).value(), CertificateFingerprint(identity.authority).value());
}

TEST(CertificateChain, IsSplitWhateverStandsBetweenTheCertificates) {
  const std::string certificate = TestStudy().authority().certificate();
  EXPECT_THAT(SplitChain(""), IsEmpty());
  EXPECT_THAT(SplitChain("no certificate"), IsEmpty());
  EXPECT_THAT(SplitChain(certificate.substr(0, certificate.size() - 10)), IsEmpty());
  for (const std::string& part : SplitChain(fmt::format("a{}\n\nb{}c", certificate, certificate))) {
    EXPECT_EQ(CertificateFingerprint(part).value(), CertificateFingerprint(certificate).value());
  }
  EXPECT_THAT(SplitChain(fmt::format("a{}\n\nb{}c", certificate, certificate)), SizeIs(2));
}

TEST(CheckIdentity, WantsACertificateItsKeyAndAnAuthority) {
  const TestStudy study;
  const TlsIdentity identity = study.Site("a");
  EXPECT_TRUE(CheckIdentity(identity).ok());
  TlsIdentity no_certificate = identity;
  no_certificate.certificate = identity.private_key;
  EXPECT_TRUE(absl::IsInvalidArgument(CheckIdentity(no_certificate)));
  TlsIdentity no_key = identity;
  no_key.private_key = identity.certificate;
  EXPECT_TRUE(absl::IsInvalidArgument(CheckIdentity(no_key)));
  TlsIdentity no_authority = identity;
  no_authority.authority = "";
  EXPECT_TRUE(absl::IsInvalidArgument(CheckIdentity(no_authority)));
  TlsIdentity other_key = identity;
  other_key.private_key = study.Site("a").private_key;
  EXPECT_TRUE(absl::IsInvalidArgument(CheckIdentity(other_key)));
}

}  // namespace
}  // namespace flaim::runtime
