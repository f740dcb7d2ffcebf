#include "experiments/experiment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/seeded_random_source.h"

namespace flaim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kText = R"(
title = "A table"
[common]
datasets = ["adult"]
seeds = 2
[[method]]
name = "Mine"
preset = "flaim-once"
ours = true
[[grid]]
methods = ["aim-paper", "Mine"]
[[grid]]
methods = ["dist-aim"]
rounds = [5, "anneal"]
[[table]]
title = "Errors"
rows = "method"
columns = "dataset"
cells = ["error", "nll"]
[[plot]]
title = "By rounds"
x = "rounds"
y = "error"
[[paper]]
method = "aim-paper"
dataset = "adult"
error = 0.2
)";

std::string Without(std::string text, const std::string& part, const std::string& instead = "") {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), instead);
}

std::string Problem(const std::string& text) {
  return std::string(ParseExperiment(text, "my.toml", "my").status().message());
}

TEST(Experiment, IsReadFromToml) {
  const Experiment experiment = ParseExperiment(kText, "my.toml", "my").value();
  EXPECT_EQ(experiment.title, "A table");
  EXPECT_THAT(experiment.methods, ElementsAre("AIM", "Mine", "DistAIM"));
  EXPECT_THAT(experiment.ours, ElementsAre("Mine"));
  EXPECT_EQ(experiment.runs.size(), 2 + 2 + 4);
  ASSERT_EQ(experiment.tables.size(), 1);
  EXPECT_THAT(experiment.tables[0].cells, ElementsAre("error", "nll"));
  ASSERT_EQ(experiment.plots.size(), 1);
  EXPECT_EQ(experiment.plots[0].lines, "method");
  ASSERT_EQ(experiment.paper.size(), 1);
  EXPECT_EQ(std::get<std::string>(experiment.paper[0].where.at("method")), "AIM");
  EXPECT_EQ(experiment.paper[0].results.at("error"), 0.2);
}

TEST(Experiment, TellsThePapersAimFromOurs) {
  const std::string text = Without(kText, R"(["aim-paper", "Mine"])", "[\"aim-paper\", \"aim\"]\npaper-fit = true");
  const Experiment experiment = ParseExperiment(text, "my.toml", "my").value();
  EXPECT_THAT(experiment.methods, ElementsAre("AIM", "AIM (ours)", "DistAIM"));
  EXPECT_THAT(experiment.ours, ElementsAre("AIM (ours)"));
  for (const PlannedRun& run : experiment.runs) {
    if (run.method == "DistAIM") continue;
    EXPECT_EQ(run.Get("paper-fit").is_null(), run.method == "AIM (ours)");
  }
}

TEST(Experiment, SaysWhereAndWhatIsWrong) {
  EXPECT_THAT(Problem(Without(kText, "title = \"A table\"")), HasSubstr("'title' is missing"));
  EXPECT_THAT(Problem(Without(kText, "\"Mine\"]", "\"Min\"]")), StartsWith("my.toml:11: "));
  EXPECT_THAT(Problem(Without(kText, "\"Mine\"]", "\"Min\"]")), HasSubstr("Mine"));
  EXPECT_THAT(Problem(Without(kText, "seeds = 2", "seeds = 0")), StartsWith("my.toml:5: 'seeds'"));
  EXPECT_THAT(Problem(Without(kText, "x = \"rounds\"", "x = \"round\"")), HasSubstr("rounds"));
  EXPECT_THAT(Problem(Without(kText, "\"nll\"", "\"nil\"")), HasSubstr("nll"));
  EXPECT_THAT(Problem(Without(kText, "[[plot]]", "[[pilot]]")), HasSubstr("plot"));
  EXPECT_THAT(Problem(Without(kText, "datasets = [\"adult\"]")), HasSubstr("no datasets"));
  EXPECT_THAT(Problem(Without(kText, "preset = \"flaim-once\"")), HasSubstr("'preset' is missing"));
  EXPECT_THAT(Problem(Without(kText, "error = 0.2", "error = \"low\"")), HasSubstr("must be a number"));
  EXPECT_THAT(Problem(Without(kText, "[5, \"anneal\"]", "[]")), HasSubstr("no values"));
  EXPECT_THAT(Problem("title = "), StartsWith("my.toml:1: not a TOML file"));
}

TEST(Experiment, NeverFallsOverADamagedFile) {
  SeededRandomSource random(5, "damage");
  for (int trial = 0; trial < 500; ++trial) {
    std::string text = kText;
    for (int change = 0; change < 3; ++change) {
      const std::size_t place = random.NextBelow(text.size());
      switch (random.NextBelow(3)) {
        case 0:
          text.erase(place, 1 + random.NextBelow(8));
          break;
        case 1:
          text.insert(place, 1, static_cast<char>(random.NextBelow(127)));
          break;
        default:
          text[place] = static_cast<char>(32 + random.NextBelow(95));
      }
    }
    (void)ParseExperiment(text, "damaged.toml", "damaged");
  }
}

TEST(Experiment, OfEachTableAndFigureOfThePaperCanBeRead) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FLAIM_SOURCE_DIR "/experiments")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    const absl::StatusOr<Experiment> experiment =
        ParseExperiment(text.str(), entry.path().filename().string(), entry.path().stem().string());
    ASSERT_TRUE(experiment.ok()) << experiment.status();
    EXPECT_FALSE(experiment->runs.empty()) << experiment->name;
    EXPECT_FALSE(experiment->tables.empty() && experiment->plots.empty()) << experiment->name;
    ++files;
  }
  EXPECT_GE(files, 20);
}

}  // namespace
}  // namespace flaim
