#include "experiments/grid.h"

#include <gtest/gtest.h>

#include <set>

namespace flaim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NamedMethod Preset(const std::string& name, const std::string& preset) {
  return {.name = name, .settings = {{"preset", preset}}};
}

std::vector<SettingValue> Seeds(std::int64_t count) {
  std::vector<SettingValue> seeds;
  for (std::int64_t seed = 1; seed <= count; ++seed) seeds.emplace_back(seed);
  return seeds;
}

TEST(Grid, HoldsEveryCombinationOnce) {
  Grid grid;
  grid.axes["dataset"] = {"adult", "magic"};
  grid.axes["epsilon"] = {1.0, 2.0, 3.0};
  grid.axes["seed"] = Seeds(4);
  grid.methods = {Preset("one", "dist-aim"), Preset("other", "naive-flaim")};
  const std::vector<PlannedRun> runs = RunsOf(grid).value();
  EXPECT_EQ(runs.size(), 2 * 3 * 4 * 2);
  std::set<std::string> keys;
  for (const PlannedRun& run : runs) keys.insert(run.Key());
  EXPECT_EQ(keys.size(), runs.size());
}

TEST(Grid, VariesTheDatasetSlowestAndTheSeedFastest) {
  Grid grid;
  grid.axes["dataset"] = {"magic", "adult"};
  grid.axes["seed"] = Seeds(2);
  grid.methods = {Preset("AIM", "aim")};
  const std::vector<PlannedRun> runs = RunsOf(grid).value();
  std::vector<std::string> order;
  for (const PlannedRun& run : runs) order.push_back(run.settings.dataset + run.Get("seed").dump());
  EXPECT_THAT(order, ElementsAre("magic1", "magic2", "adult1", "adult2"));
}

TEST(Grid, DoesNotMultiplyRunsByWhatMakesNoDifferenceToThem) {
  Grid grid;
  grid.axes["dataset"] = {"adult"};
  grid.axes["participation"] = {0.1, 0.2, 0.5};
  grid.methods = {Preset("AIM", "aim"), Preset("DistAIM", "dist-aim")};
  const std::vector<PlannedRun> runs = RunsOf(grid).value();
  ASSERT_EQ(runs.size(), 4);
  for (const PlannedRun& run : runs) EXPECT_EQ(run.Get("participation").is_null(), run.method == "AIM");
}

TEST(Grid, LetsTheMethodsOwnSettingsWin) {
  Grid grid;
  grid.axes["dataset"] = {"adult"};
  grid.axes["accounting"] = {"paper"};
  grid.methods = {Preset("DistAIM", "dist-aim"), Preset("Capped", "naive-flaim")};
  grid.methods[1].settings["accounting"] = "cap";
  const std::vector<PlannedRun> runs = RunsOf(grid).value();
  ASSERT_EQ(runs.size(), 2);
  EXPECT_EQ(runs[0].Get("accounting"), "paper");
  EXPECT_EQ(runs[1].Get("accounting"), "cap");
}

TEST(Grid, DescribesPartitionsWhereThereIsNoMethod) {
  Grid grid;
  grid.axes["dataset"] = {"adult"};
  grid.axes["partition"] = {"iid", "clusters"};
  const std::vector<PlannedRun> runs = RunsOf(grid).value();
  ASSERT_EQ(runs.size(), 2);
  EXPECT_FALSE(runs[0].settings.HasMethod());
  EXPECT_EQ(runs[1].Get("partition"), "clusters");
}

TEST(Grid, SaysWhichMethodOnWhichDatasetCannotBeRun) {
  Grid grid;
  grid.axes["dataset"] = {"adult"};
  grid.axes["cap"] = {std::int64_t{2}};
  grid.methods = {Preset("Oracle", "augflaim-oracle")};
  EXPECT_THAT(std::string(RunsOf(grid).status().message()), HasSubstr("Oracle on adult: cap"));
}

TEST(Grid, SaysWhatBelongsWhereSomethingElseStands) {
  Grid grid;
  grid.axes["dataset"] = {"adult"};
  grid.axes["epsilon"] = {"one"};
  grid.methods = {Preset("AIM", "aim")};
  EXPECT_THAT(std::string(RunsOf(grid).status().message()), HasSubstr("epsilon must be a number above 0"));
}

}  // namespace
}  // namespace flaim
