#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/check.h"
#include "runtime/transport/stream/frames.h"

// Any bytes as the frames of a peer: each preceded by its length in one byte, as protobuf's bytes. Nothing larger than
// allowed comes out, and what comes out is the same after it has been cut and put together again.

namespace {

using flaim::runtime::FrameAssembler;
using flaim::runtime::FrameSplitter;
using flaim::transport::Frame;

constexpr std::size_t kMaxMessageBytes = 300;

void CheckSameAgain(const std::string& message, std::size_t max_piece_bytes) {
  FrameSplitter splitter(message, max_piece_bytes);
  FrameAssembler assembler(kMaxMessageBytes);
  Frame frame;
  while (!splitter.IsDone()) {
    splitter.Next(frame);
    CHECK(frame.piece().size() <= max_piece_bytes && frame.is_last() == splitter.IsDone());
    const auto again = assembler.Add(frame);
    CHECK(again.ok() && again->has_value() == splitter.IsDone());
    if (again->has_value()) CHECK(**again == message);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FrameAssembler assembler(kMaxMessageBytes);
  std::size_t pending_bytes = 0;
  while (size > 0) {
    const std::size_t bytes = std::min<std::size_t>(data[0], size - 1);
    Frame frame;
    const bool is_frame = frame.ParseFromArray(data + 1, static_cast<int>(bytes));
    data += 1 + bytes;
    size -= 1 + bytes;
    if (!is_frame) break;
    pending_bytes += frame.piece().size();
    const auto message = assembler.Add(frame);
    if (!message.ok()) break;
    CHECK(pending_bytes <= kMaxMessageBytes);
    CHECK(assembler.IsUnfinished() != message->has_value());
    if (!message->has_value()) continue;
    CHECK((*message)->size() == pending_bytes);
    CheckSameAgain(**message, 1 + pending_bytes % 17);
    pending_bytes = 0;
  }
  return 0;
}
