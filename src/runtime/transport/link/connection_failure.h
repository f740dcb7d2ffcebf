#pragma once

#include <string>

#include "absl/status/status.h"
#include "runtime/transport/link/coordinator_link.h"

namespace flaim::runtime {

// What gRPC says about a connection, in words that say what to do. gRPC tells failures of the network apart only by
// their texts.

// A connection that there was has ended.
absl::Status ExplainLoss(const absl::Status& status);

// A name that does not resolve, a port where nobody listens, a proxy that refuses, a network that is silent:
// Unavailable. Any other status is returned as it is.
absl::Status ExplainNetworkFailure(const absl::Status& status, const std::string& address);

// There was no connection: because of the network; because of TLS, which is then looked at by ProbeConnection and
// explained as Unauthenticated; or because the coordinator refuses, in its own words.
absl::Status ExplainFailure(const absl::Status& status, const LinkOptions& options);

}  // namespace flaim::runtime
