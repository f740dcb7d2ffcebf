#include "runtime/transport/switchboard/switchboard.h"

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
using testing::IsEmpty;

TEST(Switchboard, CarriesMessagesOfManySizesInOrderFromAndToSeveralSites) {
  constexpr int kSites = 4;
  SwitchboardOptions options;
  options.max_frame_bytes = 1000;
  TestExchange exchange(options);
  EventRecord record;
  std::vector<std::string> expected = {"connected"};
  std::vector<std::string> messages;
  for (const std::size_t bytes : {0, 1, 2, 999, 1000, 1001, 1999, 2000, 2001, 12'345, 300'000}) {
    messages.push_back(TestMessage(bytes, static_cast<unsigned>(bytes)));
    expected.push_back(Summary(messages.back()));
  }
  std::vector<std::unique_ptr<RecordingSite>> sites;
  std::vector<std::unique_ptr<CoordinatorLink>> links;
  for (int i = 0; i < kSites; ++i) {
    const std::string name = fmt::format("site-{}", i);
    sites.push_back(std::make_unique<RecordingSite>(name, record));
    LinkOptions link_options = exchange.OptionsFor(name);
    link_options.max_frame_bytes = 1000;
    links.push_back(CoordinatorLink::Start(link_options, *sites.back()).value());
    ASSERT_TRUE(record.WaitFor(name, "connected"));
  }
  for (const std::string& message : messages) {
    for (int i = 0; i < kSites; ++i) {
      EXPECT_TRUE(links[i]->Send(message).ok());
      EXPECT_TRUE(exchange.switchboard->Send(fmt::format("site-{}", i), message).ok());
    }
  }
  for (int i = 0; i < kSites; ++i) {
    const std::string name = fmt::format("site-{}", i);
    EXPECT_TRUE(record.WaitFor(name, expected.back()));
    EXPECT_TRUE(exchange.coordinator.record.WaitFor(name, expected.back()));
    EXPECT_EQ(record.Of(name), expected);
    EXPECT_EQ(exchange.coordinator.record.Of(name), expected);
  }
  EXPECT_THAT(exchange.coordinator.complaints(), IsEmpty());
}

TEST(Switchboard, CarriesTwentyMegabytesInBothDirectionsAtOnce) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  const std::string to_site = TestMessage(20'000'000, 1);
  const std::string to_coordinator = TestMessage(20'000'001, 2);
  EXPECT_TRUE(exchange.switchboard->Send("a", to_site).ok());
  EXPECT_TRUE(link->Send(to_coordinator).ok());
  EXPECT_TRUE(record.WaitFor("a", Summary(to_site)));
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("a", Summary(to_coordinator)));
}

TEST(Switchboard, CountsWhatEachSiteSentAndReceived) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  ASSERT_TRUE(link->Send(std::string(1'000'000, 'x')).ok());
  ASSERT_TRUE(link->Send("last").ok());
  ASSERT_TRUE(exchange.switchboard->Send("a", "three").ok());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("a", "last"));
  ASSERT_TRUE(record.WaitFor("a", "three"));
  link->Stop(seconds(10));
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("a", "disconnected"));
  const LinkTraffic there = exchange.switchboard->TrafficOf("a");
  EXPECT_EQ(there.received_messages, 2U);
  EXPECT_EQ(there.received_bytes, 1'000'004U);
  EXPECT_EQ(there.sent_messages, 1U);
  EXPECT_EQ(there.sent_bytes, 5U);
  const LinkTraffic here = link->traffic();
  EXPECT_EQ(here.sent_messages, 2U);
  EXPECT_EQ(here.sent_bytes, 1'000'004U);
  EXPECT_EQ(here.received_messages, 1U);
  EXPECT_EQ(here.received_bytes, 5U);
  EXPECT_EQ(exchange.switchboard->TrafficOf("unknown").sent_messages, 0U);
}

TEST(Switchboard, KnowsWhoIsConnectedAndFindsNobodyElse) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite a("a", record);
  RecordingSite b("b", record);
  const auto link_a = exchange.Connect("a", a);
  {
    const auto link_b = exchange.Connect("b", b);
    EXPECT_THAT(exchange.switchboard->Connected(), ElementsAre("a", "b"));
  }
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("b", "disconnected"));
  EXPECT_THAT(exchange.switchboard->Connected(), ElementsAre("a"));
  EXPECT_TRUE(absl::IsNotFound(exchange.switchboard->Send("b", "x")));
  EXPECT_TRUE(absl::IsNotFound(exchange.switchboard->Send("stranger", "x")));
  exchange.switchboard->Disconnect("stranger");
}

TEST(Switchboard, RefusesToSendWhatIsLargerThanAnyMessageMayBe) {
  SwitchboardOptions options;
  options.max_message_bytes = 1000;
  TestExchange exchange(options);
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  EXPECT_TRUE(absl::IsInvalidArgument(exchange.switchboard->Send("a", std::string(1001, 'x'))));
  EXPECT_TRUE(exchange.switchboard->Send("a", std::string(1000, 'x')).ok());
}

