#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/client_callback.h"
#include "runtime/transport/stream/framed_stream.h"
#include "transport.grpc.pb.h"

namespace flaim::runtime {

// Who has the stream. Called from gRPC's threads: must not wait for anything.
class LinkStreamOwner {
 public:
  virtual ~LinkStreamOwner() = default;
  virtual void OnAdmitted() = 0;
  virtual void OnMessage(std::string message) = 0;
  // The last call; the stream may be destroyed. OK if the coordinator has answered to HangUp.
  virtual void OnEnded(absl::Status status) = 0;
};

// The site's end of one stream: from one attempt to its end. Thread-safe.
class LinkStream final : public FramedStream<grpc::ClientBidiReactor<transport::Frame, transport::Frame>> {
 public:
  // Begins to connect. `owner` hears OnEnded, exactly once, however it goes; the stream must live until then.
  LinkStream(const std::shared_ptr<grpc::Channel>& channel, const std::string& instance, const FrameLimits& limits,
             TrafficCounter& traffic, LinkStreamOwner& owner);

  // Sends what is queued, and ends.
  void HangUp();
  // Ends at once, with this status.
  void Abort(absl::Status reason);
  // Aborts a stream that does not move.
  void CheckProgress(Time now, std::chrono::milliseconds timeout);

  void OnReadInitialMetadataDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  void OnDrained() override;
  void OnMessage(std::string message) override;
  void OnReadEnded() override;
  void OnBadFrame(const absl::Status& reason) override;
  void BeginAbort(absl::Status reason);
  // Lets gRPC end the call once nothing is under way.
  void Release();

  std::unique_ptr<transport::Coordinator::Stub> stub_;
  grpc::ClientContext context_;
  LinkStreamOwner& owner_;
  Time started_;
  bool is_admitted_ = false;
  std::optional<absl::Status> abort_reason_;
};

}  // namespace flaim::runtime
