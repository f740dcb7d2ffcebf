#include "runtime/transport/tls/tls_handshake.h"

#include <sys/socket.h>
#include <unistd.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/transport/transport_testing.h"

namespace flaim::runtime {
namespace {

// The write to a closed connection raises SIGPIPE, which would end the program of a site in the middle of a study.
TEST(TlsHandshake, APeerThatHasGoneIsAnErrorAndNotTheEndOfTheProgram) {
  TestExchange exchange;
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  const Socket socket(ends[0]);
  close(ends[1]);
  const absl::StatusOr<TlsHandshake> handshake =
      ShakeHands(socket, exchange.OptionsFor("a").identity, "localhost", std::chrono::seconds(1));
  EXPECT_TRUE(absl::IsUnavailable(handshake.status())) << handshake.status();
  EXPECT_THAT(std::string(handshake.status().message()), testing::HasSubstr("it closes the connection"));
}

}  // namespace
}  // namespace flaim::runtime
