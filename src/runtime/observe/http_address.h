#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace flaim::runtime {

struct HttpAddress {
  std::string host;  // without the brackets of an IPv6 address
  int port = 0;

  // With brackets where they belong.
  std::string ToText() const;
};

// "127.0.0.1:8088", "[::1]:0", "localhost:80".
absl::StatusOr<HttpAddress> ParseHttpAddress(std::string_view text);
// "http://127.0.0.1:8088/", with or without what is before or after host and port; port 80 if there is none.
absl::StatusOr<HttpAddress> ParseHttpUrl(std::string_view url);

}  // namespace flaim::runtime
