#include "runtime/transport/tls/tcp_connection.h"

#include <netdb.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "base/status.h"

namespace flaim::runtime {
namespace {

std::string NumericHost(const addrinfo& found) {
  char host[NI_MAXHOST] = {};
  if (getnameinfo(found.ai_addr, found.ai_addrlen, host, sizeof host, nullptr, 0, NI_NUMERICHOST) != 0) return "?";
  return host;
}

// 0, or the error number.
int Connect(const Socket& socket, const ResolvedAddress& address, std::chrono::milliseconds timeout) {
  if (connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&address.address), address.size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!socket.WaitFor(POLLOUT, timeout)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

absl::Status Explain(const std::string& host, int error) {
  const std::string text = std::system_category().message(error);
  if (error == ECONNREFUSED) {
    return Unavailable("nobody listens at this port of {}: check the address, and that the coordinator is running ({})",
                       host, text);
  }
  return Unavailable("{} cannot be reached: check the network and its firewalls ({})", host, text);
}

}  // namespace

absl::StatusOr<std::vector<ResolvedAddress>> Resolve(const NetworkAddress& address) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &list);
  if (error != 0) {
    return Unavailable("the name {} does not resolve: check the address, and this machine's name service ({})",
                       address.host, gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(list, freeaddrinfo);
  std::vector<ResolvedAddress> result;
  for (const addrinfo* found = list; found != nullptr; found = found->ai_next) {
    ResolvedAddress& next = result.emplace_back();
    std::memcpy(&next.address, found->ai_addr, found->ai_addrlen);
    next.size = found->ai_addrlen;
    next.text = NumericHost(*found);
  }
  return result;
}

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool Socket::WaitFor(short events, std::chrono::milliseconds timeout) const {
  const auto until = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd poll_for{.fd = descriptor_, .events = events, .revents = 0};
    const int ready = poll(&poll_for, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

absl::StatusOr<Socket> ConnectTcp(const std::vector<ResolvedAddress>& addresses, std::chrono::milliseconds timeout) {
  absl::Status status = absl::UnavailableError("there is no address to connect to");
  for (const ResolvedAddress& address : addresses) {
    Socket socket(::socket(address.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int error = socket.descriptor() < 0 ? errno : Connect(socket, address, timeout);
    if (error == 0) return socket;
    status = Explain(address.text, error);
  }
  return status;
}

}  // namespace flaim::runtime
