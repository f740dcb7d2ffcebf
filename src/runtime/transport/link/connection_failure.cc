#include "runtime/transport/link/connection_failure.h"

#include <algorithm>
#include <string_view>

#include "base/status.h"
#include "runtime/transport/link/probe.h"

namespace flaim::runtime {
namespace {

constexpr std::chrono::milliseconds kLongestProbe{3'000};

std::string TextOf(const absl::Status& status) { return std::string(status.message()); }

bool Says(const absl::Status& status, std::string_view words) {
  return TextOf(status).find(words) != std::string::npos;
}

// gRPC never got as far as to hear from the coordinator.
bool IsFromNetwork(const absl::Status& status) {
  return absl::IsUnavailable(status) && (Says(status, "failed to connect") || Says(status, "DNS resolution failed") ||
                                         Says(status, "Socket closed") || Says(status, "Connection reset"));
}

// The codes that gRPC itself uses when a stream breaks; a coordinator that refuses uses others.
bool IsBreak(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsUnknown(status) || absl::IsCancelled(status) ||
         absl::IsInternal(status);
}

}  // namespace

absl::Status ExplainLoss(const absl::Status& status) {
  if (status.ok()) return absl::UnavailableError("the coordinator has closed the connection");
  if (IsBreak(status)) return Unavailable("the connection to the coordinator was lost: {}", TextOf(status));
  return status;
}

absl::Status ExplainNetworkFailure(const absl::Status& status, const std::string& address) {
  if (!IsFromNetwork(status)) return status;
  const std::string text = TextOf(status);
  if (Says(status, "DNS resolution failed")) {
    return Unavailable("the name in {} does not resolve: check the address, and this machine's name service ({})",
                       address, text);
  }
  if (Says(status, "HTTP proxy returned")) {
    return Unavailable("the proxy does not let this machine connect to {}: ask who runs it to allow it ({})", address,
                       text);
  }
  if (Says(status, "Connection refused")) {
    return Unavailable("nobody listens at {}: check the address, and that the coordinator is running ({})", address,
                       text);
  }
  if (Says(status, "Failed to connect to remote host") || Says(status, "timeout")) {
    return Unavailable("{} cannot be reached: check the network and its firewalls ({})", address, text);
  }
  return status;
}

absl::Status ExplainFailure(const absl::Status& status, const LinkOptions& options) {
  if (status.ok()) return absl::UnavailableError("the coordinator has closed the connection at once");
  if (!IsFromNetwork(status)) return IsBreak(status) ? absl::UnavailableError(TextOf(status)) : status;
  absl::Status explained = ExplainNetworkFailure(status, options.address);
  if (explained != status) return explained;
  LinkOptions probed = options;
  probed.timeout = std::min(options.timeout, kLongestProbe);
  absl::Status probe = ProbeConnection(probed);
  if (!probe.ok()) return probe;
  return Unavailable("the connection to {} was lost at once: {}", options.address, TextOf(status));
}

}  // namespace flaim::runtime
