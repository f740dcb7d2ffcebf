#include <thread>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "runtime/transport/switchboard/coordinator_service.h"
#include "runtime/transport/transport_testing.h"

// A site that is let in and then misbehaves: it is disconnected, and nobody else notices.

namespace flaim::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Beside each misbehaving site, a good one: it must be connected all the time.
class HostilePeer : public testing::Test {
 protected:
  static SwitchboardOptions SmallLimits() {
    SwitchboardOptions options;
    options.max_message_bytes = 100'000;
    options.max_frame_bytes = 10'000;
    return options;
  }

  void ExpectGoodSiteUnaffected() {
    ASSERT_TRUE(good_link->Send("still here").ok());
    EXPECT_TRUE(exchange.coordinator.record.WaitFor("good", "still here"));
    EXPECT_THAT(exchange.coordinator.record.Of("good"), ElementsAre("connected", "still here"));
    EXPECT_THAT(exchange.coordinator.complaints(), IsEmpty());
  }

  void ExpectNothingButConnectionOfBadSite() {
    EXPECT_TRUE(exchange.coordinator.record.WaitFor("bad", "disconnected"));
    EXPECT_THAT(exchange.coordinator.record.Of("bad"), ElementsAre("connected", "disconnected"));
  }

  TestExchange exchange{SmallLimits()};
  EventRecord record;
  RecordingSite good{"good", record};
  std::unique_ptr<CoordinatorLink> good_link = exchange.Connect("good", good);
};

TEST_F(HostilePeer, IsDisconnectedForAMessageThatIsTooLargeAsSoonAsItIs) {
  RawSite bad(exchange.address, exchange.study.Site("bad"), "1");
  int written = 0;
  while (written < 1000 && bad.Write(std::string(5000, 'x'), false)) ++written;
  EXPECT_LT(written, 1000);
  const grpc::Status status = bad.ReadToEnd();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  EXPECT_THAT(status.error_message(), HasSubstr("100000 bytes"));
  ExpectNothingButConnectionOfBadSite();
  ExpectGoodSiteUnaffected();
}

TEST_F(HostilePeer, IsDisconnectedForAFrameThatIsTooLarge) {
  RawSite bad(exchange.address, exchange.study.Site("bad"), "1");
  bad.Write(std::string(20'000, 'x'), true);
  EXPECT_EQ(bad.ReadToEnd().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  ExpectNothingButConnectionOfBadSite();
  ExpectGoodSiteUnaffected();
}

TEST_F(HostilePeer, IsDisconnectedForAnEmptyPiece) {
  RawSite bad(exchange.address, exchange.study.Site("bad"), "1");
  ASSERT_TRUE(bad.Write("", false));
  EXPECT_EQ(bad.ReadToEnd().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  ExpectNothingButConnectionOfBadSite();
  ExpectGoodSiteUnaffected();
}

// Writes these bytes as one message of gRPC, and waits until the coordinator ends the call.
void WriteBytes(const TestExchange& exchange, const std::string& bytes, grpc_compression_algorithm compression) {
  const TlsIdentity identity = exchange.study.Site("bad");
  const grpc::SslCredentialsOptions tls{.pem_root_certs = identity.authority,
                                        .pem_private_key = identity.private_key,
                                        .pem_cert_chain = identity.certificate};
  grpc::GenericStub stub(grpc::CreateChannel(exchange.address, grpc::SslCredentials(tls)));
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  context.AddMetadata(kInstanceKey, "1");
  context.set_compression_algorithm(compression);
  const auto stream = stub.PrepareCall(&context, "/flaim.transport.Coordinator/Serve", &queue);
  const auto wait = [&] {
    void* tag = nullptr;
    bool ok = false;
    queue.Next(&tag, &ok);
    return ok;
  };
  stream->StartCall(nullptr);
  ASSERT_TRUE(wait());
  const grpc::Slice slice(bytes);
  stream->Write(grpc::ByteBuffer(&slice, 1), nullptr);
  wait();
  grpc::ByteBuffer answer;
  do stream->Read(&answer, nullptr);
  while (wait());
  grpc::Status status;
  stream->Finish(&status, nullptr);
  wait();
  queue.Shutdown();
}

TEST_F(HostilePeer, IsDisconnectedForBytesThatAreNotAFrame) {
  WriteBytes(exchange, "\xff\xff\xff\xff not a frame", GRPC_COMPRESS_NONE);
  ExpectNothingButConnectionOfBadSite();
  ExpectGoodSiteUnaffected();
}

TEST_F(HostilePeer, IsDisconnectedForAFrameThatIsCompressed) {
  transport::Frame frame;
  frame.set_piece(std::string(5'000, 'x'));
  frame.set_is_last(true);
  WriteBytes(exchange, frame.SerializeAsString(), GRPC_COMPRESS_GZIP);
  ExpectNothingButConnectionOfBadSite();
  ExpectGoodSiteUnaffected();
}

TEST_F(HostilePeer, MayComeAndGoAsOftenAsItLikes) {
  const TlsIdentity identity = exchange.study.Site("bad");
  for (int i = 0; i < 30; ++i) {
    RawSite bad(exchange.address, identity, fmt::format("{}", i % 3));
    bad.Write("x", i % 2 == 0);
    bad.Cancel();
    bad.ReadToEnd();
  }
  ExpectGoodSiteUnaffected();
}

TEST_F(HostilePeer, CannotMakeTheCoordinatorQueueMoreThanIsAllowed) {
  exchange.options.max_queued_bytes = 1'000'000;
  good_link.reset();
  exchange.Restart();
  RawSite bad(exchange.address, exchange.study.Site("bad"), "1");
  ASSERT_TRUE(bad.IsAdmitted());
  ASSERT_TRUE(exchange.coordinator.record.WaitFor("bad", "connected"));
  absl::Status status;
  std::size_t sent_bytes = 0;
  constexpr std::size_t kFarMoreThanWindowsHold = 200'000'000;
  while (status.ok() && sent_bytes < kFarMoreThanWindowsHold) {
    status = exchange.switchboard->Send("bad", std::string(100'000, 'x'));
    sent_bytes += 100'000;
  }
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  bad.Cancel();
  bad.ReadToEnd();
}

}  // namespace
}  // namespace flaim::runtime