TEST(Switchboard, DisconnectsASiteWhichThenComesBack) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  exchange.switchboard->Disconnect("a");
  EXPECT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("a", "connected", 2));
  EXPECT_EQ(site.reasons().front().message(), "the coordinator has hung up");
  EXPECT_THAT(exchange.coordinator.record.Of("a"), ElementsAre("connected", "disconnected", "connected"));
}

TEST(Switchboard, DeliversForOneSiteWhileAnotherIsBeingDealtWith) {
  TestExchange exchange;
  std::atomic<bool> is_released = false;
  exchange.coordinator.on_message = [&](const std::string& site, const std::string&) {
    while (site == "slow" && !is_released) std::this_thread::sleep_for(milliseconds(1));
  };
  EventRecord record;
  RecordingSite slow("slow", record);
  RecordingSite quick("quick", record);
  const auto slow_link = exchange.Connect("slow", slow);
  const auto quick_link = exchange.Connect("quick", quick);
  ASSERT_TRUE(slow_link->Send("one").ok());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("slow", "one"));
  ASSERT_TRUE(quick_link->Send("two").ok());
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("quick", "two"));
  is_released = true;
}

TEST(Switchboard, LetsTheCoordinatorAnswerFromWithinItsEvents) {
  TestExchange exchange;
  exchange.coordinator.on_message = [&](const std::string& site, const std::string& message) {
    EXPECT_TRUE(exchange.switchboard->Send(site, fmt::format("answer to {}", message)).ok());
  };
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(link->Send(fmt::format("{}", i)).ok());
  EXPECT_TRUE(record.WaitFor("a", "answer to 99"));
}

TEST(Switchboard, SendsWhatIsQueuedBeforeItStops) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(exchange.switchboard->Send("a", std::string(500'000, 'x')).ok());
  ASSERT_TRUE(exchange.switchboard->Send("a", "last").ok());
  exchange.switchboard->Stop(seconds(30));
  EXPECT_TRUE(record.WaitFor("a", "last"));
  EXPECT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_THAT(std::string(site.reasons().front().message()), testing::HasSubstr("the coordinator is stopping"));
  EXPECT_THAT(exchange.coordinator.record.Of("a"), ElementsAre("connected", "disconnected"));
}

TEST(Switchboard, CallsNothingOnceStopHasReturnedAlthoughTrafficFlows) {
  TestExchange exchange;
  std::atomic<int> calls = 0;
  exchange.coordinator.on_message = [&](const std::string&, const std::string&) { ++calls; };
  EventRecord record;
  std::vector<std::unique_ptr<RecordingSite>> sites;
  std::vector<std::unique_ptr<CoordinatorLink>> links;
  for (const char* name : {"a", "b", "c"}) {
    sites.push_back(std::make_unique<RecordingSite>(name, record));
    links.push_back(exchange.Connect(name, *sites.back()));
  }
  std::atomic<bool> is_over = false;
  std::vector<std::thread> senders;
  for (auto& link : links) {
    senders.emplace_back([&] {
      while (!is_over) {
        if (!link->Send(std::string(50'000, 'x')).ok()) std::this_thread::sleep_for(milliseconds(1));
      }
    });
  }
  senders.emplace_back([&] {
    while (!is_over) {
      for (const char* name : {"a", "b", "c"}) exchange.switchboard->Send(name, std::string(50'000, 'y')).IgnoreError();
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  while (calls < 100) std::this_thread::sleep_for(milliseconds(1));
  exchange.switchboard->Stop(milliseconds(50));
  const int calls_then = calls;
  const std::vector<std::string> events_then = exchange.coordinator.record.Of("a");
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(calls, calls_then);
  EXPECT_EQ(exchange.coordinator.record.Of("a").size(), events_then.size());
  EXPECT_EQ(events_then.back(), "disconnected");
  EXPECT_THAT(exchange.switchboard->Connected(), IsEmpty());
  is_over = true;
  for (std::thread& sender : senders) sender.join();
  EXPECT_THAT(exchange.coordinator.complaints(), IsEmpty());
}

TEST(Switchboard, SaysSoIfThePortIsTaken) {
  TestExchange exchange;
  RecordingCoordinator other;
  const absl::Status status = Switchboard::Start(exchange.options, other, other).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr(exchange.address));
}

TEST(Switchboard, RefusesAnIdentityWhoseKeyIsNotThatOfTheCertificate) {
  TestExchange exchange;
  SwitchboardOptions options = exchange.options;
  options.listen = "127.0.0.1:0";
  options.identity.private_key = MakePrivateKey().value();
  const absl::Status status = Switchboard::Start(options, exchange.coordinator, exchange.coordinator).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
}

}  // namespace
}  // namespace flaim::runtime
