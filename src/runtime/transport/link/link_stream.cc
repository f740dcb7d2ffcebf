#include "runtime/transport/link/link_stream.h"

#include <utility>

#include "runtime/transport/stream/status_codes.h"
#include "runtime/transport/switchboard/site_connection.h"

namespace flaim::runtime {

LinkStream::LinkStream(const std::shared_ptr<grpc::Channel>& channel, const std::string& instance,
                       const FrameLimits& limits, TrafficCounter& traffic, LinkStreamOwner& owner)
    : FramedStream(limits, traffic),
      stub_(transport::Coordinator::NewStub(channel)),
      owner_(owner),
      started_(std::chrono::steady_clock::now()) {
  context_.AddMetadata(kInstanceKey, instance);
  stub_->async()->Serve(&context_, this);
  AddHold();
  StartCall();
}

void LinkStream::HangUp() {
  const std::lock_guard lock(mutex_);
  if (!is_draining_) Drain();
}

void LinkStream::Abort(absl::Status reason) {
  const std::lock_guard lock(mutex_);
  BeginAbort(std::move(reason));
}

void LinkStream::BeginAbort(absl::Status reason) {
  if (!abort_reason_) abort_reason_ = std::move(reason);
  context_.TryCancel();
  Release();
}

void LinkStream::Release() {
  if (!std::exchange(has_ended_, true)) RemoveHold();
}

void LinkStream::CheckProgress(Time now, std::chrono::milliseconds timeout) {
  const std::lock_guard lock(mutex_);
  if (!is_admitted_ && now - started_ > timeout) {
    BeginAbort(absl::UnavailableError("the coordinator did not answer in time"));
  }
  switch (FindStall(now, timeout)) {
    case Stall::kWriting:
      return BeginAbort(absl::UnavailableError("the coordinator does not read what it is sent"));
    case Stall::kReading:
      return BeginAbort(absl::UnavailableError("the rest of a message did not come in time"));
    case Stall::kNone:
      return;
  }
}

void LinkStream::OnReadInitialMetadataDone(bool ok) {
  const bool is_admitted = ok && context_.GetServerInitialMetadata().contains(kAdmittedKey);
  {
    const std::lock_guard lock(mutex_);
    is_admitted_ = is_admitted;
    if (!is_admitted) Release();
  }
  if (is_admitted) owner_.OnAdmitted();
}

void LinkStream::OnDone(const grpc::Status& status) {
  absl::Status result = FromGrpc(status);
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    if (abort_reason_) result = *abort_reason_;
  }
  owner_.OnEnded(std::move(result));
}

void LinkStream::OnDrained() { StartWritesDone(); }

void LinkStream::OnMessage(std::string message) { owner_.OnMessage(std::move(message)); }

void LinkStream::OnReadEnded() {
  const std::lock_guard lock(mutex_);
  Release();
}

void LinkStream::OnBadFrame(const absl::Status& reason) { Abort(reason); }

}  // namespace flaim::runtime
