#include "runtime/transport/link/connection_failure.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

using testing::HasSubstr;

std::string Explained(const char* text) {
  const absl::Status status = ExplainNetworkFailure(absl::UnavailableError(text), "coordinator.test:7443");
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
  return std::string(status.message());
}

TEST(ConnectionFailure, OfTheNetworkIsToldApartByWhatGrpcSays) {
  EXPECT_THAT(Explained("DNS resolution failed for coordinator.test:7443: no such name"),
              HasSubstr("does not resolve"));
  EXPECT_THAT(Explained("failed to connect to all addresses; last error: UNKNOWN: ipv4:192.0.2.1:7443: Failed to "
                        "connect to remote host: Connection refused"),
              HasSubstr("nobody listens at coordinator.test:7443"));
  EXPECT_THAT(Explained("failed to connect to all addresses; last error: HTTP proxy returned response code 403"),
              HasSubstr("the proxy does not let"));
  EXPECT_THAT(Explained("failed to connect to all addresses; last error: UNKNOWN: Failed to connect to remote host: No "
                        "route to host"),
              HasSubstr("firewalls"));
}

TEST(ConnectionFailure, InTheCoordinatorsOwnWordsIsLeftAsItIs) {
  for (const absl::Status& status :
       {absl::PermissionDeniedError("no: Connection refused by us"),
        absl::UnavailableError("the coordinator is stopping"), absl::AlreadyExistsError("two programs")}) {
    EXPECT_EQ(ExplainNetworkFailure(status, "x:1"), status);
    EXPECT_EQ(ExplainFailure(status, LinkOptions{}), status);
  }
}

TEST(ConnectionFailure, OfAStreamThatBreaksIsUnavailable) {
  for (const absl::Status& status : {absl::UnavailableError("Socket closed"), absl::UnknownError("Stream removed"),
                                     absl::InternalError("RST_STREAM"), absl::CancelledError("CANCELLED")}) {
    const absl::Status loss = ExplainLoss(status);
    EXPECT_TRUE(absl::IsUnavailable(loss)) << loss;
    EXPECT_THAT(std::string(loss.message()), HasSubstr(std::string(status.message())));
  }
  EXPECT_TRUE(absl::IsUnavailable(ExplainLoss(absl::OkStatus())));
  EXPECT_TRUE(absl::IsUnavailable(ExplainFailure(absl::UnknownError("Stream removed"), LinkOptions{})));
  EXPECT_TRUE(absl::IsUnavailable(ExplainFailure(absl::OkStatus(), LinkOptions{})));
}

TEST(ConnectionFailure, KeepsTheReasonOfACoordinatorThatEndsAConnection) {
  EXPECT_EQ(ExplainLoss(absl::ResourceExhaustedError("too large")), absl::ResourceExhaustedError("too large"));
}

}  // namespace
}  // namespace flaim::runtime
