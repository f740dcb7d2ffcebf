#pragma once

#include <sys/socket.h>

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/identity/network_address.h"

namespace flaim::runtime {

// Plain sockets, for who looks for a fault below gRPC.

struct ResolvedAddress {
  sockaddr_storage address{};
  socklen_t size = 0;
  std::string text;  // the IP address
};

// Unavailable, with what to do, if there is none.
absl::StatusOr<std::vector<ResolvedAddress>> Resolve(const NetworkAddress& address);

// A socket that does not block.
class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&&) = delete;
  ~Socket();

  int descriptor() const { return descriptor_; }
  // False if it is not ready for these poll events within the timeout.
  bool WaitFor(short events, std::chrono::milliseconds timeout) const;

 private:
  int descriptor_;
};

// To the first address that answers. Unavailable, with what to do, if none does within the timeout.
absl::StatusOr<Socket> ConnectTcp(const std::vector<ResolvedAddress>& addresses, std::chrono::milliseconds timeout);

}  // namespace flaim::runtime
