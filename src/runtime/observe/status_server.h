#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/observe/study_status.h"

namespace flaim::runtime {

// What strangers can cost the server. A connection is one request; who is not done in time is cut off, and who comes
// while all connections are taken is turned away.
struct StatusServerLimits {
  std::size_t max_connections = 64;
  std::chrono::milliseconds patience{10'000};
  std::size_t max_request_bytes = std::size_t{16} << 10;
};

// Serves, over plain HTTP and for reading only: / the status page, /status.json, /metrics for Prometheus, /healthz.
// Public values only, but meant for a private interface: it listens on the loopback unless told otherwise.
// Ignores SIGPIPE in the whole program.
class StatusServer {
 public:
  // `listen` is host:port; port 0: any that is free. The board must outlive it.
  static absl::StatusOr<std::unique_ptr<StatusServer>> Start(const std::string& listen, const StatusBoard& board,
                                                             const StatusServerLimits& limits = {});
  virtual ~StatusServer() = default;

  virtual int port() const = 0;
  // "http://127.0.0.1:8088/": where a program on this machine finds it, also if it listens on all interfaces.
  virtual std::string url() const = 0;
  // Hangs up on everybody; returns once no thread of it is left. Also done by the destructor.
  virtual void Stop() = 0;
};

// The status that such a server shows. Unavailable if nobody answers in time; InvalidArgument if it is not a status, or
// the address not one.
absl::StatusOr<StudyStatus> FetchStatus(const std::string& url);

}  // namespace flaim::runtime
