#include <latch>
#include <thread>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/proxy_testing.h"
#include "runtime/transport/switchboard/coordinator_service.h"
#include "runtime/transport/transport_testing.h"

namespace flaim::runtime {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

UnknownSite NewcomerTo(const TestExchange& exchange) {
  return {.address = exchange.address,
          .authority_fingerprint = CertificateFingerprint(exchange.study.authority().certificate()).value()};
}

EnrolmentService::Application SomeApplication() {
  return {.invite_secret = "secret", .signing_request = "request", .verifying_key = "key", .signature = "signed"};
}

TEST(Enrolment, CarriesTheApplicationThereAndTheReceptionBack) {
  TestExchange exchange;
  exchange.coordinator.enrol = [](const EnrolmentService::Application& application) {
    return EnrolmentService::Reception{
        .site = "hospital-3",
        .manifest = fmt::format("{} {} {} {}", application.invite_secret, application.signing_request,
                                application.verifying_key, application.signature),
        .signature = "by the coordinator"};
  };
  const absl::StatusOr<EnrolmentService::Reception> reception = Enrol(NewcomerTo(exchange), SomeApplication());
  ASSERT_TRUE(reception.ok()) << reception.status();
  EXPECT_EQ(reception->site, "hospital-3");
  EXPECT_EQ(reception->manifest, "secret request key signed");
  EXPECT_EQ(reception->signature, "by the coordinator");
}

TEST(Enrolment, CollectsTheCertificate) {
  TestExchange exchange;
  exchange.coordinator.collect = [](const std::string& secret, const std::string& key) {
    return EnrolmentService::Collection{.is_pending = false, .certificate = secret, .authority = key};
  };
  const absl::StatusOr<EnrolmentService::Collection> collection = Collect(NewcomerTo(exchange), "secret", "key");
  ASSERT_TRUE(collection.ok()) << collection.status();
  EXPECT_FALSE(collection->is_pending);
  EXPECT_EQ(collection->certificate, "secret");
  EXPECT_EQ(collection->authority, "key");
}

TEST(Enrolment, PassesTheCoordinatorsRefusalOn) {
  TestExchange exchange;
  exchange.coordinator.enrol = [](const EnrolmentService::Application&) {
    return absl::PermissionDeniedError("the invite was used already: ask for a new one");
  };
  exchange.coordinator.collect = [](const std::string&, const std::string&) {
    return absl::NotFoundError("there is no such invite");
  };
  EXPECT_EQ(Enrol(NewcomerTo(exchange), SomeApplication()).status(),
            absl::PermissionDeniedError("the invite was used already: ask for a new one"));
  EXPECT_EQ(Collect(NewcomerTo(exchange), "secret", "key").status(), absl::NotFoundError("there is no such invite"));
}

TEST(Enrolment, SaysNothingToAServerOfAnotherAuthority) {
  TestExchange exchange;
  exchange.coordinator.enrol = [](const EnrolmentService::Application&) { return EnrolmentService::Reception{}; };
  UnknownSite site = NewcomerTo(exchange);
  site.authority_fingerprint[0] ^= 1;
  const absl::Status status = Enrol(site, SomeApplication()).status();
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("Nothing was sent"));
  exchange.switchboard->Stop(std::chrono::seconds(10));
  EXPECT_THAT(exchange.coordinator.record.Of("enrolment"), IsEmpty());
}

TEST(Enrolment, SaysNothingToAServerThatOnlyShowsTheRightAuthorityBesideACertificateOfItsOwn) {
  TestExchange exchange;
  TestStudy impostor;
  exchange.options.identity = impostor.Coordinator();
  exchange.options.identity.authority = exchange.study.authority().certificate();
  exchange.Restart();
  exchange.coordinator.enrol = [](const EnrolmentService::Application&) { return EnrolmentService::Reception{}; };
  const absl::Status status = Enrol(NewcomerTo(exchange), SomeApplication()).status();
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
  EXPECT_THAT(exchange.coordinator.record.Of("enrolment"), IsEmpty());
}

TEST(Enrolment, SaysNothingToAServerWhoseCertificateIsForAnotherHost) {
  TestExchange exchange;
  const std::string key = MakePrivateKey().value();
  exchange.options.identity.private_key = key;
  exchange.options.identity.certificate =
      exchange.study.authority().IssueForServer(key, {"elsewhere.test"}, SystemClock()).value();
  exchange.Restart();
  exchange.coordinator.enrol = [](const EnrolmentService::Application&) { return EnrolmentService::Reception{}; };
  const absl::Status status = Enrol(NewcomerTo(exchange), SomeApplication()).status();
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("elsewhere.test"));
  EXPECT_THAT(exchange.coordinator.record.Of("enrolment"), IsEmpty());
}

TEST(Enrolment, SaysWhereNobodyListens) {
  UnknownSite site;
  {
    TestExchange exchange;
    site = NewcomerTo(exchange);
  }
  const absl::Status status = Enrol(site, SomeApplication()).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("nobody listens"));
}

TEST(Enrolment, RefusesARequestThatIsTooLarge) {
  TestExchange exchange;
  exchange.coordinator.enrol = [](const EnrolmentService::Application&) { return EnrolmentService::Reception{}; };
  EnrolmentService::Application application = SomeApplication();
  application.signing_request.assign(CoordinatorService::kMaxEnrolmentBytes, 'x');
  EXPECT_TRUE(absl::IsInvalidArgument(Enrol(NewcomerTo(exchange), application).status()));
  EXPECT_THAT(exchange.coordinator.record.Of("enrolment"), IsEmpty());
}

TEST(Enrolment, RefusesMoreThanSomeAtOnceAndAnswersThoseThatItTook) {
  constexpr int kMax = CoordinatorService::kMaxEnrolmentsAtOnce;
  TestExchange exchange;
  std::latch is_released(1);
  std::atomic<int> entered = 0;
  exchange.coordinator.enrol = [&](const EnrolmentService::Application&) {
    ++entered;
    is_released.wait();
    return EnrolmentService::Reception{};
  };
  std::atomic<int> refused = 0;
  std::atomic<int> answered = 0;
  std::vector<std::thread> newcomers;
  for (int i = 0; i < kMax + 3; ++i) {
    newcomers.emplace_back([&] {
      const absl::Status status = Enrol(NewcomerTo(exchange), SomeApplication()).status();
      EXPECT_TRUE(status.ok() || absl::IsResourceExhausted(status)) << status;
      status.ok() ? ++answered : ++refused;
    });
  }
  while (refused < 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  is_released.count_down();
  for (std::thread& newcomer : newcomers) newcomer.join();
  EXPECT_EQ(refused, 3);
  EXPECT_EQ(answered, kMax);
}

}  // namespace
}  // namespace flaim::runtime
