#include <cstdlib>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/link/probe.h"
#include "runtime/transport/proxy_testing.h"
#include "runtime/transport/transport_testing.h"

// Sites that reach the coordinator only through an HTTP proxy. The coordinator's name exists for the proxy alone: what
// arrives has come through it.

namespace flaim::runtime {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class ThroughProxy : public testing::Test {
 protected:
  void Use(const TestProxy& proxy) {
    setenv("https_proxy", fmt::format("http://127.0.0.1:{}", proxy.port()).c_str(), 1);
    unsetenv("no_proxy");
    unsetenv("no_grpc_proxy");
    unsetenv("grpc_proxy");
  }
  ~ThroughProxy() override { unsetenv("https_proxy"); }

  TestExchange exchange;
  const std::string address = fmt::format("coordinator.test:{}", exchange.switchboard->port());
};

TEST_F(ThroughProxy, ALinkConnectsAndCarriesMessages) {
  TestProxy proxy(TestProxy::Kind::kConnect, exchange.switchboard->port());
  Use(proxy);
  EventRecord record;
  RecordingSite site("a", record);
  LinkOptions options = exchange.OptionsFor("a");
  options.address = address;
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "connected"));
  ASSERT_TRUE(link->Send(std::string(1'000'000, 'x')).ok());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("a", Summary(std::string(1'000'000, 'x'))));
  EXPECT_GT(proxy.bytes_passed(), 1'000'000U);
  EXPECT_THAT(proxy.asked_for(), Each(HasSubstr(fmt::format("CONNECT {}", address))));
}

TEST_F(ThroughProxy, ANewcomerEnrols) {
  TestProxy proxy(TestProxy::Kind::kConnect, exchange.switchboard->port());
  Use(proxy);
  exchange.coordinator.enrol = [](const EnrolmentService::Application&) {
    return EnrolmentService::Reception{.site = "a", .manifest = "", .signature = ""};
  };
  const UnknownSite site{
      .address = address,
      .authority_fingerprint = CertificateFingerprint(exchange.study.authority().certificate()).value()};
  const absl::StatusOr<EnrolmentService::Reception> reception = Enrol(site, {});
  ASSERT_TRUE(reception.ok()) << reception.status();
  EXPECT_EQ(reception->site, "a");
  EXPECT_THAT(proxy.asked_for(), Not(IsEmpty()));
}

TEST_F(ThroughProxy, AProbeFindsTheWay) {
  TestProxy proxy(TestProxy::Kind::kConnect, exchange.switchboard->port());
  Use(proxy);
  LinkOptions options = exchange.OptionsFor("a");
  options.address = address;
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(report.status().ok()) << report.status();
  EXPECT_EQ(report.steps.back().name, "acceptance by the coordinator");
}

TEST_F(ThroughProxy, ALinkSaysSoIfTheProxyRefuses) {
  TestProxy proxy(TestProxy::Kind::kRefusing, exchange.switchboard->port());
  Use(proxy);
  EventRecord record;
  RecordingSite site("a", record);
  LinkOptions options = exchange.OptionsFor("a");
  options.address = address;
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(absl::IsUnavailable(site.reasons().front()));
  EXPECT_THAT(std::string(site.reasons().front().message()), HasSubstr("the proxy does not let"));
}

TEST_F(ThroughProxy, NobodyGoesToThisMachineItself) {
  TestProxy proxy(TestProxy::Kind::kRefusing, exchange.switchboard->port());
  Use(proxy);
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  EXPECT_THAT(proxy.asked_for(), IsEmpty());
}

}  // namespace
}  // namespace flaim::runtime
