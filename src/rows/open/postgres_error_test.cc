#include "rows/open/postgres_error.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rows/open/open_rows.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

TEST(PostgresError, AboutNamesRightsAndServersMayBeToldToOthers) {
  EXPECT_EQ(PostgresError("42501", "permission denied for table t").code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(PostgresError("42P01", "relation \"t\" does not exist").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(PostgresError("57P01", "terminating connection").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(PostgresError("", "server closed the connection").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(PostgresError("53100", "could not write: disk full").code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(PostgresError("25006", "cannot execute INSERT").code(), absl::StatusCode::kFailedPrecondition);
  for (const char* state : {"42501", "42P01", "57P01", "", "53100", "25006"}) {
    EXPECT_FALSE(IsForOwnerOnly(PostgresError(state, "message"))) << state;
  }
}

TEST(PostgresError, AboutValuesIsForTheOwnerOnly) {
  for (const char* state : {"22P02", "22003", "23505", "P0001", "42601", "XX000", "ZZZZZ", "0A000"}) {
    EXPECT_TRUE(IsForOwnerOnly(PostgresError(state, "message"))) << state;
  }
}

TEST(PostgresError, SaysWhatToDoAboutTimeouts) {
  EXPECT_THAT(MessageOf(PostgresError("57014", "canceling statement")), HasSubstr("statement_timeout"));
  EXPECT_THAT(MessageOf(PostgresError("25P03", "terminating")), HasSubstr("idle_in_transaction_session_timeout"));
}

TEST(PostgresError, IsOneLine) {
  EXPECT_EQ(OneLine("server closed\n\tthe connection \r\n"), "server closed the connection");
  EXPECT_EQ(OneLine(" \n"), "");
  EXPECT_EQ(MessageOf(PostgresError("", "")), "the connection was lost");
}

}  // namespace
}  // namespace flaim
