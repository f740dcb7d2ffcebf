#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status.h"
#include "runtime/transport/stream/frames.h"
#include "runtime/transport/stream/outgoing_messages.h"
#include "runtime/transport/stream/traffic_counter.h"

namespace flaim::runtime {

// What both ends of a stream have in common, over gRPC's reactor of that end: messages are queued, cut and written one
// frame at a time; frames are read and put together, and reading pauses after each message until ReadNext, so that a
// peer cannot send faster than it is listened to. Thread-safe.
//
// gRPC destroys what a reactor starts operations on once the call is over, so nothing is started after has_ended_.
template <typename Reactor>
class FramedStream : public Reactor {
 public:
  using Time = std::chrono::steady_clock::time_point;

  FramedStream(const FrameLimits& limits, TrafficCounter& traffic)
      : outgoing_(limits), assembler_(limits.max_message_bytes), traffic_(traffic) {}

  // Unavailable once the stream is about to end.
  absl::Status Send(std::string message) {
    const std::lock_guard lock(mutex_);
    if (is_draining_ || has_ended_) return absl::UnavailableError("the connection is being closed");
    RETURN_IF_ERROR(outgoing_.Push(std::move(message)));
    WriteNext();
    return absl::OkStatus();
  }

  void ReadNext() {
    const std::lock_guard lock(mutex_);
    Read();
  }

  void OnReadDone(bool ok) override {
    absl::StatusOr<std::optional<std::string>> message = std::nullopt;
    {
      const std::lock_guard lock(mutex_);
      is_reading_ = false;
      if (ok) message = assembler_.Add(incoming_frame_);
      if (ok && message.ok() && !message->has_value()) Read();
    }
    if (!ok) {
      OnReadEnded();
    } else if (!message.ok()) {
      OnBadFrame(message.status());
    } else if (message->has_value()) {
      traffic_.CountReceived((*message)->size());
      OnMessage(**std::move(message));
    }
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock(mutex_);
    is_writing_ = false;
    if (!ok) {
      // The reading side learns how the stream ended.
      outgoing_.Clear();
    } else {
      written_bytes_ += outgoing_frame_.piece().size();
      if (outgoing_frame_.is_last()) traffic_.CountSent(std::exchange(written_bytes_, 0));
    }
    WriteNext();
  }

 protected:
  enum class Stall { kNone, kWriting, kReading };

  // Nothing is left to write, and nothing will be. With the mutex held; once.
  virtual void OnDrained() = 0;
  // Without the mutex.
  virtual void OnMessage(std::string message) = 0;
  virtual void OnReadEnded() = 0;
  virtual void OnBadFrame(const absl::Status& reason) = 0;

  // With the mutex held, as all below.
  void Drain() {
    is_draining_ = true;
    WriteNext();
  }

  void DropOutgoing() { outgoing_.Clear(); }

  void Read() {
    if (has_ended_ || is_reading_) return;
    is_reading_ = true;
    reading_since_ = std::chrono::steady_clock::now();
    this->StartRead(&incoming_frame_);
  }

  // A frame that cannot be written for that long, or the next piece of a message that does not come.
  Stall FindStall(Time now, std::chrono::milliseconds timeout) const {
    if (is_writing_ && now - writing_since_ > timeout) return Stall::kWriting;
    if (is_reading_ && assembler_.IsUnfinished() && now - reading_since_ > timeout) return Stall::kReading;
    return Stall::kNone;
  }

  std::mutex mutex_;
  bool is_draining_ = false;
  bool has_ended_ = false;

 private:
  void WriteNext() {
    if (is_writing_ || has_ended_) return;
    if (outgoing_.Next(outgoing_frame_)) {
      is_writing_ = true;
      writing_since_ = std::chrono::steady_clock::now();
      this->StartWrite(&outgoing_frame_);
    } else if (is_draining_ && !std::exchange(has_drained_, true)) {
      OnDrained();
    }
  }

  OutgoingMessages outgoing_;
  FrameAssembler assembler_;
  TrafficCounter& traffic_;
  transport::Frame outgoing_frame_;
  transport::Frame incoming_frame_;
  std::size_t written_bytes_ = 0;
  bool is_writing_ = false;
  bool is_reading_ = false;
  bool has_drained_ = false;
  Time writing_since_;
  Time reading_since_;
};

}  // namespace flaim::runtime
