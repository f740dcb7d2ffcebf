#include "runtime/transport/stream/frames.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim::runtime {

FrameSplitter::FrameSplitter(std::string message, std::size_t max_piece_bytes)
    : message_(std::move(message)), max_piece_bytes_(max_piece_bytes) {
  CHECK(max_piece_bytes > 0);
}

void FrameSplitter::Next(transport::Frame& frame) {
  CHECK(!is_done_);
  const std::size_t bytes = std::min(max_piece_bytes_, message_.size() - offset_);
  frame.mutable_piece()->assign(message_, offset_, bytes);
  offset_ += bytes;
  is_done_ = offset_ == message_.size();
  frame.set_is_last(is_done_);
}

absl::StatusOr<std::optional<std::string>> FrameAssembler::Add(transport::Frame& frame) {
  std::string& piece = *frame.mutable_piece();
  if (piece.size() > max_message_bytes_ - message_.size()) {
    return ResourceExhausted("a message is larger than the {} bytes that are allowed", max_message_bytes_);
  }
  if (piece.empty() && (is_unfinished_ || !frame.is_last())) {
    return InvalidArgument("a piece of a message is empty: the peer does not speak this protocol");
  }
  if (message_.empty()) {
    message_ = std::move(piece);
  } else {
    message_ += piece;
  }
  is_unfinished_ = !frame.is_last();
  if (is_unfinished_) return std::nullopt;
  return std::exchange(message_, {});
}

}  // namespace flaim::runtime
