#include "rows/open/connection_string.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ConnectionString, IsShownWithoutPassword) {
  for (const std::string connection :
       {"host=db.example.org port=5433 dbname=clinic user=reader password=S3CRET sslpassword=S3CRET",
        "postgresql://reader:S3CRET@db.example.org:5433/clinic?sslmode=require",
        "postgres://reader@db.example.org:5433/clinic?password=S3CRET",
        "hostaddr=db.example.org port=5433 dbname=clinic user=reader"}) {
    EXPECT_EQ(ToText(ParseConnectionString(connection).value()), "postgresql://reader@db.example.org:5433/clinic");
  }
  EXPECT_EQ(ToText(ParseConnectionString("dbname=clinic").value()), "postgresql:///clinic");
  EXPECT_EQ(ToText(ParseConnectionString("").value()), "postgresql:///");
  EXPECT_EQ(ToText(ParseConnectionString("host=/run/postgresql dbname=clinic").value()),
            "postgresql:///clinic?host=/run/postgresql");
}

// What libpq's own message quotes, or what a special character in a password turns into a host or a database.
TEST(ConnectionString, IsNotQuotedWhenItIsRefused) {
  for (const std::string connection :
       {"host=localhost password=very S3CRET", "host=localhost password='S3CRET", "password=a S3CRET=b",
        "postgresql://reader:a@S3CRET@host/clinic", "postgresql://reader:a/S3CRET@host/clinic",
        "postgresql://reader:S3CRET/a@host/clinic", "postgresql://reader:1/S3CRET@host/clinic",
        "postgresql://reader:S3CRET%zz@host/clinic", "postgresql://reader@host/clinic?password=a&S3CRET",
        "dbname=postgresql://reader:S3CRET@host/clinic", "dbname='host=x password=S3CRET'", "S3CRET"}) {
    const absl::Status status = ParseConnectionString(connection).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << connection;
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("S3CRET"))) << connection;
  }
  EXPECT_FALSE(ParseConnectionString(std::string("host=a\0b", 8)).ok());
}

}  // namespace
}  // namespace flaim
