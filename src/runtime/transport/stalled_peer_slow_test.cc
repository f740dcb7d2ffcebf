#include <poll.h>

#include <atomic>
#include <thread>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server_builder.h"
#include "gtest/gtest.h"
#include "runtime/transport/link/client_channel.h"
#include "runtime/transport/proxy_testing.h"
#include "runtime/transport/switchboard/site_connection.h"
#include "runtime/transport/tls/certificate_chain.h"
#include "runtime/transport/tls/tcp_connection.h"
#include "runtime/transport/transport_testing.h"

// Peers that neither go on nor go away. They are given up after about the timeout; who is well behaved stays connected
// all the while.

namespace flaim::runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr milliseconds kTimeout{2000};

class StalledPeer : public testing::Test {
 protected:
  static SwitchboardOptions ShortTimeout() {
    SwitchboardOptions options;
    options.timeout = kTimeout;
    return options;
  }

  LinkOptions OptionsFor(const std::string& name) const {
    LinkOptions options = exchange.OptionsFor(name);
    options.timeout = kTimeout;
    return options;
  }

  void ExpectGoodSiteUnaffected() {
    ASSERT_TRUE(good_link->Send("still here").ok());
    EXPECT_TRUE(exchange.coordinator.record.WaitFor("good", "still here"));
    EXPECT_THAT(exchange.coordinator.record.Of("good"), ElementsAre("connected", "still here"));
    EXPECT_THAT(exchange.coordinator.complaints(), IsEmpty());
  }

  TestExchange exchange{ShortTimeout()};
  EventRecord record;
  RecordingSite good{"good", record};
  std::unique_ptr<CoordinatorLink> good_link = exchange.Connect("good", good);
};

TEST_F(StalledPeer, ThatSendsHalfAMessageIsDisconnected) {
  RawSite bad(exchange.address, exchange.study.Site("bad"), "1");
  ASSERT_TRUE(bad.Write("half", false));
  const grpc::Status status = bad.ReadToEnd();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << status.error_message();
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("bad", "disconnected"));
  EXPECT_THAT(exchange.coordinator.record.Of("bad"), ElementsAre("connected", "disconnected"));
  ExpectGoodSiteUnaffected();
}

TEST_F(StalledPeer, ThatNeverReadsIsDisconnected) {
  RawSite bad(exchange.address, exchange.study.Site("bad"), "1");
  ASSERT_TRUE(bad.IsAdmitted());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("bad", "connected"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(exchange.switchboard->Send("bad", std::string(1'000'000, 'x')).ok());
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("bad", "disconnected"));
  EXPECT_TRUE(absl::IsNotFound(exchange.switchboard->Send("bad", "x")));
  ExpectGoodSiteUnaffected();
  bad.ReadToEnd();
}

TEST_F(StalledPeer, ThatIsIdleButAliveStaysConnected) {
  RecordingSite idle("idle", record);
  const auto link = CoordinatorLink::Start(OptionsFor("idle"), idle).value();
  std::this_thread::sleep_for(3 * kTimeout);
  EXPECT_THAT(record.Of("idle"), ElementsAre("connected"));
  ExpectGoodSiteUnaffected();
  EXPECT_THAT(record.Of("good"), ElementsAre("connected"));
}

TEST_F(StalledPeer, ThatIsCutOffSilentlyIsNoticedAtBothEnds) {
  TestProxy network(TestProxy::Kind::kForwarder, exchange.switchboard->port());
  LinkOptions options = OptionsFor("bad");
  options.address = fmt::format("127.0.0.1:{}", network.port());
  RecordingSite bad("bad", record);
  const auto link = CoordinatorLink::Start(options, bad).value();
  ASSERT_TRUE(record.WaitFor("bad", "connected"));
  network.FallSilent();
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("bad", "disconnected"));
  EXPECT_TRUE(record.WaitFor("bad", "disconnected"));
  EXPECT_TRUE(absl::IsUnavailable(bad.reasons().front())) << bad.reasons().front();
  ExpectGoodSiteUnaffected();
}

TEST_F(StalledPeer, ThatWasCutOffComesBackByAnotherWay) {
  auto network = std::make_unique<TestProxy>(TestProxy::Kind::kForwarder, exchange.switchboard->port());
  const TlsIdentity identity = exchange.study.Site("bad");
  RawSite cut_off(fmt::format("127.0.0.1:{}", network->port()), identity, "1");
  ASSERT_TRUE(cut_off.IsAdmitted());
  network->FallSilent();
  RawSite other_process(exchange.address, identity, "2");
  EXPECT_FALSE(other_process.IsAdmitted());
  RawSite same_process(exchange.address, identity, "1");
  EXPECT_TRUE(same_process.IsAdmitted());
  EXPECT_TRUE(exchange.coordinator.record.WaitFor("bad", "connected", 2));
  EXPECT_THAT(exchange.coordinator.record.Of("bad"), ElementsAre("connected", "disconnected", "connected"));
  network.reset();
}

