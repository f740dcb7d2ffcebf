#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/identity/tls_identity.h"
#include "runtime/transport/tls/tcp_connection.h"

namespace flaim::runtime {

// What both ends showed each other.
struct TlsHandshake {
  std::string version;             // "TLSv1.3"
  std::vector<std::string> chain;  // what the server presented, PEM, its own first; nothing of it is verified
  absl::Status acceptance;         // Unauthenticated if the server refuses the certificate of this end
};

// Shakes hands as gRPC does, and waits for the first byte: only with it is it certain that the server accepts the
// certificate of this end. Unavailable if what listens there does not shake hands.
absl::StatusOr<TlsHandshake> ShakeHands(const Socket& socket, const TlsIdentity& identity, const std::string& host,
                                        std::chrono::milliseconds timeout);

}  // namespace flaim::runtime
