#include <atomic>
#include <thread>

#include "base/seeded_random_source.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/transport_testing.h"

namespace flaim::runtime {
namespace {

using std::chrono::milliseconds;

TEST(ManySites, AreAllServedWhileConnectionsBreakAtRandomMoments) {
  constexpr int kSites = 60;
  constexpr int kBreaks = 40;
  TestExchange exchange;
  exchange.coordinator.on_message = [&](const std::string& site, const std::string& message) {
    exchange.switchboard->Send(site, message).IgnoreError();
  };
  EventRecord record;
  std::vector<std::unique_ptr<RecordingSite>> sites;
  std::vector<std::unique_ptr<CoordinatorLink>> links;
  for (int i = 0; i < kSites; ++i) {
    const std::string name = fmt::format("site-{}", i);
    sites.push_back(std::make_unique<RecordingSite>(name, record));
    links.push_back(CoordinatorLink::Start(exchange.OptionsFor(name), *sites.back()).value());
  }
  SeededRandomSource random(7);
  for (int i = 0; i < kBreaks; ++i) {
    for (const auto& link : links) link->Send(TestMessage(random.NextBelow(20'000), 1)).IgnoreError();
    exchange.switchboard->Disconnect(fmt::format("site-{}", random.NextBelow(kSites)));
    std::this_thread::sleep_for(milliseconds(random.NextBelow(20)));
  }
  for (int i = 0; i < kSites; ++i) {
    const std::string name = fmt::format("site-{}", i);
    const std::string last = fmt::format("the last of {}", i);
    ASSERT_TRUE(record.WaitUntil([&](const auto&) { return links[i]->Send(last).ok(); })) << name;
    EXPECT_TRUE(record.WaitFor(name, last)) << name;
  }
  EXPECT_THAT(exchange.coordinator.complaints(), testing::IsEmpty());
}

}  // namespace
}  // namespace flaim::runtime
