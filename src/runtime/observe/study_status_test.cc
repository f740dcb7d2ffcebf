#include "runtime/observe/study_status.h"

#include <sstream>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/observe/study_status_testing.h"

namespace flaim::runtime {
namespace {

using std::chrono::seconds;
using ::testing::Optional;
using ::testing::SizeIs;
using testing_support::ExampleStatus;

struct Observed {
  ManualClock clock{std::chrono::system_clock::time_point(seconds(1000))};
  std::ostringstream out;
  Log log{out, LogFormat::kText, clock};
  StatusBoard board{clock, log};
};

StudyStatus WithRounds(std::vector<double> round_seconds, std::int64_t planned) {
  StudyStatus status;
  status.phase = StudyPhase::kRunning;
  status.rounds_planned = planned;
  for (const double one : round_seconds) status.rounds.emplace_back().seconds = one;
  return status;
}

TEST(SecondsLeft, FollowsThePaceOfTheLastRounds) {
  EXPECT_THAT(SecondsLeft(WithRounds({2, 4}, 5), 0), Optional(9.0));
  EXPECT_THAT(SecondsLeft(WithRounds({1000, 1, 1, 1, 1, 1}, 10), 0), Optional(4.0));
}

TEST(SecondsLeft, CountsDownDuringARoundAndWaitsForALateOne) {
  EXPECT_THAT(SecondsLeft(WithRounds({4, 4}, 5), 3), Optional(9.0));
  EXPECT_THAT(SecondsLeft(WithRounds({4, 4}, 5), 100), Optional(8.0));
  EXPECT_THAT(SecondsLeft(WithRounds({4, 4}, 5), -100), Optional(12.0));
}

TEST(SecondsLeft, FollowsTheBudgetWhereTheNumberOfRoundsIsOpen) {
  StudyStatus status = WithRounds({2, 2}, 0);
  status.share_spent = 0.25;
  EXPECT_THAT(SecondsLeft(status, 0), Optional(12.0));
  status.share_spent = 0;
  EXPECT_EQ(SecondsLeft(status, 0), std::nullopt);
}

TEST(SecondsLeft, IsUnknownBeforeTheFirstRoundAndAfterTheLast) {
  EXPECT_EQ(SecondsLeft(WithRounds({}, 5), 0), std::nullopt);
  for (const StudyPhase phase :
       {StudyPhase::kEnrolling, StudyPhase::kWaiting, StudyPhase::kFinished, StudyPhase::kFailed}) {
    StudyStatus status = WithRounds({2}, 5);
    status.phase = phase;
    EXPECT_EQ(SecondsLeft(status, 0), std::nullopt);
  }
  EXPECT_THAT(SecondsLeft(WithRounds({2, 2, 2}, 2), 1), Optional(0.0));
}

TEST(StatusBoard, AddsTheTimeTheLogAndTheEstimate) {
  Observed observed;
  observed.board.Update([](StudyStatus& status) { status = WithRounds({10}, 3); });
  observed.log.Warning("site lost");
  observed.clock.Advance(seconds(4));
  const StudyStatus status = observed.board.Read();
  EXPECT_EQ(status.now_unix_ms, 1'004'000);
  EXPECT_THAT(status.seconds_left, Optional(16.0));
  ASSERT_THAT(status.log, SizeIs(1));
  EXPECT_EQ(status.log[0].event, "site lost");
  EXPECT_EQ(status.log_counts.warnings, 1);
}

TEST(StatusBoard, CountsDownFromTheEndOfTheLastRoundOnly) {
  Observed observed;
  observed.board.Update([](StudyStatus& status) { status = WithRounds({10}, 3); });
  observed.clock.Advance(seconds(4));
  observed.board.Update([](StudyStatus& status) { status.share_spent = 0.4; });
  EXPECT_THAT(observed.board.Read().seconds_left, Optional(16.0));
  observed.board.Update([](StudyStatus& status) { status.rounds.emplace_back().seconds = 4; });
  EXPECT_THAT(observed.board.Read().seconds_left, Optional(7.0));
}

TEST(StatusBoard, NeverShowsHalfAChange) {
  Observed observed;
  std::atomic<bool> is_done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!is_done) {
        const StudyStatus status = observed.board.Read();
        EXPECT_EQ(static_cast<std::int64_t>(status.sites.size()), status.minimum_sites);
      }
    });
  }
  std::vector<std::thread> writers;
  for (int i = 0; i < 3; ++i) {
    writers.emplace_back([&] {
      for (int j = 0; j < 300; ++j) {
        observed.board.Update([](StudyStatus& status) {
          status.sites.emplace_back();
          ++status.minimum_sites;
        });
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  is_done = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(observed.board.Read().minimum_sites, 900);
}

TEST(StudyStatus, CountsItsSites) {
  StudyStatus status = ExampleStatus(5);
  status.sites[4].is_approved = false;
  status.sites[4].is_online = false;
  EXPECT_EQ(OnlineSites(status), 3);
  EXPECT_EQ(ApprovedSites(status), 4);
}

}  // namespace
}  // namespace flaim::runtime
