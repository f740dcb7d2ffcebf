#include "runtime/observe/http_address.h"

#include <algorithm>
#include <charconv>

#include "base/status.h"

namespace flaim::runtime {
namespace {

constexpr int kLargestPort = 65535;

bool IsHostCharacter(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '.' ||
         byte == '-' || byte == '_' || byte == ':' || byte == '%';
}

}  // namespace

std::string HttpAddress::ToText() const {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

absl::StatusOr<HttpAddress> ParseHttpAddress(std::string_view text) {
  const absl::Status refusal = InvalidArgument("'{}' is not an address like 127.0.0.1:8088 or [::1]:8088", text);
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refusal;
  std::string_view host = text.substr(0, colon);
  const std::string_view port_text = text.substr(colon + 1);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  if (host.empty() || !std::all_of(host.begin(), host.end(), IsHostCharacter)) return refusal;
  if ((host.find(':') != std::string_view::npos) != is_bracketed) return refusal;
  int port = -1;
  const auto [end, error] = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  if (error != std::errc() || end != port_text.data() + port_text.size()) return refusal;
  if (port < 0 || port > kLargestPort) return refusal;
  return HttpAddress{std::string(host), port};
}

absl::StatusOr<HttpAddress> ParseHttpUrl(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  if (url.starts_with("https://")) {
    return InvalidArgument("{}: a coordinator shows its status over http only, without the s", url);
  }
  std::string_view rest = url.starts_with(kScheme) ? url.substr(kScheme.size()) : url;
  rest = rest.substr(0, rest.find('/'));
  const bool has_port = rest.rfind(':') != std::string_view::npos && !rest.ends_with(']');
  absl::StatusOr<HttpAddress> address = ParseHttpAddress(has_port ? std::string(rest) : fmt::format("{}:80", rest));
  if (!address.ok()) return InvalidArgument("'{}' is not an address like http://127.0.0.1:8088/", url);
  return address;
}

}  // namespace flaim::runtime
