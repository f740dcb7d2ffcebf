#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/transport_testing.h"

// Who is let in by the switchboard, and who is not.

namespace flaim::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Admission, IsAskedForWithTheNameAndTheFingerprintOfTheCertificate) {
  TestExchange exchange;
  Peer seen;
  exchange.coordinator.admit = [&](const Peer& peer) {
    seen = peer;
    return absl::OkStatus();
  };
  const TlsIdentity identity = exchange.study.Site("hospital-3");
  RawSite site(exchange.address, identity, "1");
  EXPECT_TRUE(site.IsAdmitted());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("hospital-3", "connected"));
  EXPECT_EQ(seen.site, "hospital-3");
  EXPECT_EQ(seen.fingerprint, CertificateFingerprint(identity.certificate).value());
}

TEST(Admission, IsRefusedInTheCoordinatorsWords) {
  TestExchange exchange;
  exchange.coordinator.admit = [](const Peer&) {
    return absl::PermissionDeniedError("the approval was withdrawn: ask the coordinator's people");
  };
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(exchange.OptionsFor("a"), site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_EQ(site.reasons().front(),
            absl::PermissionDeniedError("the approval was withdrawn: ask the coordinator's people"));
  link->Stop(std::chrono::milliseconds(0));
  EXPECT_THAT(exchange.coordinator.record.Of("a"), IsEmpty());
  EXPECT_THAT(exchange.switchboard->Connected(), IsEmpty());
}

TEST(Admission, IsRefusedToASecondProgramWithTheSameIdentity) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite first("first", record);
  RecordingSite second("second", record);
  const auto first_link = exchange.Connect("a", first);
  const auto second_link = CoordinatorLink::Start(exchange.OptionsFor("a"), second).value();
  ASSERT_TRUE(record.WaitFor("second", "disconnected", 2));
  EXPECT_TRUE(absl::IsAlreadyExists(second.reasons().front())) << second.reasons().front();
  EXPECT_THAT(std::string(second.reasons().front().message()), HasSubstr("two programs"));
  ASSERT_TRUE(first_link->Send("still here").ok());
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("a", "still here"));
  first_link->Stop(std::chrono::seconds(10));
  EXPECT_TRUE(record.WaitFor("second", "connected"));
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("a", "connected", 2));
  EXPECT_THAT(exchange.coordinator.record.Of("a"), ElementsAre("connected", "still here", "disconnected", "connected"));
}

TEST(Admission, OfTheSameProcessReplacesItsOldConnection) {
  TestExchange exchange;
  const TlsIdentity identity = exchange.study.Site("a");
  RawSite old(exchange.address, identity, "7");
  ASSERT_TRUE(old.IsAdmitted());
  ASSERT_TRUE(old.Write("old", true));
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("a", "old"));
  RawSite fresh(exchange.address, identity, "7");
  ASSERT_TRUE(fresh.IsAdmitted());
  EXPECT_EQ(old.ReadToEnd().error_code(), grpc::StatusCode::ABORTED);
  ASSERT_TRUE(fresh.Write("new", true));
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("a", "new"));
  EXPECT_THAT(exchange.coordinator.record.Of("a"), ElementsAre("connected", "old", "disconnected", "connected", "new"));
  EXPECT_THAT(exchange.coordinator.complaints(), IsEmpty());
}

TEST(Admission, IsRefusedWithoutACertificate) {
  TestExchange exchange;
  RawSite site(exchange.address,
               {.certificate = "", .private_key = "", .authority = exchange.study.authority().certificate()}, "1");
  EXPECT_FALSE(site.IsAdmitted());
  const grpc::Status status = site.ReadToEnd();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << status.error_message();
  EXPECT_THAT(status.error_message(), HasSubstr("join the study"));
}

TEST(Admission, IsRefusedToAProgramThatDoesNotSayWhichProcessItIs) {
  TestExchange exchange;
  for (const std::string& instance : {std::string(), std::string(65, 'x')}) {
    RawSite site(exchange.address, exchange.study.Site("a"), instance);
    EXPECT_EQ(site.ReadToEnd().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  }
  EXPECT_THAT(exchange.coordinator.record.Of("a"), IsEmpty());
}

// The reasons of a site that shows `identity`, which must not be let in.
absl::Status RefusalOf(const TestExchange& exchange, const TlsIdentity& identity) {
  EventRecord record;
  RecordingSite site("site", record);
  LinkOptions options = exchange.OptionsFor("site");
  options.identity = identity;
  const auto link = CoordinatorLink::Start(options, site).value();
  EXPECT_TRUE(record.WaitFor("site", "disconnected"));
  EXPECT_THAT(exchange.switchboard->Connected(), IsEmpty());
  return site.reasons().front();
}

TEST(Admission, IsRefusedToACertificateOfAnotherAuthority) {
  TestExchange exchange;
  TlsIdentity identity = TestStudy().Site("site");
  identity.authority = exchange.study.authority().certificate();
  const absl::Status status = RefusalOf(exchange, identity);
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("not signed by this study's authority"));
}

TEST(Admission, IsRefusedToACertificateThatHasExpired) {
  TestStudy old_study(DaysFromNow(-1000));
  TestExchange exchange;
  exchange.options.identity = old_study.Coordinator();
  exchange.Restart();
  const absl::Status status = RefusalOf(exchange, old_study.Site("site", DaysFromNow(-900)));
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("expired"));
}

TEST(Admission, IsRefusedToTheCoordinatorsOwnCertificate) {
  TestExchange exchange;
  const absl::Status status = RefusalOf(exchange, exchange.study.Coordinator());
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
}

TEST(Admission, IsRefusedByACoordinatorThatBelievesAnotherAuthorityAlthoughTheSiteBelievesIt) {
  TestExchange exchange;
  exchange.options.identity.authority = TestStudy().authority().certificate();
  exchange.Restart();
  const absl::Status status = RefusalOf(exchange, exchange.study.Site("site"));
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("does not accept the certificate of this site"));
}

}  // namespace
}  // namespace flaim::runtime
