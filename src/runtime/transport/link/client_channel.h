#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "grpcpp/channel.h"
#include "grpcpp/security/credentials.h"

namespace flaim::runtime {

struct ChannelOptions {
  std::string address;      // host:port
  std::string server_name;  // in the server's certificate, if it is not the host
  std::chrono::milliseconds timeout{};
  std::size_t max_frame_bytes = 0;
};

// A new connection, not one that gRPC has somewhere, and without gRPC's own waiting between attempts: the caller makes
// a new channel for each. Goes through the proxy that the environment names, unless to this machine itself.
std::shared_ptr<grpc::Channel> Dial(const ChannelOptions& options,
                                    const std::shared_ptr<grpc::ChannelCredentials>& credentials);

}  // namespace flaim::runtime
