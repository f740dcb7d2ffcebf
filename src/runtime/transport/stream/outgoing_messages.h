#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "runtime/transport/stream/frames.h"

namespace flaim::runtime {

// A limit on everything that a peer, or the wish to talk to one, can make this end hold.
struct FrameLimits {
  std::size_t max_message_bytes = 0;
  std::size_t max_frame_bytes = 0;
  std::size_t max_queued_bytes = 0;
};

// InvalidArgument unless they, and the timeout beside them, are positive and can be meant.
absl::Status CheckLimits(const FrameLimits& limits, std::chrono::milliseconds timeout);

// What waits to be written to one peer, in order.
class OutgoingMessages {
 public:
  // Frames are at most this large even where larger ones are allowed: a write that makes no progress is told from a
  // slow one frame by frame.
  static constexpr std::size_t kMaxPieceBytes = std::size_t{256} << 10;
  // What a message costs beyond its bytes; so that a queue of empty ones has an end, too.
  static constexpr std::size_t kMessageCostBytes = 64;

  explicit OutgoingMessages(const FrameLimits& limits) : limits_(limits) {}

  // InvalidArgument if the message is larger than any may be, ResourceExhausted if too much is queued already.
  absl::Status Push(std::string message);

  // Overwrites `frame` with what is to be written next; false if there is nothing.
  bool Next(transport::Frame& frame);

  void Clear();

 private:
  FrameLimits limits_;
  std::deque<FrameSplitter> queue_;
  std::size_t queued_bytes_ = 0;
};

}  // namespace flaim::runtime
