#include "runtime/transport/switchboard/server_port.h"

#include "base/status.h"
#include "grpcpp/security/server_credentials.h"
#include "grpcpp/server_builder.h"
#include "runtime/transport/stream/frames.h"
#include "runtime/transport/stream/grpc_library.h"
#include "runtime/transport/stream/keep_alive.h"
#include "runtime/transport/tls/certificate_chain.h"

namespace flaim::runtime {
namespace {

constexpr int kMaxStreamsPerConnection = 8;
constexpr int kShortestPingIntervalMs = 100;

std::shared_ptr<grpc::ServerCredentials> Credentials(const TlsIdentity& identity) {
  grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = identity.authority;
  options.pem_key_cert_pairs.push_back({identity.private_key, ChainOf(identity)});
  return grpc::SslServerCredentials(options);
}

void Configure(const SwitchboardOptions& options, grpc::ServerBuilder& builder) {
  const KeepAlive keep_alive(options.timeout);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(keep_alive.ping_every));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Milliseconds(keep_alive.answer_within));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kShortestPingIntervalMs);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, Milliseconds(options.timeout));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, Milliseconds(options.timeout));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxStreamsPerConnection);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // A compressed frame could be much larger than its limit.
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder.SetMaxReceiveMessageSize(static_cast<int>(options.max_frame_bytes) + kFrameOverheadBytes);
}

}  // namespace

absl::StatusOr<ServerPort> Listen(const SwitchboardOptions& options, grpc::Service& service) {
  SilenceGrpc();
  grpc::ServerBuilder builder;
  ServerPort result;
  builder.AddListeningPort(options.listen, Credentials(options.identity), &result.port);
  builder.RegisterService(&service);
  Configure(options, builder);
  result.server = builder.BuildAndStart();
  if (result.server == nullptr || result.port == 0) {
    return Unavailable("cannot listen on {}: another program may use the port, or the address is not of this machine",
                       options.listen);
  }
  return result;
}

}  // namespace flaim::runtime
