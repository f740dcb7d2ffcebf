#include "runtime/transport/link/probe.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/proxy_testing.h"
#include "runtime/transport/transport_testing.h"

namespace flaim::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> NamesOf(const ProbeReport& report) {
  std::vector<std::string> names;
  for (const ProbeStep& step : report.steps) names.push_back(step.name);
  return names;
}

std::string TextOf(const ProbeReport& report) { return std::string(report.status().message()); }

TEST(Probe, FindsEverythingInOrder) {
  TestExchange exchange;
  const ProbeReport report = Probe(exchange.OptionsFor("hospital-3"), SystemClock());
  EXPECT_TRUE(report.status().ok()) << report.status();
  EXPECT_THAT(NamesOf(report), ElementsAre("certificate of this site", "name resolution", "network", "TLS",
                                           "certificate of the coordinator", "acceptance by the coordinator"));
  EXPECT_THAT(report.steps[0].found, HasSubstr("hospital-3"));
  EXPECT_THAT(report.steps[1].found, HasSubstr("127.0.0.1"));
  EXPECT_EQ(report.steps[3].found, "TLSv1.3");
}

TEST(Probe, DoesNotDisturbTheSitesOwnConnection) {
  TestExchange exchange;
  EventRecord record;
  RecordingSite site("a", record);
  const auto link = exchange.Connect("a", site);
  EXPECT_TRUE(ProbeConnection(exchange.OptionsFor("a")).ok());
  ASSERT_TRUE(link->Send("still here").ok());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("a", "still here"));
  EXPECT_THAT(exchange.coordinator.record.Of("a"), ElementsAre("connected", "still here"));
}

TEST(Probe, SaysThatANameDoesNotResolve) {
  TestExchange exchange;
  LinkOptions options = exchange.OptionsFor("a");
  options.address = "no-such-host.invalid:7443";
  options.timeout = std::chrono::seconds(2);
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(absl::IsUnavailable(report.status())) << report.status();
  EXPECT_EQ(report.steps.back().name, "name resolution");
  EXPECT_THAT(TextOf(report), HasSubstr("no-such-host.invalid"));
}

TEST(Probe, SaysThatNobodyListens) {
  TestExchange exchange;
  const LinkOptions options = exchange.OptionsFor("a");
  exchange.switchboard.reset();
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(absl::IsUnavailable(report.status())) << report.status();
  EXPECT_EQ(report.steps.back().name, "network");
  EXPECT_THAT(TextOf(report), HasSubstr("nobody listens"));
}

TEST(Probe, SaysThatWhatListensIsNotACoordinator) {
  TestExchange exchange;
  TestProxy http(TestProxy::Kind::kRefusing, exchange.switchboard->port());
  LinkOptions options = exchange.OptionsFor("a");
  options.address = fmt::format("127.0.0.1:{}", http.port());
  options.timeout = std::chrono::milliseconds(300);
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(absl::IsUnavailable(report.status())) << report.status();
  EXPECT_EQ(report.steps.back().name, "TLS");
  EXPECT_THAT(TextOf(report), HasSubstr("not a coordinator"));
}

TEST(Probe, SaysThatTheCoordinatorIsOfAnotherStudy) {
  TestExchange exchange;
  LinkOptions options = exchange.OptionsFor("a");
  options.identity = TestStudy().Site("a");
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(absl::IsUnauthenticated(report.status())) << report.status();
  EXPECT_EQ(report.steps.back().name, "certificate of the coordinator");
}

TEST(Probe, SaysThatTheCoordinatorsCertificateHasExpired) {
  TestStudy old_study(DaysFromNow(-1000));
  TestExchange exchange;
  exchange.options.identity = old_study.Coordinator(DaysFromNow(-900));
  exchange.Restart();
  LinkOptions options = exchange.OptionsFor("a");
  options.identity = old_study.Site("a");
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(absl::IsUnauthenticated(report.status())) << report.status();
  EXPECT_EQ(report.steps.back().name, "certificate of the coordinator");
  EXPECT_THAT(TextOf(report), HasSubstr("expired"));
}

TEST(Probe, SaysThatTheClockMayBeWrong) {
  TestExchange exchange;
  const ProbeReport report = Probe(exchange.OptionsFor("a"), DaysFromNow(-30));
  EXPECT_TRUE(absl::IsUnauthenticated(report.status())) << report.status();
  EXPECT_THAT(TextOf(report), HasSubstr("clock"));
}

TEST(Probe, SaysThatTheCertificateIsForAnotherName) {
  TestExchange exchange;
  LinkOptions options = exchange.OptionsFor("a");
  options.server_name = "other.test";
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(absl::IsUnauthenticated(report.status())) << report.status();
  EXPECT_THAT(TextOf(report), HasSubstr("not for other.test"));
}

TEST(Probe, SaysThatTheCoordinatorRefusesTheSitesCertificate) {
  TestExchange exchange;
  exchange.options.identity.authority = TestStudy().authority().certificate();
  exchange.Restart();
  const ProbeReport report = Probe(exchange.OptionsFor("a"), SystemClock());
  EXPECT_TRUE(absl::IsUnauthenticated(report.status())) << report.status();
  EXPECT_EQ(report.steps.back().name, "acceptance by the coordinator");
}

TEST(Probe, SaysThatTheSitesOwnFilesDoNotBelongTogether) {
  TestExchange exchange;
  LinkOptions options = exchange.OptionsFor("a");
  options.identity.private_key = MakePrivateKey().value();
  const ProbeReport report = Probe(options, SystemClock());
  EXPECT_TRUE(absl::IsInvalidArgument(report.status())) << report.status();
  EXPECT_THAT(NamesOf(report), ElementsAre("certificate of this site"));
}

}  // namespace
}  // namespace flaim::runtime
