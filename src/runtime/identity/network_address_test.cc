#include "runtime/identity/network_address.h"

#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

TEST(NetworkAddress, ReadsNamesAndBothKindsOfIpAddress) {
  EXPECT_EQ(*ParseNetworkAddress("flaim.example.org:7443"), (NetworkAddress{"flaim.example.org", 7443}));
  EXPECT_EQ(*ParseNetworkAddress("localhost:1"), (NetworkAddress{"localhost", 1}));
  EXPECT_EQ(*ParseNetworkAddress("my_host-3:80"), (NetworkAddress{"my_host-3", 80}));
  EXPECT_EQ(*ParseNetworkAddress("192.0.2.7:65535"), (NetworkAddress{"192.0.2.7", 65535}));
  EXPECT_EQ(*ParseNetworkAddress("[2001:db8::7]:7443"), (NetworkAddress{"2001:db8::7", 7443}));
  EXPECT_EQ(*ParseNetworkAddress("[::]:7443"), (NetworkAddress{"::", 7443}));
}

TEST(NetworkAddress, RefusesWhatIsNoHostAndPort) {
  for (const std::string text : {"",
                                 ":",
                                 "host",
                                 "host:",
                                 ":7443",
                                 "host:0",
                                 "host:07",
                                 "host:65536",
                                 "host:+1",
                                 "host:-1",
                                 "host: 1",
                                 "host:1 ",
                                 "host:1x",
                                 "ho st:1",
                                 "host\n:1",
                                 "-host:1",
                                 "host-:1",
                                 "a..b:1",
                                 ".a:1",
                                 "a.:1",
                                 "*.example.org:1",
                                 "300.1.1.1:1",
                                 "1.2.3:1",
                                 "7:1",
                                 "[::1]",
                                 "[::1]7443",
                                 "[::1:7443",
                                 "[]:7443",
                                 "[host]:7443",
                                 "[192.0.2.7]:7443",
                                 "::1:7443",
                                 "[::1%eth0]:7443",
                                 "[::g]:7443",
                                 "[:1",
                                 "]:1",
                                 "[",
                                 "[:",
                                 "h\xc3\xb6st:1",
                                 "user@host:1",
                                 "http://host:1"}) {
    const absl::StatusOr<NetworkAddress> address = ParseNetworkAddress(text);
    EXPECT_EQ(address.status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_FALSE(ParseNetworkAddress(std::string("ho\0st:1", 7)).ok());
}

TEST(NetworkAddress, HasBoundedNamesAndLabels) {
  const std::string label(63, 'a');
  EXPECT_TRUE(CheckHost(label).ok());
  EXPECT_FALSE(CheckHost(label + "a").ok());
  const std::string longest = label + "." + label + "." + label + "." + std::string(61, 'b');
  ASSERT_EQ(longest.size(), 253U);
  EXPECT_TRUE(CheckHost(longest).ok());
  EXPECT_FALSE(CheckHost(longest + "b").ok());
  EXPECT_TRUE(ParseNetworkAddress(longest + ":1").ok());
  EXPECT_FALSE(ParseNetworkAddress(longest + ":10").ok());
}

TEST(NetworkAddress, TellsWhatToDoAboutIpv6WithoutBrackets) {
  EXPECT_NE(ParseNetworkAddress("2001:db8::7:7443").status().message().find("brackets"), absl::string_view::npos);
}

TEST(IsIpAddress, KnowsAddressesFromNames) {
  EXPECT_TRUE(IsIpAddress("127.0.0.1"));
  EXPECT_TRUE(IsIpAddress("::1"));
  EXPECT_FALSE(IsIpAddress("localhost"));
  EXPECT_FALSE(IsIpAddress("127.0.0.1.example.org"));
  EXPECT_FALSE(IsIpAddress(""));
  EXPECT_FALSE(IsIpAddress(std::string("127.0.0.1\0.example.org", 22)));
}

}  // namespace
}  // namespace flaim::runtime
