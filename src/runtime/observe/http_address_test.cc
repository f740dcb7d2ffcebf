#include "runtime/observe/http_address.h"

#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

TEST(HttpAddress, HasAHostAndAPort) {
  for (const char* text : {"127.0.0.1:8088", "[::1]:0", "localhost:65535", "status.example-hospital.org:80"}) {
    const absl::StatusOr<HttpAddress> address = ParseHttpAddress(text);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(address->ToText(), text);
  }
  EXPECT_EQ(ParseHttpAddress("[::1]:80")->host, "::1");
}

TEST(HttpAddress, RefusesAnythingElse) {
  for (const char* text :
       {"", ":", ":8088", "8088", "localhost", "localhost:", "localhost:x", "localhost:80x", "localhost:-1",
        "localhost:65536", "::1:80", "[localhost]:80", "[]:80", "a b:80", "a\n:80", "host:99999999999999999999"}) {
    EXPECT_EQ(ParseHttpAddress(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
}

TEST(HttpUrl, MayLeaveOutWhatGoesWithoutSaying) {
  for (const char* url : {"http://localhost:8088/", "http://localhost:8088", "localhost:8088", "localhost:8088/",
                          "http://localhost:8088/status.json"}) {
    const absl::StatusOr<HttpAddress> address = ParseHttpUrl(url);
    ASSERT_TRUE(address.ok()) << address.status();
    EXPECT_EQ(address->ToText(), "localhost:8088");
  }
  EXPECT_EQ(ParseHttpUrl("http://localhost/")->port, 80);
  EXPECT_EQ(ParseHttpUrl("http://[::1]/")->ToText(), "[::1]:80");
  EXPECT_EQ(ParseHttpUrl("http://[::1]:81/")->ToText(), "[::1]:81");
}

TEST(HttpUrl, RefusesAnythingElse) {
  for (const char* url : {"", "http://", "https://localhost:1/", "ftp://localhost/", "http://a b/"}) {
    EXPECT_EQ(ParseHttpUrl(url).status().code(), absl::StatusCode::kInvalidArgument) << url;
  }
}

}  // namespace
}  // namespace flaim::runtime
