#include "runtime/coordinator/sum_events.h"

#include <unistd.h>

#include <filesystem>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages.pb.h"

namespace flaim::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Notes what it takes in. Over after three stages. Refuses a message that says so.
class ServerForTest final : public secagg::SumServer {
 public:
  std::vector<secagg::ParticipantId> Recipients() const override { return {}; }
  Bytes MessageFor(secagg::ParticipantId) const override { return {}; }
  absl::Status Receive(secagg::ParticipantId from, ByteView message) override {
    const std::string text(message.begin(), message.end());
    if (text == "refuse") return absl::InvalidArgumentError("refused");
    taken.push_back(fmt::format("{} said {}", from, text));
    return absl::OkStatus();
  }
  bool IsStageComplete() const override { return false; }
  void CloseStage() override {
    taken.emplace_back("closed");
    ++stages;
  }
  void GiveUp() override {}
  bool IsOver() const override { return stages == 3; }
  const absl::StatusOr<secagg::SumOutcome>& outcome() const override { return outcome_; }

  std::vector<std::string> taken;
  int stages = 0;

 private:
  absl::StatusOr<secagg::SumOutcome> outcome_ = absl::AbortedError("a test");
};

class SumEventsTest : public testing::Test {
 protected:
  ~SumEventsTest() override { std::filesystem::remove(path_); }

  SumEvents Open() { return SumEvents::Open(path_).value(); }

  std::string path_ = fmt::format("{}flaim-sum-events-{}-{}", testing::TempDir(),
                                  testing::UnitTest::GetInstance()->current_test_info()->name(), ::getpid());
};

TEST_F(SumEventsTest, BringANewServerToWhereTheLastOneWas) {
  SeededRandomSource random(1, "events");
  for (int repeat = 0; repeat < 10; ++repeat) {
    std::filesystem::remove(path_);
    ServerForTest first;
    SumEvents::Progress expected;
    // Stopped and started again at random.
    while (!first.IsOver()) {
      SumEvents events = Open();
      ServerForTest replayed;
      const SumEvents::Progress progress = events.Replay(replayed).value();
      ASSERT_EQ(replayed.taken, first.taken);
      ASSERT_EQ(progress.stages_closed, expected.stages_closed);
      ASSERT_EQ(progress.answered, expected.answered);
      for (std::uint64_t left = 1 + random.NextBelow(6); left > 0 && !first.IsOver(); --left) {
        if (random.NextBelow(4) == 0) {
          ASSERT_TRUE(events.StageClosed().ok());
          first.CloseStage();
          ++expected.stages_closed;
          expected.answered.clear();
          continue;
        }
        const auto from = static_cast<secagg::ParticipantId>(random.NextBelow(100));
        const std::string message(random.NextBelow(50), static_cast<char>(random.NextBelow(256)));
        ASSERT_TRUE(events.Received(from, message).ok());
        ASSERT_TRUE(first.Receive(from, AsBytes(message)).ok());
        expected.answered.push_back(from);
      }
    }
  }
}

TEST_F(SumEventsTest, AreNoneAtFirst) {
  ServerForTest server;
  const SumEvents::Progress progress = Open().Replay(server).value();
  EXPECT_EQ(progress.stages_closed, 0);
  EXPECT_THAT(progress.answered, IsEmpty());
  EXPECT_THAT(server.taken, IsEmpty());
}

TEST_F(SumEventsTest, AreRefusedIfTheyGoOnAfterTheEnd) {
  {
    SumEvents events = Open();
    for (int stage = 0; stage < 3; ++stage) ASSERT_TRUE(events.StageClosed().ok());
  }
  ServerForTest server;
  ASSERT_TRUE(Open().Replay(server).ok());
  EXPECT_TRUE(server.IsOver());
  ASSERT_TRUE(Open().StageClosed().ok());
  ServerForTest other;
  EXPECT_TRUE(absl::IsDataLoss(Open().Replay(other).status()));
}

TEST_F(SumEventsTest, AreRefusedIfTheServerDoesNotTakeThemAgain) {
  ASSERT_TRUE(Open().Received(1, "refuse").ok());
  ServerForTest server;
  EXPECT_FALSE(Open().Replay(server).ok());
}

TEST_F(SumEventsTest, AreRefusedIfTheyCannotBeRead) {
  {
    AppendLog log = AppendLog::Open(path_, "sum").value();
    ASSERT_TRUE(log.AppendDurably("\xff\xff").ok());
  }
  ServerForTest server;
  EXPECT_TRUE(absl::IsDataLoss(Open().Replay(server).status()));
  std::filesystem::remove(path_);
  { ASSERT_TRUE(AppendLog::Open(path_, "journal").ok()); }
  EXPECT_TRUE(absl::IsDataLoss(SumEvents::Open(path_).status()));
}

TEST_F(SumEventsTest, LoseOnlyTheLastWhenTheFileIsCutOff) {
  {
    SumEvents events = Open();
    ASSERT_TRUE(events.Received(1, "a").ok());
    ASSERT_TRUE(events.Received(2, "b").ok());
  }
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - 1);
  ServerForTest server;
  EXPECT_THAT(Open().Replay(server)->answered, ElementsAre(1U));
  EXPECT_THAT(server.taken, ElementsAre("1 said a"));
}

}  // namespace
}  // namespace flaim::runtime
