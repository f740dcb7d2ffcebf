#include "runtime/observe/http_connection.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <thread>

namespace flaim::runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// How soon a stop is noticed.
constexpr milliseconds kGlance{50};
constexpr std::size_t kChunkBytes = 4096;

}  // namespace

HttpConnection::HttpConnection(int socket, const StatusServerLimits& limits, const std::atomic<bool>& is_stopping)
    : socket_(socket),
      deadline_(steady_clock::now() + limits.patience),
      is_stopping_(is_stopping),
      bytes_left_(limits.max_request_bytes) {}

bool HttpConnection::WaitFor(short events) const {
  while (!is_stopping_) {
    const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - steady_clock::now());
    if (left <= milliseconds(0)) return false;
    pollfd waited{.fd = socket_, .events = events, .revents = 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::min(left, kGlance).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool HttpConnection::is_readable() const { return taken_ < received_.size() || WaitFor(POLLIN); }

bool HttpConnection::is_writable() const { return WaitFor(POLLOUT); }

ssize_t HttpConnection::Receive() {
  std::array<char, kChunkBytes> chunk{};
  if (bytes_left_ == 0 || !WaitFor(POLLIN)) return -1;
  const ssize_t size = recv(socket_, chunk.data(), std::min(chunk.size(), bytes_left_), 0);
  if (size <= 0) return size;
  received_.assign(chunk.data(), static_cast<std::size_t>(size));
  taken_ = 0;
  bytes_left_ -= static_cast<std::size_t>(size);
  return size;
}

ssize_t HttpConnection::read(char* to, std::size_t size) {
  if (taken_ == received_.size()) {
    if (const ssize_t received = Receive(); received <= 0) return received;
  }
  const std::size_t given = received_.copy(to, size, taken_);
  taken_ += given;
  return static_cast<ssize_t>(given);
}

ssize_t HttpConnection::write(const char* from, std::size_t size) {
  std::size_t written = 0;
  while (written < size) {
    if (!WaitFor(POLLOUT)) return -1;
    const ssize_t sent = send(socket_, from + written, size - written, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return -1;
    written += static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
  }
  return static_cast<ssize_t>(written);
}

void HttpConnection::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void HttpConnection::get_local_ip_and_port(std::string& ip, int& port) const {
  ip.clear();
  port = 0;
}

void HttpConnection::Finish() {
  ::shutdown(socket_, SHUT_WR);
  while (Receive() > 0) {
  }
}

void ConnectionThreads::enqueue(std::function<void()> task) {
  if (!Reserve()) return task();
  try {
    std::thread([this, task] {
      task();
      Release();
    }).detach();
  } catch (const std::system_error&) {
    Release();
    task();
  }
}

void ConnectionThreads::shutdown() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return running_ == 0; });
}

bool ConnectionThreads::Reserve() {
  const std::lock_guard lock(mutex_);
  if (running_ >= limit_) return false;
  ++running_;
  return true;
}

void ConnectionThreads::Release() {
  const std::lock_guard lock(mutex_);
  --running_;
  changed_.notify_all();
}

}  // namespace flaim::runtime
