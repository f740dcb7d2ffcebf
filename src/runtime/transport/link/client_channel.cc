#include "runtime/transport/link/client_channel.h"

#include "fmt/format.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/support/channel_arguments.h"
#include "runtime/identity/network_address.h"
#include "runtime/transport/stream/frames.h"
#include "runtime/transport/stream/grpc_library.h"
#include "runtime/transport/stream/keep_alive.h"

namespace flaim::runtime {
namespace {

bool IsLoopback(const std::string& address) {
  const absl::StatusOr<NetworkAddress> parsed = ParseNetworkAddress(address);
  if (!parsed.ok()) return false;
  return parsed->host == "localhost" || parsed->host == "::1" ||
         (IsIpAddress(parsed->host) && parsed->host.starts_with("127."));
}

}  // namespace

std::shared_ptr<grpc::Channel> Dial(const ChannelOptions& options,
                                    const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
  SilenceGrpc();
  const KeepAlive keep_alive(options.timeout);
  const int timeout_ms = Milliseconds(options.timeout);
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, Milliseconds(keep_alive.ping_every));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, Milliseconds(keep_alive.answer_within));
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, timeout_ms);  // also how long one attempt may take
  arguments.SetInt(GRPC_ARG_DNS_ARES_QUERY_TIMEOUT_MS, timeout_ms);
  // A compressed frame could be much larger than its limit.
  arguments.SetInt(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0);
  arguments.SetInt(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  arguments.SetMaxReceiveMessageSize(static_cast<int>(options.max_frame_bytes) + kFrameOverheadBytes);
  if (IsLoopback(options.address)) arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  if (!options.server_name.empty()) arguments.SetSslTargetNameOverride(options.server_name);
  return grpc::CreateCustomChannel(fmt::format("dns:///{}", options.address), credentials, arguments);
}

}  // namespace flaim::runtime
