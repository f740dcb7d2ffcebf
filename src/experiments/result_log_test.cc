#include "experiments/result_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fmt/format.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kText = R"(
title = "Two methods"
[common]
datasets = ["synthfs"]
methods = ["aim", "dist-aim"]
seeds = 3
)";

class ResultLogTest : public testing::Test {
 protected:
  ResultLogTest() : experiment_(ParseExperiment(kText, "two.toml", "two").value()) { fs::remove_all(parent_); }
  ~ResultLogTest() override { fs::remove_all(parent_); }

  std::string Folder(const std::string& name = "two") const { return (parent_ / name).string(); }
  std::unique_ptr<ResultLog> Open(const std::string& name = "two") {
    return ResultLog::Open(Folder(name), kText).value();
  }

  FinishedRun Done(std::size_t place, double error) const {
    return {
        .result = {.settings = ToJson(experiment_.runs[place].settings), .results = {{"error", error}}, .failure = ""},
        .cost = {.seconds = 1.5, .processor_seconds = 1.25, .peak_megabytes = 100}};
  }
  FinishedRun Failed(std::size_t place) const {
    FinishedRun run = Done(place, 0);
    run.result.results = nlohmann::ordered_json::object();
    run.result.failure = "nobody came";
    return run;
  }
  std::string Key(std::size_t place) const { return experiment_.runs[place].Key(); }
  std::string ReadRuns(const std::string& name = "two") const {
    std::stringstream text;
    text << std::ifstream(fs::path(Folder(name)) / "runs.jsonl").rdbuf();
    return text.str();
  }
  void Append(const std::string& text) { std::ofstream(fs::path(Folder()) / "runs.jsonl", std::ios::app) << text; }

  const fs::path parent_ = fs::path(testing::TempDir()) / ("result_log_" + std::to_string(getpid()));
  const Experiment experiment_;
};

TEST_F(ResultLogTest, KnowsAfterReopeningWhatWasDone) {
  ASSERT_TRUE(Open()->Add(Key(0), Done(0, 0.25)).ok());
  const auto log = Open();
  EXPECT_TRUE(log->IsDone(Key(0)));
  EXPECT_FALSE(log->IsDone(Key(1)));
  const ExperimentResults results = ReadResults(Folder()).value();
  ASSERT_NE(results.Find(experiment_.runs[0]), nullptr);
  EXPECT_EQ(results.Find(experiment_.runs[0])->results["error"], 0.25);
  EXPECT_EQ(results.costs.at(Key(0)).processor_seconds, 1.25);
  EXPECT_EQ(results.Find(experiment_.runs[1]), nullptr);
}

TEST_F(ResultLogTest, RepeatsRunsThatFailed) {
  ASSERT_TRUE(Open()->Add(Key(0), Failed(0)).ok());
  const auto log = Open();
  EXPECT_FALSE(log->IsDone(Key(0)));
  ASSERT_TRUE(log->Add(Key(0), Done(0, 0.5)).ok());
  ASSERT_TRUE(log->Finish(experiment_.runs).ok());
  EXPECT_EQ(ReadRuns().find("nobody came"), std::string::npos);
}

TEST_F(ResultLogTest, EndsTheSameInWhateverOrderAndHoweverOftenItWasInterrupted) {
  {
    const auto log = Open();
    for (std::size_t place = 0; place < experiment_.runs.size(); ++place) {
      ASSERT_TRUE(log->Add(Key(place), Done(place, 0.125 * static_cast<double>(place))).ok());
    }
    ASSERT_TRUE(log->Finish(experiment_.runs).ok());
  }
  const std::string uninterrupted = ReadRuns();
  fs::remove_all(parent_);
  for (const std::size_t place : {4u, 1u, 5u, 0u, 3u, 2u}) {
    ASSERT_TRUE(Open()->Add(Key(place), Done(place, 0.125 * static_cast<double>(place))).ok());
    Append(R"({"settings":{"dataset":"syn)");
  }
  ASSERT_TRUE(Open()->Finish(experiment_.runs).ok());
  EXPECT_EQ(ReadRuns(), uninterrupted);
}

TEST_F(ResultLogTest, TakesAwayHalfALineThatAKilledProcessLeft) {
  ASSERT_TRUE(Open()->Add(Key(0), Done(0, 0.25)).ok());
  Append("{\"settings\":");
  EXPECT_TRUE(ReadResults(Folder()).ok());
  ASSERT_TRUE(Open()->Add(Key(1), Done(1, 0.5)).ok());
  const ExperimentResults results = ReadResults(Folder()).value();
  EXPECT_NE(results.Find(experiment_.runs[0]), nullptr);
  EXPECT_NE(results.Find(experiment_.runs[1]), nullptr);
}

TEST_F(ResultLogTest, RefusesALineThatIsNoResult) {
  ASSERT_TRUE(Open()->Add(Key(0), Done(0, 0.25)).ok());
  Append("{\"settings\": 3}\n");
  const absl::Status status = ResultLog::Open(Folder(), kText).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("line 2"));
}

TEST_F(ResultLogTest, ReplacesLinesOfAnotherVersion) {
  ASSERT_TRUE(Open()->Add(Key(0), Done(0, 0.25)).ok());
  std::string text = ReadRuns();
  const std::string version = fmt::format("\"version\":{}", kResultsVersion);
  ASSERT_NE(text.find(version), std::string::npos);
  text.replace(text.find(version), version.size(), "\"version\":0");
  std::ofstream(fs::path(Folder()) / "runs.jsonl") << text;
  EXPECT_EQ(ReadResults(Folder())->Find(experiment_.runs[0]), nullptr);
  const auto log = Open();
  EXPECT_FALSE(log->IsDone(Key(0)));
  ASSERT_TRUE(log->Add(Key(0), Done(0, 0.5)).ok());
  ASSERT_TRUE(log->Finish(experiment_.runs).ok());
  EXPECT_EQ(ReadRuns().find("\"version\":0"), std::string::npos);
}

TEST_F(ResultLogTest, IsUsedByOneProcessAtATime) {
  const auto log = Open();
  EXPECT_THAT(std::string(ResultLog::Open(Folder(), kText).status().message()), HasSubstr("in use"));
}

TEST_F(ResultLogTest, TakesOverWhatAnotherExperimentHasDone) {
  ASSERT_TRUE(Open("first")->Add(Key(2), Done(2, 0.75)).ok());
  ASSERT_TRUE(Open("failed")->Add(Key(3), Failed(3)).ok());
  const auto log = Open("second");
  EXPECT_EQ(log->AddFromSiblings(experiment_.runs).value(), 1);
  EXPECT_TRUE(log->IsDone(Key(2)));
  EXPECT_FALSE(log->IsDone(Key(3)));
  EXPECT_EQ(log->AddFromSiblings(experiment_.runs).value(), 0);
}

TEST_F(ResultLogTest, KeepsResultsThatTheExperimentNoLongerAsksFor) {
  const auto log = Open();
  for (const std::size_t place : {0u, 1u}) ASSERT_TRUE(log->Add(Key(place), Done(place, 0.5)).ok());
  ASSERT_TRUE(log->Finish(std::span(experiment_.runs).subspan(1)).ok());
  const std::string text = ReadRuns();
  EXPECT_LT(text.find(Key(1)), text.find(Key(0)));
  EXPECT_NE(text.find(Key(0)), std::string::npos);
}

}  // namespace
}  // namespace flaim
