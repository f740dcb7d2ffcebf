#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "transport.pb.h"

namespace flaim::runtime {

// Messages travel in pieces, so that a large one neither needs a large buffer in gRPC nor looks like a stall.

// What a frame takes beside its piece of the message, at most.
inline constexpr int kFrameOverheadBytes = 64;

// Cuts one message into frames with at most `max_piece_bytes` of it in each. An empty message is one empty frame.
class FrameSplitter {
 public:
  // REQUIRES: max_piece_bytes > 0.
  FrameSplitter(std::string message, std::size_t max_piece_bytes);

  bool IsDone() const { return is_done_; }
  std::size_t message_bytes() const { return message_.size(); }

  // Overwrites `frame` with the next piece. REQUIRES: !IsDone().
  void Next(transport::Frame& frame);

 private:
  std::string message_;
  std::size_t max_piece_bytes_;
  std::size_t offset_ = 0;
  bool is_done_ = false;
};

// Puts the frames of a peer that is not trusted together again. Never holds more than `max_message_bytes` of it, and
// refuses a message as soon as it is too large, not when it is complete.
class FrameAssembler {
 public:
  explicit FrameAssembler(std::size_t max_message_bytes) : max_message_bytes_(max_message_bytes) {}

  // Takes the piece out of `frame`. Returns the message if that was its last one. ResourceExhausted if the message is
  // larger than allowed, InvalidArgument for an empty piece of a message that is not empty (it would cost work and
  // bring nothing); after either, nothing more may be added.
  absl::StatusOr<std::optional<std::string>> Add(transport::Frame& frame);

  // Whether a message has begun and not ended.
  bool IsUnfinished() const { return is_unfinished_; }

 private:
  std::size_t max_message_bytes_;
  std::string message_;
  bool is_unfinished_ = false;
};

}  // namespace flaim::runtime
