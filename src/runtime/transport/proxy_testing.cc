#include "runtime/transport/proxy_testing.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"

namespace flaim::runtime {
namespace {

constexpr int kPollMs = 10;

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

bool IsReadable(int descriptor) {
  pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, kPollMs) > 0;
}

bool SendAll(int descriptor, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(descriptor, bytes, size, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace

TestProxy::TestProxy(Kind kind, int target_port) : kind_(kind), target_port_(target_port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof address;
  CHECK(bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(listener_, 16) == 0);
  CHECK(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { Accept(); });
}

TestProxy::~TestProxy() {
  is_over_ = true;
  acceptor_.join();
  for (std::thread& connection : connections_) connection.join();
  close(listener_);
}

std::vector<std::string> TestProxy::asked_for() const {
  const std::lock_guard lock(mutex_);
  return asked_for_;
}

void TestProxy::Accept() {
  while (!is_over_) {
    if (!IsReadable(listener_)) continue;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client >= 0) connections_.emplace_back([this, client] { Serve(client); });
  }
}

void TestProxy::Serve(int client) {
  if (kind_ == Kind::kForwarder || Greet(client)) {
    const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = Loopback(target_port_);
    if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) Pass(client, server);
    close(server);
  }
  close(client);
}

bool TestProxy::Greet(int client) {
  std::string request;
  char byte = 0;
  while (!request.ends_with("\r\n\r\n")) {
    if (recv(client, &byte, 1, 0) != 1) return false;
    request += byte;
  }
  {
    const std::lock_guard lock(mutex_);
    asked_for_.push_back(request.substr(0, request.find("\r\n")));
  }
  const std::string answer = kind_ == Kind::kConnect ? "HTTP/1.1 200 Connection established\r\n\r\n"
                                                     : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
  return SendAll(client, answer.data(), answer.size()) && kind_ == Kind::kConnect;
}

void TestProxy::Pass(int client, int server) {
  std::vector<char> buffer(1 << 16);
  while (!is_over_) {
    if (is_silent_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs));
      continue;
    }
    pollfd waiting[] = {{.fd = client, .events = POLLIN, .revents = 0}, {.fd = server, .events = POLLIN, .revents = 0}};
    if (poll(waiting, 2, kPollMs) <= 0) continue;
    for (const auto& [from, to] : {std::pair(waiting[0], server), std::pair(waiting[1], client)}) {
      if (from.revents == 0) continue;
      const ssize_t size = recv(from.fd, buffer.data(), buffer.size(), 0);
      if (size <= 0) return;
      bytes_passed_ += static_cast<std::size_t>(size);
      if (!SendAll(to, buffer.data(), static_cast<std::size_t>(size))) return;
    }
  }
}

}  // namespace flaim::runtime
