#include "runtime/transport/stream/outgoing_messages.h"

#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

constexpr FrameLimits kLimits{.max_message_bytes = 1000, .max_frame_bytes = 100, .max_queued_bytes = 2000};

std::size_t CountFrames(OutgoingMessages& outgoing) {
  transport::Frame frame;
  std::size_t frames = 0;
  while (outgoing.Next(frame)) ++frames;
  return frames;
}

TEST(OutgoingMessages, GivesTheFramesOfAllMessagesInOrder) {
  OutgoingMessages outgoing(kLimits);
  ASSERT_TRUE(outgoing.Push(std::string(150, 'a')).ok());
  ASSERT_TRUE(outgoing.Push("").ok());
  ASSERT_TRUE(outgoing.Push("b").ok());
  std::string text;
  transport::Frame frame;
  while (outgoing.Next(frame)) text += frame.piece() + (frame.is_last() ? "|" : "-");
  EXPECT_EQ(text, std::string(100, 'a') + "-" + std::string(50, 'a') + "||b|");
}

TEST(OutgoingMessages, RefusesAMessageThatIsTooLargeAndKeepsTheOthers) {
  OutgoingMessages outgoing(kLimits);
  EXPECT_TRUE(outgoing.Push(std::string(1000, 'a')).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(outgoing.Push(std::string(1001, 'a'))));
  EXPECT_EQ(CountFrames(outgoing), 10U);
}

TEST(OutgoingMessages, RefusesMoreThanMayBeQueuedUntilSomeIsTaken) {
  OutgoingMessages outgoing(kLimits);
  EXPECT_TRUE(outgoing.Push(std::string(1000, 'a')).ok());
  EXPECT_TRUE(outgoing.Push(std::string(800, 'a')).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(outgoing.Push(std::string(200, 'a'))));
  EXPECT_EQ(CountFrames(outgoing), 18U);
  EXPECT_TRUE(outgoing.Push(std::string(200, 'a')).ok());
}

TEST(OutgoingMessages, CountsEmptyMessagesToo) {
  OutgoingMessages outgoing(kLimits);
  std::size_t taken = 0;
  while (taken < 1000 && outgoing.Push("").ok()) ++taken;
  EXPECT_EQ(taken, kLimits.max_queued_bytes / OutgoingMessages::kMessageCostBytes);
}

TEST(OutgoingMessages, AreGoneWithAllTheirBytesOnceCleared) {
  OutgoingMessages outgoing(kLimits);
  ASSERT_TRUE(outgoing.Push(std::string(1000, 'a')).ok());
  transport::Frame frame;
  ASSERT_TRUE(outgoing.Next(frame));
  outgoing.Clear();
  EXPECT_FALSE(outgoing.Next(frame));
  EXPECT_TRUE(outgoing.Push(std::string(1000, 'a')).ok());
  EXPECT_TRUE(outgoing.Push(std::string(800, 'a')).ok());
}

TEST(FrameLimits, MustBePositiveAndPossible) {
  const auto is_refused = [](FrameLimits limits, int timeout_ms) {
    return absl::IsInvalidArgument(CheckLimits(limits, std::chrono::milliseconds(timeout_ms)));
  };
  EXPECT_TRUE(CheckLimits(kLimits, std::chrono::milliseconds(1)).ok());
  EXPECT_TRUE(is_refused(kLimits, 0));
  EXPECT_TRUE(is_refused({.max_message_bytes = 0, .max_frame_bytes = 1, .max_queued_bytes = 1}, 1));
  EXPECT_TRUE(is_refused({.max_message_bytes = 1, .max_frame_bytes = 0, .max_queued_bytes = 1}, 1));
  EXPECT_TRUE(is_refused({.max_message_bytes = 1, .max_frame_bytes = std::size_t{1} << 31, .max_queued_bytes = 1}, 1));
}

}  // namespace
}  // namespace flaim::runtime
