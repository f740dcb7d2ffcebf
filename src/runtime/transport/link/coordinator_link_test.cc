#include "runtime/transport/link/coordinator_link.h"

#include <atomic>
#include <thread>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/transport_testing.h"

namespace flaim::runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

std::string TextOf(const absl::Status& status) { return std::string(status.message()); }

TEST(CoordinatorLink, ComesBackAfterTheCoordinatorHasBeenRestartedOnTheSamePort) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  for (std::size_t restart = 1; restart <= 3; ++restart) {
    ASSERT_TRUE(record.WaitFor("a", "connected", restart));
    ASSERT_TRUE(link->Send("to the coordinator").ok());
    ASSERT_TRUE(exchange.coordinator.record.WaitFor("a", "to the coordinator", restart));
    ASSERT_TRUE(exchange.switchboard->Send("a", "to the site").ok());
    ASSERT_TRUE(record.WaitFor("a", "to the site", restart));
    exchange.Restart();
    ASSERT_TRUE(record.WaitFor("a", "disconnected", restart));
  }
  ASSERT_TRUE(record.WaitFor("a", "connected", 4));
  EXPECT_EQ(link->traffic().sent_messages, 3U);
  EXPECT_TRUE(exchange.coordinator.complaints().empty());
}

TEST(CoordinatorLink, WaitsForACoordinatorThatStartsLater) {
  TestExchange exchange;
  const LinkOptions options = exchange.OptionsFor("a");
  exchange.switchboard.reset();
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected", 2));
  EXPECT_TRUE(absl::IsUnavailable(site.reasons().front())) << site.reasons().front();
  EXPECT_THAT(TextOf(site.reasons().front()), HasSubstr("nobody listens"));
  EXPECT_TRUE(absl::IsUnavailable(link->Send("x")));
  exchange.Restart();
  EXPECT_TRUE(record.WaitFor("a", "connected"));
}

TEST(CoordinatorLink, SaysThatTheNameDoesNotResolve) {
  LinkOptions options;
  options.address = "no-such-host.invalid:7443";
  options.identity = TestStudy().Site("a");
  options.timeout = seconds(5);
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(absl::IsUnavailable(site.reasons().front())) << site.reasons().front();
  EXPECT_THAT(TextOf(site.reasons().front()), HasSubstr("does not resolve"));
}

TEST(CoordinatorLink, SaysThatTheCoordinatorIsOfAnotherStudyAndTellsItNothing) {
  TestExchange exchange;
  LinkOptions options = exchange.OptionsFor("a");
  options.identity = TestStudy().Site("a");
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(absl::IsUnauthenticated(site.reasons().front())) << site.reasons().front();
  EXPECT_THAT(TextOf(site.reasons().front()), HasSubstr("not signed by this study's authority"));
}

TEST(CoordinatorLink, AcceptsTheCoordinatorsCertificateUnderTheNameThatItIsTold) {
  TestExchange exchange;
  LinkOptions options = exchange.OptionsFor("a");
  options.server_name = "coordinator.test";
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  EXPECT_TRUE(record.WaitFor("a", "connected"));
}

TEST(CoordinatorLink, RefusesACertificateForAnotherName) {
  TestExchange exchange;
  LinkOptions options = exchange.OptionsFor("a");
  options.server_name = "other.test";
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(absl::IsUnauthenticated(site.reasons().front())) << site.reasons().front();
}

TEST(CoordinatorLink, RefusesToStartWithAnAddressOrAnIdentityThatIsNone) {
  EventRecord record;
  RecordingSite site("a", record);
  LinkOptions options;
  options.identity = TestStudy().Site("a");
  options.address = "no port";
  EXPECT_TRUE(absl::IsInvalidArgument(CoordinatorLink::Start(options, site).status()));
  options.address = "127.0.0.1:7443";
  options.identity.certificate = "nothing";
  EXPECT_TRUE(absl::IsInvalidArgument(CoordinatorLink::Start(options, site).status()));
}

TEST(CoordinatorLink, SendsWhatIsQueuedBeforeItStops) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(link->Send(std::string(500'000, 'x')).ok());
  ASSERT_TRUE(link->Send("last").ok());
  link->Stop(seconds(30));
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("a", "disconnected"));
  const std::vector<std::string> events = exchange.coordinator.record.Of("a");
  ASSERT_EQ(events.size(), 23U);
  EXPECT_EQ(events[21], "last");
  EXPECT_THAT(record.Of("a"), ElementsAre("connected"));
  EXPECT_TRUE(absl::IsUnavailable(link->Send("too late")));
}

TEST(CoordinatorLink, CallsNothingOnceStopHasReturnedAlthoughTrafficFlows) {
  TestExchange exchange;
  std::atomic<int> calls = 0;
  EventRecord record;
  RecordingSite site("a", record);
  site.on_message = [&](const std::string&) { ++calls; };
  const auto link = exchange.Connect("a", site);
  std::atomic<bool> is_over = false;
  std::thread sender([&] {
    while (!is_over) {
      exchange.switchboard->Send("a", std::string(10'000, 'x')).IgnoreError();
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  while (calls < 50) std::this_thread::sleep_for(milliseconds(1));
  link->Stop(milliseconds(20));
  const int calls_then = calls;
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_EQ(calls, calls_then);
  is_over = true;
  sender.join();
}

TEST(CoordinatorLink, StopsAtOnceWhileItWaitsToTryAgain) {
  LinkOptions options;
  options.address = "127.0.0.1:1";
  options.identity = TestStudy().Site("a");
  options.first_retry = seconds(1000);
  options.longest_retry = seconds(1000);
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  link->Stop(seconds(1000));
  EXPECT_THAT(record.Of("a"), ElementsAre("disconnected"));
}

TEST(CoordinatorLink, TellsTheCoordinatorWhatItCannotTakeAndTriesAgain) {
  SwitchboardOptions small;
  small.max_message_bytes = 1000;
  TestExchange exchange(small);
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  ASSERT_TRUE(link->Send(std::string(1001, 'x')).ok());
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(absl::IsResourceExhausted(site.reasons().front())) << site.reasons().front();
  EXPECT_TRUE(record.WaitFor("a", "connected", 2));
}

TEST(CoordinatorLink, RefusesAMessageFromTheCoordinatorThatIsTooLarge) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  LinkOptions options = exchange.OptionsFor("a");
  options.max_message_bytes = 1000;
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "connected"));
  ASSERT_TRUE(exchange.switchboard->Send("a", std::string(1001, 'x')).ok());
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(absl::IsResourceExhausted(site.reasons().front())) << site.reasons().front();
  EXPECT_TRUE(absl::IsInvalidArgument(link->Send(std::string(1001, 'x'))) ||
              absl::IsUnavailable(link->Send(std::string(1001, 'x'))));
}

}  // namespace
}  // namespace flaim::runtime
