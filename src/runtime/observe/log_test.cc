#include "runtime/observe/log.h"

#include <cmath>
#include <set>
#include <sstream>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace flaim::runtime {
namespace {

using ::testing::SizeIs;

ManualClock ClockAt(std::int64_t unix_ms) {
  return ManualClock(std::chrono::system_clock::time_point(std::chrono::milliseconds(unix_ms)));
}

std::vector<std::string> Lines(const std::ostringstream& out) {
  std::vector<std::string> lines;
  std::istringstream in(out.str());
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Log, WritesOneJsonObjectInALine) {
  const ManualClock clock = ClockAt(1'893'499'385'042);
  std::ostringstream out;
  Log log(out, LogFormat::kJson, clock);
  log.Warning("site lost", {{"site", "hospital \"3\"\n"}, {"round", 7}, {"seconds", 0.5}, {"is_back", false}});
  EXPECT_EQ(out.str(),
            R"({"time":"2030-01-01T12:03:05.042Z","level":"warning","event":"site lost","site":"hospital \"3\"\n",)"
            R"("round":7,"seconds":0.5,"is_back":false})"
            "\n");
}

TEST(Log, WritesTextThatCannotMoveTheCursor) {
  const ManualClock clock = ClockAt(0);
  std::ostringstream out;
  Log log(out, LogFormat::kText, clock);
  log.Info("site connected", {{"site", "hospital-3"}, {"bytes", 12}, {"note", "two words"}, {"is_new", true}});
  log.Error("stopped\n", {{"why", "\x1b[2J"}, {"seconds", 0.25}});
  EXPECT_EQ(Lines(out)[0], "00:00:00 site connected  site=hospital-3  bytes=12  note=\"two words\"  is_new=yes");
  EXPECT_EQ(Lines(out)[1], "00:00:00 error: stopped\xEF\xBF\xBD  why=\xEF\xBF\xBD[2J  seconds=0.25");
}

TEST(Log, IsJsonWhateverIsLogged) {
  const ManualClock clock = ClockAt(-1);
  std::ostringstream out;
  Log log(out, LogFormat::kJson, clock);
  log.Info("\xFF", {{"a", "\xC0\xAF"}, {"b", INFINITY}, {"c", NAN}});
  const nlohmann::json line = nlohmann::json::parse(out.str());
  EXPECT_EQ(line["time"], "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(line["b"], "inf");
  EXPECT_EQ(line["c"], "nan");
}

TEST(Log, KeepsTheLastLinesAndCountsAll) {
  const ManualClock clock = ClockAt(0);
  std::ostringstream out;
  Log log(out, LogFormat::kText, clock);
  for (std::int64_t i = 0; i < 250; ++i) log.Info("tick", {{"i", i}});
  log.Error("end");
  const std::vector<LogLine> tail = log.Tail();
  ASSERT_THAT(tail, SizeIs(Log::kKeptLines));
  EXPECT_EQ(tail.front().fields[0].second, LogValue(std::int64_t{51}));
  EXPECT_EQ(tail.back().event, "end");
  EXPECT_EQ(log.Counts(), (LogCounts{.infos = 250, .warnings = 0, .errors = 1}));
  EXPECT_THAT(Lines(out), SizeIs(251));
}

TEST(Log, KeepsLinesWholeThatManyThreadsWrite) {
  const ManualClock clock = ClockAt(0);
  std::ostringstream out;
  Log log(out, LogFormat::kJson, clock);
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&log, thread] {
      for (std::int64_t i = 0; i < 200; ++i) {
        log.Info("tick", {{"thread", thread}, {"i", i}});
        EXPECT_TRUE(i % 50 > 0 || !log.Tail().empty());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::pair<int, int>> seen;
  for (const std::string& line : Lines(out)) {
    const nlohmann::json parsed = nlohmann::json::parse(line);
    seen.emplace(parsed["thread"], parsed["i"]);
  }
  EXPECT_THAT(seen, SizeIs(1600));
  EXPECT_EQ(log.Counts().infos, 1600);
}

TEST(LogDeathTest, AFieldCannotPoseAsTheTime) {
  const ManualClock clock = ClockAt(0);
  std::ostringstream out;
  Log log(out, LogFormat::kJson, clock);
  EXPECT_DEATH(log.Info("tick", {{"time", 3}}), "time");
}

}  // namespace
}  // namespace flaim::runtime
