#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "runtime/identity/invite_code.h"
#include "runtime/identity/network_address.h"

// Any bytes as an invite code, as an address and as the name of a site. A code that is accepted has one form, but for
// white space around it.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flaim::runtime;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const absl::StatusOr<InviteCode> code = ParseInviteCode(input); code.ok()) {
    CHECK(input.find(ToText(*code)) != std::string_view::npos, "another code was read than was given");
  }
  if (const absl::StatusOr<NetworkAddress> address = ParseNetworkAddress(input); address.ok()) {
    CHECK(CheckHost(address->host).ok() && address->port > 0, "an address was read that nobody can have");
  }
  CHECK(!CheckSiteName(input).ok() || size <= 64);
  return 0;
}
