#include "experiments/grid_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace flaim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kText = R"(
title = "A small grid"
[common]
datasets = ["synthfs"]
clients = 5
workload = "all:2:1700"
rounds = 2
participation = 0.6
partition = "iid"
methods = ["aim", "augflaim-private"]
seeds = 3
)";

std::string Replaced(std::string text, const std::string& part, const std::string& instead) {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), instead);
}

absl::Status GoOn(const GridProgress&) { return absl::OkStatus(); }

class GridRunTest : public testing::Test {
 protected:
  GridRunTest() { fs::remove_all(parent_); }
  ~GridRunTest() override { fs::remove_all(parent_); }

  // Experiments with the same `place` know of each other.
  std::string Folder(const std::string& place, const std::string& name = "grid") const {
    return (parent_ / place / name).string();
  }
  absl::StatusOr<GridProgress> Do(const std::string& text, const std::string& folder,
                                  const GridObserver& observer = GoOn, int threads = 2) {
    const Experiment experiment = ParseExperiment(text, "grid.toml", "grid").value();
    return RunGrid(experiment, text, folder, preparation_, *ThreadCrew(threads), observer);
  }
  static std::string Read(const std::string& folder, const char* file = "runs.jsonl") {
    std::stringstream text;
    text << std::ifstream(fs::path(folder) / file).rdbuf();
    return text.str();
  }
  static std::ptrdiff_t Lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

  const fs::path parent_ = fs::path(testing::TempDir()) / ("grid_run_" + std::to_string(getpid()));
  NoProgress progress_;
  Preparation preparation_{"", "", 1, progress_};
};

TEST_F(GridRunTest, DoesAllRunsAndCountsThem) {
  std::vector<std::size_t> counts;
  const GridObserver observer = [&](const GridProgress& progress) {
    counts.push_back(progress.done);
    EXPECT_EQ(progress.runs, 6);
    EXPECT_FALSE(progress.last.empty());
    return absl::OkStatus();
  };
  const GridProgress progress = Do(kText, Folder("a"), observer).value();
  EXPECT_EQ(counts, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(progress.runs, 6);
  EXPECT_EQ(progress.had, 0);
  EXPECT_EQ(progress.done, 6);
  EXPECT_EQ(progress.failed, 0);
  const ExperimentResults results = ReadResults(Folder("a")).value();
  for (const PlannedRun& run : results.experiment.runs) {
    ASSERT_NE(results.Find(run), nullptr) << run.Key();
    EXPECT_GT(results.Find(run)->results["error"], 0);
    EXPECT_GT(results.costs.at(run.Key()).seconds, 0);
  }
  EXPECT_EQ(Read(Folder("a"), "experiment.toml"), kText);
}

TEST_F(GridRunTest, HasNothingToDoTheSecondTimeNorForAnotherExperimentWithTheSameRuns) {
  ASSERT_TRUE(Do(kText, Folder("a")).ok());
  const std::string runs = Read(Folder("a"));
  const std::string costs = Read(Folder("a"), "costs.jsonl");
  const GridObserver nothing = [](const GridProgress&) { return absl::InternalError("a run was done twice"); };
  for (const std::string& folder : {Folder("a"), Folder("a", "sibling")}) {
    const absl::StatusOr<GridProgress> progress = Do(kText, folder, nothing);
    ASSERT_TRUE(progress.ok()) << progress.status();
    EXPECT_EQ(progress->runs, 6);
    EXPECT_EQ(progress->had, 6);
    EXPECT_EQ(progress->done, 0);
    EXPECT_EQ(Read(folder), runs);
    EXPECT_EQ(Read(folder, "costs.jsonl"), costs);
  }
}

TEST_F(GridRunTest, EndsTheSameWhenItWasStoppedInBetween) {
  ASSERT_TRUE(Do(kText, Folder("uninterrupted"), GoOn, 1).ok());
  for (const int threads : {1, 3}) {
    const std::string folder = Folder("stopped" + std::to_string(threads));
    const GridObserver stop_at_two = [](const GridProgress& progress) {
      return progress.done < 2 ? absl::OkStatus() : absl::CancelledError("that is enough");
    };
    EXPECT_EQ(Do(kText, folder, stop_at_two, threads).status(), absl::CancelledError("that is enough"));
    EXPECT_EQ(Lines(Read(folder)), 2);
    const GridProgress progress = Do(kText, folder, GoOn, threads).value();
    EXPECT_EQ(progress.had, 2);
    EXPECT_EQ(progress.done, 4);
    EXPECT_EQ(Read(folder), Read(Folder("uninterrupted")));
  }
}

TEST_F(GridRunTest, DoesWhatTwoMethodsHaveInCommonOnce) {
  const std::string text = Replaced(kText, R"(methods = ["aim", "augflaim-private"])", R"(methods = ["One", "Two"])") +
                           R"(
[[method]]
name = "One"
preset = "augflaim-private"
[[method]]
name = "Two"
preset = "augflaim-private"
rounds = 2
)";
  const GridProgress progress = Do(text, Folder("a")).value();
  EXPECT_EQ(progress.runs, 3);
  EXPECT_EQ(progress.had, 0);
  EXPECT_EQ(progress.done, 3);
  EXPECT_EQ(Lines(Read(Folder("a"))), 3);
  const ExperimentResults results = ReadResults(Folder("a")).value();
  ASSERT_EQ(results.experiment.runs.size(), 6);
  for (const PlannedRun& run : results.experiment.runs) EXPECT_NE(results.Find(run), nullptr) << run.method;
}

TEST_F(GridRunTest, CountsRunsThatFailAndTriesThemAgain) {
  const std::string text = Replaced(kText, "participation = 0.6", "participation = 1e-9");
  const GridProgress first = Do(text, Folder("a")).value();
  EXPECT_EQ(first.done, 6);
  EXPECT_EQ(first.failed, 3);
  const std::string runs = Read(Folder("a"));
  const GridProgress second = Do(text, Folder("a")).value();
  EXPECT_EQ(second.had, 3);
  EXPECT_EQ(second.done, 3);
  EXPECT_EQ(second.failed, 3);
  EXPECT_EQ(Read(Folder("a")), runs);
}

TEST_F(GridRunTest, SaysThatItsFolderCannotBeUsed) {
  fs::create_directories(parent_);
  std::ofstream(parent_ / "file") << "not a folder";
  EXPECT_FALSE(Do(kText, (parent_ / "file" / "grid").string()).ok());
}

}  // namespace
}  // namespace flaim
