#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/server_callback.h"
#include "runtime/transport/stream/framed_stream.h"
#include "runtime/transport/switchboard/switchboard.h"

namespace flaim::runtime {

// What a site and the coordinator put into gRPC's metadata.
inline constexpr char kInstanceKey[] = "flaim-instance";  // which process of the site it is
inline constexpr char kAdmittedKey[] = "flaim-admitted";  // that the site is let in; messages follow

class SiteConnection;

// Who has the connections. Called from gRPC's threads: must not wait for anything.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  virtual void OnMessage(const std::shared_ptr<SiteConnection>& connection, std::string message) = 0;
  // The last call for a connection.
  virtual void OnEnded(const std::shared_ptr<SiteConnection>& connection) = 0;
};

// The coordinator's end of one site's stream, from the call on, whether it is let in or not. Thread-safe.
class SiteConnection final : public FramedStream<grpc::ServerBidiReactor<transport::Frame, transport::Frame>> {
 public:
  // Lives until gRPC is done with it, and as long as somebody has it.
  static std::shared_ptr<SiteConnection> Create(grpc::CallbackServerContext& context, Peer peer, std::string instance,
                                                const FrameLimits& limits, TrafficCounter& traffic,
                                                ConnectionOwner& owner);

  const Peer& peer() const { return peer_; }
  const std::string& instance() const { return instance_; }

  // Tells the site that it is let in.
  void Admit();
  // Tells the site the reason and ends, after what is queued has been sent or (if not `is_gentle`) without it.
  void Close(const absl::Status& reason, bool is_gentle);
  // Ends at once, whatever the site does.
  void Cancel();
  bool IsClosing();
  // Ends a connection that does not move.
  void CheckProgress(Time now, std::chrono::milliseconds timeout);

  void OnCancel() override;
  void OnDone() override;

 private:
  SiteConnection(grpc::CallbackServerContext& context, Peer peer, std::string instance, const FrameLimits& limits,
                 TrafficCounter& traffic, ConnectionOwner& owner);

  void OnDrained() override;
  void OnMessage(std::string message) override;
  void OnReadEnded() override;
  void OnBadFrame(const absl::Status& reason) override;
  void BeginClose(const absl::Status& reason, bool is_gentle);

  grpc::CallbackServerContext* context_;  // until OnDone
  const Peer peer_;
  const std::string instance_;
  ConnectionOwner& owner_;
  std::shared_ptr<SiteConnection> self_;  // until OnDone
  std::optional<absl::Status> close_reason_;
  Time finished_at_;
};

}  // namespace flaim::runtime
