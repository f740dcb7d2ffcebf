#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "grpcpp/server.h"
#include "runtime/transport/switchboard/switchboard.h"

namespace grpc {
class Service;
}

namespace flaim::runtime {

struct ServerPort {
  std::unique_ptr<grpc::Server> server;
  int port = 0;
};

// Listens with TLS. A certificate is verified if one is presented, but not required: a site that has none yet asks for
// one on the same port. A connection on which nothing is asked is closed after the timeout.
absl::StatusOr<ServerPort> Listen(const SwitchboardOptions& options, grpc::Service& service);

}  // namespace flaim::runtime