TEST_F(StalledPeer, ThatConnectsAndSaysNothingAtAllIsDisconnected) {
  const auto resolved = Resolve(ParseNetworkAddress(exchange.address).value()).value();
  const Socket socket = ConnectTcp(resolved, seconds(10)).value();
  ASSERT_TRUE(socket.WaitFor(POLLIN, std::chrono::duration_cast<milliseconds>(kPatience)));
  char byte = 0;
  EXPECT_LE(recv(socket.descriptor(), &byte, 1, 0), 0);
  ExpectGoodSiteUnaffected();
}

TEST_F(StalledPeer, ThatHasNoCertificateAndAsksNothingIsDisconnected) {
  const grpc::SslCredentialsOptions tls{
      .pem_root_certs = exchange.study.authority().certificate(), .pem_private_key = "", .pem_cert_chain = ""};
  const std::shared_ptr<grpc::Channel> channel =
      Dial({.address = exchange.address, .server_name = "", .timeout = seconds(30), .max_frame_bytes = 1000},
           grpc::SslCredentials(tls));
  ASSERT_TRUE(channel->WaitForConnected(std::chrono::system_clock::now() + kPatience));
  EXPECT_TRUE(channel->WaitForStateChange(GRPC_CHANNEL_READY, std::chrono::system_clock::now() + kPatience));
  ExpectGoodSiteUnaffected();
}

TEST_F(StalledPeer, DoesNotKeepTheSwitchboardFromStopping) {
  RawSite bad(exchange.address, exchange.study.Site("bad"), "1");
  ASSERT_TRUE(bad.IsAdmitted());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("bad", "connected"));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(exchange.switchboard->Send("bad", std::string(1'000'000, 'x')).ok());
  exchange.switchboard->Stop(milliseconds(200));
  EXPECT_THAT(exchange.coordinator.record.Of("bad"), ElementsAre("connected", "disconnected"));
  bad.ReadToEnd();
}

// A coordinator that lets everybody in and then does as the test says.
class RawCoordinator final : public transport::Coordinator::Service {
 public:
  using Stream = grpc::ServerReaderWriter<transport::Frame, transport::Frame>;

  RawCoordinator(const TlsIdentity& identity, std::function<void(Stream&)> behave) : behave_(std::move(behave)) {
    grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    options.pem_root_certs = identity.authority;
    options.pem_key_cert_pairs.push_back({identity.private_key, ChainOf(identity)});
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::SslServerCredentials(options), &port_);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
  }
  ~RawCoordinator() override { server_->Shutdown(std::chrono::system_clock::now()); }

  grpc::Status Serve(grpc::ServerContext* context, Stream* stream) override {
    context->AddInitialMetadata(kAdmittedKey, "1");
    stream->SendInitialMetadata();
    behave_(*stream);
    while (!context->IsCancelled()) std::this_thread::sleep_for(milliseconds(5));
    return grpc::Status::OK;
  }
  std::string address() const { return fmt::format("127.0.0.1:{}", port_); }

 private:
  std::function<void(Stream&)> behave_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

TEST_F(StalledPeer, ThatIsTheCoordinatorAndSendsHalfAMessageIsGivenUp) {
  RawCoordinator coordinator(exchange.study.Coordinator(), [](RawCoordinator::Stream& stream) {
    transport::Frame frame;
    frame.set_piece("half");
    stream.Write(frame);
  });
  LinkOptions options = OptionsFor("a");
  options.address = coordinator.address();
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_THAT(std::string(site.reasons().front().message()), HasSubstr("the rest of a message"));
  link->Stop(milliseconds(0));
}

TEST_F(StalledPeer, ThatIsTheCoordinatorAndNeverReadsIsGivenUp) {
  RawCoordinator coordinator(exchange.study.Coordinator(), [](RawCoordinator::Stream&) {});
  LinkOptions options = OptionsFor("a");
  options.address = coordinator.address();
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "connected"));
  ASSERT_TRUE(link->Send(std::string(100'000'000, 'x')).ok());
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_THAT(std::string(site.reasons().front().message()), HasSubstr("does not read"));
  link->Stop(milliseconds(0));
}

TEST_F(StalledPeer, ThatIsTheCoordinatorAndNeverAnswersIsGivenUp) {
  TestProxy network(TestProxy::Kind::kForwarder, exchange.switchboard->port());
  network.FallSilent();
  LinkOptions options = OptionsFor("a");
  options.address = fmt::format("127.0.0.1:{}", network.port());
  RecordingSite site("a", record);
  const auto link = CoordinatorLink::Start(options, site).value();
  ASSERT_TRUE(record.WaitFor("a", "disconnected"));
  EXPECT_TRUE(absl::IsUnavailable(site.reasons().front())) << site.reasons().front();
  EXPECT_THAT(record.Of("a"), Not(Contains("connected")));
  link->Stop(milliseconds(0));
}

}  // namespace
}  // namespace flaim::runtime
