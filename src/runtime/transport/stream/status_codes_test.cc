#include "runtime/transport/stream/status_codes.h"

#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

TEST(StatusCodes, EveryStatusIsTheSameThereAndBack) {
  EXPECT_TRUE(FromGrpc(ToGrpc(absl::OkStatus())).ok());
  for (int code = 1; code <= static_cast<int>(absl::StatusCode::kUnauthenticated); ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "what to do");
    EXPECT_EQ(FromGrpc(ToGrpc(status)), status);
  }
}

TEST(StatusCodes, ACodeThatNobodyKnowsIsUnknown) {
  EXPECT_TRUE(absl::IsUnknown(FromGrpc(grpc::Status(static_cast<grpc::StatusCode>(20), "x"))));
  EXPECT_TRUE(absl::IsUnknown(FromGrpc(grpc::Status(static_cast<grpc::StatusCode>(-1), "x"))));
}

TEST(StatusCodes, ThePeersTextCannotControlATerminalOrFillIt) {
  const grpc::Status status(grpc::StatusCode::ABORTED, "\x1b[2J\nfaked line\x7f" + std::string(5000, 'a'));
  const std::string text(FromGrpc(status).message());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text.find('\x7f'), std::string::npos);
  EXPECT_NE(text.find("faked line"), std::string::npos);
  EXPECT_LT(text.size(), 1100U);
}

}  // namespace
}  // namespace flaim::runtime
