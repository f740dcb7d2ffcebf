#include "runtime/transport/switchboard/site_connection.h"

#include <utility>

#include "runtime/transport/stream/status_codes.h"

namespace flaim::runtime {

std::shared_ptr<SiteConnection> SiteConnection::Create(grpc::CallbackServerContext& context, Peer peer,
                                                       std::string instance, const FrameLimits& limits,
                                                       TrafficCounter& traffic, ConnectionOwner& owner) {
  std::shared_ptr<SiteConnection> connection(
      new SiteConnection(context, std::move(peer), std::move(instance), limits, traffic, owner));
  const std::lock_guard lock(connection->mutex_);
  connection->self_ = connection;
  return connection;
}

SiteConnection::SiteConnection(grpc::CallbackServerContext& context, Peer peer, std::string instance,
                               const FrameLimits& limits, TrafficCounter& traffic, ConnectionOwner& owner)
    : FramedStream(limits, traffic),
      context_(&context),
      peer_(std::move(peer)),
      instance_(std::move(instance)),
      owner_(owner) {}

void SiteConnection::Admit() {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  context_->AddInitialMetadata(kAdmittedKey, "1");
  StartSendInitialMetadata();
}

void SiteConnection::Close(const absl::Status& reason, bool is_gentle) {
  const std::lock_guard lock(mutex_);
  BeginClose(reason, is_gentle);
}

void SiteConnection::BeginClose(const absl::Status& reason, bool is_gentle) {
  if (!close_reason_) close_reason_ = reason;
  if (!is_gentle) DropOutgoing();
  Drain();
}

void SiteConnection::Cancel() {
  const std::lock_guard lock(mutex_);
  if (context_ == nullptr) return;
  BeginClose(absl::CancelledError("the connection was cut"), false);
  context_->TryCancel();
}

bool SiteConnection::IsClosing() {
  const std::lock_guard lock(mutex_);
  return close_reason_.has_value();
}

void SiteConnection::CheckProgress(Time now, std::chrono::milliseconds timeout) {
  const std::lock_guard lock(mutex_);
  if (context_ == nullptr) return;
  const bool is_stuck = has_ended_ && now - finished_at_ > timeout;
  const Stall stall = FindStall(now, timeout);
  if (is_stuck || stall == Stall::kWriting) {
    context_->TryCancel();
  } else if (stall == Stall::kReading) {
    BeginClose(absl::DeadlineExceededError("the rest of a message did not come in time"), false);
  }
}

void SiteConnection::OnCancel() { Close(absl::CancelledError("the connection broke"), false); }

void SiteConnection::OnDone() {
  std::shared_ptr<SiteConnection> self;
  {
    const std::lock_guard lock(mutex_);
    context_ = nullptr;
    self = std::move(self_);
  }
  owner_.OnEnded(self);
}

void SiteConnection::OnDrained() {
  has_ended_ = true;
  finished_at_ = std::chrono::steady_clock::now();
  Finish(ToGrpc(*close_reason_));
}

void SiteConnection::OnMessage(std::string message) { owner_.OnMessage(self_, std::move(message)); }

void SiteConnection::OnReadEnded() { Close(absl::OkStatus(), true); }

void SiteConnection::OnBadFrame(const absl::Status& reason) { Close(reason, false); }

}  // namespace flaim::runtime
