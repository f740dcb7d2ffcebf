#include "runtime/transport/stream/frames.h"

#include <rapidcheck.h>

#include "fmt/format.h"
#include "gtest/gtest.h"
#include "runtime/transport/transport_testing.h"

namespace flaim::runtime {
namespace {

using transport::Frame;

std::vector<Frame> Split(const std::string& message, std::size_t max_piece_bytes) {
  std::vector<Frame> frames;
  FrameSplitter splitter(message, max_piece_bytes);
  while (!splitter.IsDone()) splitter.Next(frames.emplace_back());
  return frames;
}

Frame MakeFrame(const std::string& piece, bool is_last) {
  Frame frame;
  frame.set_piece(piece);
  frame.set_is_last(is_last);
  return frame;
}

// What the assembler makes of the frames, which must not be refused.
std::vector<std::string> Assemble(FrameAssembler& assembler, std::vector<Frame> frames) {
  std::vector<std::string> messages;
  for (Frame& frame : frames) {
    absl::StatusOr<std::optional<std::string>> message = assembler.Add(frame);
    EXPECT_TRUE(message.ok()) << message.status();
    if (message.ok() && message->has_value()) messages.push_back(**std::move(message));
  }
  return messages;
}

TEST(Frames, AnyMessagesAreTheSameAfterTheirFramesArePutTogether) {
  rc::check([](const std::vector<std::string>& messages) {
    const auto max_piece_bytes = *rc::gen::inRange<std::size_t>(1, 50);
    std::vector<Frame> frames;
    for (const std::string& message : messages) {
      for (Frame& frame : Split(message, max_piece_bytes)) frames.push_back(std::move(frame));
    }
    FrameAssembler assembler(1000);
    RC_ASSERT(Assemble(assembler, frames) == messages);
    RC_ASSERT(!assembler.IsUnfinished());
  });
}

TEST(Frames, AsFewFramesAreUsedAsFitAndOnlyTheLastIsMarked) {
  for (const std::size_t bytes : {0, 1, 9, 10, 11, 19, 20, 21, 1000}) {
    const std::vector<Frame> frames = Split(TestMessage(bytes, 1), 10);
    EXPECT_EQ(frames.size(), std::max<std::size_t>(1, (bytes + 9) / 10)) << bytes;
    for (const Frame& frame : frames) {
      EXPECT_LE(frame.piece().size(), 10U) << bytes;
      EXPECT_EQ(frame.is_last(), &frame == &frames.back()) << bytes;
    }
  }
}

TEST(FrameAssembler, TakesAMessageOfExactlyTheLargestSizeAndRefusesOneByteMore) {
  for (const std::size_t piece_bytes : {1, 7, 64, 100}) {
    FrameAssembler assembler(64);
    EXPECT_EQ(Assemble(assembler, Split(std::string(64, 'a'), piece_bytes)).size(), 1U);
    std::size_t taken_bytes = 0;
    absl::Status refusal;
    for (Frame& frame : Split(std::string(65, 'a'), piece_bytes)) {
      const std::size_t bytes = frame.piece().size();
      refusal = assembler.Add(frame).status();
      if (!refusal.ok()) break;
      taken_bytes += bytes;
    }
    EXPECT_TRUE(absl::IsResourceExhausted(refusal)) << refusal;
    EXPECT_LE(taken_bytes, 64U);
  }
}

TEST(FrameAssembler, RefusesTheFirstFrameThatIsTooMuchNotTheLast) {
  FrameAssembler assembler(10);
  Frame first = MakeFrame(std::string(10, 'a'), false);
  EXPECT_TRUE(assembler.Add(first).ok());
  Frame second = MakeFrame("b", false);
  EXPECT_TRUE(absl::IsResourceExhausted(assembler.Add(second).status()));
}

TEST(FrameAssembler, RefusesEmptyPiecesExceptAnEmptyMessage) {
  FrameAssembler assembler(10);
  Frame empty_message = MakeFrame("", true);
  const absl::StatusOr<std::optional<std::string>> message = assembler.Add(empty_message);
  ASSERT_TRUE(message.ok() && message->has_value());
  EXPECT_EQ(**message, "");

  Frame empty_begin = MakeFrame("", false);
  EXPECT_TRUE(absl::IsInvalidArgument(FrameAssembler(10).Add(empty_begin).status()));

  Frame begin = MakeFrame("a", false);
  ASSERT_TRUE(assembler.Add(begin).ok());
  Frame empty_end = MakeFrame("", true);
  EXPECT_TRUE(absl::IsInvalidArgument(assembler.Add(empty_end).status()));
}

TEST(FrameAssembler, IsUnfinishedBetweenTheFirstFrameAndTheLast) {
  FrameAssembler assembler(10);
  EXPECT_FALSE(assembler.IsUnfinished());
  Frame begin = MakeFrame("a", false);
  ASSERT_TRUE(assembler.Add(begin).ok());
  EXPECT_TRUE(assembler.IsUnfinished());
  Frame end = MakeFrame("b", true);
  ASSERT_TRUE(assembler.Add(end).ok());
  EXPECT_FALSE(assembler.IsUnfinished());
}

}  // namespace
}  // namespace flaim::runtime
