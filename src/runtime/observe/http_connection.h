#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

#include "httplib.h"
#include "runtime/observe/status_server.h"

namespace flaim::runtime {

// One request over one socket, for httplib: the whole exchange has one deadline and the request a size, so that a
// client cannot hold a connection by being slow. Does not own the socket.
class HttpConnection final : public httplib::Stream {
 public:
  HttpConnection(int socket, const StatusServerLimits& limits, const std::atomic<bool>& is_stopping);

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* to, std::size_t size) override;
  ssize_t write(const char* from, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

  // Says that no more comes, and takes what the client still sends: a close over unread bytes would be a reset, which
  // can overtake the answer.
  void Finish();

 private:
  bool WaitFor(short events) const;
  ssize_t Receive();

  const int socket_;
  const std::chrono::steady_clock::time_point deadline_;
  const std::atomic<bool>& is_stopping_;
  std::size_t bytes_left_;
  std::string received_;
  std::size_t taken_ = 0;
};

// A thread for each connection, up to a limit. What comes beyond it runs at once, on the calling thread.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t limit) : limit_(limit) {}

  void enqueue(std::function<void()> task) override;
  // Waits for all of them.
  void shutdown() override;

 private:
  bool Reserve();
  void Release();

  const std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t running_ = 0;
};

}  // namespace flaim::runtime
