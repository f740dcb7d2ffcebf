#include "runtime/identity/network_address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim::runtime {
namespace {

constexpr std::size_t kMaxHostBytes = 253;
constexpr std::size_t kMaxLabelBytes = 63;

bool Parses(int family, const std::string& host) {
  in6_addr address{};
  return inet_pton(family, host.c_str(), &address) == 1;
}

bool IsDigit(char character) { return '0' <= character && character <= '9'; }

bool IsOfLabels(char character) {
  return IsDigit(character) || ('a' <= character && character <= 'z') || ('A' <= character && character <= 'Z') ||
         character == '-' || character == '_';
}

bool IsLabel(std::string_view label) {
  return !label.empty() && label.size() <= kMaxLabelBytes && label.front() != '-' && label.back() != '-' &&
         std::all_of(label.begin(), label.end(), IsOfLabels);
}

// A name whose last label is a number would be taken for an IPv4 address.
bool IsHostName(std::string_view host) {
  if (host.size() > kMaxHostBytes) return false;
  while (true) {
    const std::size_t point = host.find('.');
    const std::string_view label = host.substr(0, point);
    if (!IsLabel(label)) return false;
    if (point == std::string_view::npos) return !std::all_of(label.begin(), label.end(), IsDigit);
    host.remove_prefix(point + 1);
  }
}

absl::StatusOr<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port == 0 || text.front() == '0') {
    return InvalidArgument("{} is not a port: give a number from 1 to 65535 after the colon", QuoteForMessage(text));
  }
  return port;
}

}  // namespace

bool IsIpAddress(const std::string& host) {
  return host.find('\0') == std::string::npos && (Parses(AF_INET, host) || Parses(AF_INET6, host));
}

absl::Status CheckHost(const std::string& host) {
  if (IsIpAddress(host) || IsHostName(host)) return absl::OkStatus();
  return InvalidArgument("{} is neither an IP address nor a host name: write it like flaim.example.org or 192.0.2.7",
                         QuoteForMessage(host));
}

absl::StatusOr<NetworkAddress> ParseNetworkAddress(std::string_view text) {
  if (text.size() > NetworkAddress::kMaxTextBytes) {
    return InvalidArgument("an address of {} characters is too long: {} are allowed", text.size(),
                           NetworkAddress::kMaxTextBytes);
  }
  const std::size_t colon = text.rfind(':');
  const bool is_bracketed = text.starts_with('[');
  if (colon == std::string_view::npos || (is_bracketed && (colon < 2 || text[colon - 1] != ']'))) {
    return InvalidArgument("the address {} has no port: write it like flaim.example.org:7443", QuoteForMessage(text));
  }
  std::string host(is_bracketed ? text.substr(1, colon - 2) : text.substr(0, colon));
  if (is_bracketed != (host.find(':') != std::string::npos)) {
    return InvalidArgument("the address {}: an IPv6 address, and nothing else, is in brackets, like [2001:db8::7]:7443",
                           QuoteForMessage(text));
  }
  RETURN_IF_ERROR(CheckHost(host));
  ASSIGN_OR_RETURN(const std::uint16_t port, ParsePort(text.substr(colon + 1)));
  return NetworkAddress{.host = std::move(host), .port = port};
}

}  // namespace flaim::runtime
