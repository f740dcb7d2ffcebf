#include "runtime/transport/stream/outgoing_messages.h"

#include <algorithm>
#include <utility>

#include "base/status.h"

namespace flaim::runtime {
namespace {

constexpr std::size_t kLargestFrameBytes = std::size_t{1} << 30;
constexpr std::size_t kLargestMessageBytes = std::size_t{1} << 40;

}  // namespace

absl::Status CheckLimits(const FrameLimits& limits, std::chrono::milliseconds timeout) {
  if (timeout.count() <= 0) return InvalidArgument("the timeout is {} ms: it must be positive", timeout.count());
  if (limits.max_frame_bytes == 0 || limits.max_frame_bytes > kLargestFrameBytes) {
    return InvalidArgument("frames of {} bytes: the limit must be between 1 and {}", limits.max_frame_bytes,
                           kLargestFrameBytes);
  }
  if (limits.max_message_bytes == 0 || limits.max_message_bytes > kLargestMessageBytes) {
    return InvalidArgument("messages of {} bytes: the limit must be between 1 and {}", limits.max_message_bytes,
                           kLargestMessageBytes);
  }
  return absl::OkStatus();
}

absl::Status OutgoingMessages::Push(std::string message) {
  if (message.size() > limits_.max_message_bytes) {
    return InvalidArgument("a message of {} bytes is larger than the {} that are allowed", message.size(),
                           limits_.max_message_bytes);
  }
  const std::size_t cost = message.size() + kMessageCostBytes;
  if (cost > limits_.max_queued_bytes - std::min(queued_bytes_, limits_.max_queued_bytes)) {
    return ResourceExhausted("{} bytes wait to be sent already, and the peer does not read them", queued_bytes_);
  }
  queued_bytes_ += cost;
  queue_.emplace_back(std::move(message), std::min(limits_.max_frame_bytes, kMaxPieceBytes));
  return absl::OkStatus();
}

bool OutgoingMessages::Next(transport::Frame& frame) {
  if (queue_.empty()) return false;
  FrameSplitter& first = queue_.front();
  first.Next(frame);
  if (first.IsDone()) {
    queued_bytes_ -= first.message_bytes() + kMessageCostBytes;
    queue_.pop_front();
  }
  return true;
}

void OutgoingMessages::Clear() {
  queue_.clear();
  queued_bytes_ = 0;
}

}  // namespace flaim::runtime
