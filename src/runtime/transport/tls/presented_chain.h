#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"

namespace flaim::runtime {

// The certificates, PEM, that a server presents in a TLS handshake, its own first, whoever has signed them. Nothing is
// said to the server: the connection is cut as soon as they are there. Goes through gRPC, and so through the proxy that
// the environment names. Unavailable, with what to do, if there is no handshake.
absl::StatusOr<std::vector<std::string>> FetchPresentedChain(const std::string& address,
                                                             std::chrono::milliseconds timeout);

// Unauthenticated, with what to do, unless the server's certificate was signed by the authority, is valid now, and is
// for this host, a name or an IP address.
absl::Status CheckServer(const std::string& certificate, const std::string& authority, const std::string& host,
                         const Clock& clock);

}  // namespace flaim::runtime
