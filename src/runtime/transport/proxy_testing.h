#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace flaim::runtime {

// Stands between a site and the coordinator on this machine: passes bytes on, counts them, and can fall silent without
// closing anything, as a network does.
class TestProxy {
 public:
  enum class Kind {
    kForwarder,  // passes everything on
    kConnect,    // an HTTP proxy: wants to be told CONNECT first; connects to its target whatever name it is told
    kRefusing,   // an HTTP proxy that answers 403
  };

  TestProxy(Kind kind, int target_port);
  ~TestProxy();

  int port() const { return port_; }
  std::size_t bytes_passed() const { return bytes_passed_; }
  // What CONNECT asked for, in order.
  std::vector<std::string> asked_for() const;
  // From now on nothing is passed on, in either direction.
  void FallSilent() { is_silent_ = true; }

 private:
  void Accept();
  void Serve(int client);
  bool Greet(int client);
  void Pass(int client, int server);

  const Kind kind_;
  const int target_port_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> is_silent_ = false;
  std::atomic<bool> is_over_ = false;
  std::atomic<std::size_t> bytes_passed_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> asked_for_;
  std::vector<std::thread> connections_;
  std::thread acceptor_;
};

}  // namespace flaim::runtime
