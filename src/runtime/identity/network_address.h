#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace flaim::runtime {

// Where a coordinator is reached.
struct NetworkAddress {
  static constexpr std::size_t kMaxTextBytes = 255;

  std::string host;  // a name or an IP address; IPv6 without its brackets
  std::uint16_t port = 0;

  bool operator==(const NetworkAddress&) const = default;
};

// "flaim.example.org:7443", "192.0.2.7:7443" or "[2001:db8::7]:7443"; ports from 1 to 65535.
absl::StatusOr<NetworkAddress> ParseNetworkAddress(std::string_view text);

bool IsIpAddress(const std::string& host);

// InvalidArgument unless it is an IP address, or a name that the domain name system could hold: labels of letters,
// digits, '-' and '_' with points between them. No wildcards.
absl::Status CheckHost(const std::string& host);

}  // namespace flaim::runtime
