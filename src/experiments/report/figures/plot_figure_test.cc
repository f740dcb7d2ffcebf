#include "experiments/report/figures/plot_figure.h"

#include "experiments/report/number_text.h"
#include "experiments/report/report_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using Json = nlohmann::ordered_json;

const PlotLine* FindLine(const PlotPanel& panel, const std::string& label) {
  for (const PlotLine& line : panel.lines) {
    if (line.label == label) return &line;
  }
  return nullptr;
}

PlotFigure FigureOf(const ExperimentResults& results) {
  return MakeFigure(ResultsView(results), results.experiment.plots.front(), results.experiment.methods);
}

TEST(PlotFigure, HasAPanelForEachDatasetAndALineForEachMethod) {
  const ExperimentResults results = FakeByEpsilon(3);
  const PlotFigure figure = FigureOf(results);
  ASSERT_THAT(figure.panels, SizeIs(3));
  EXPECT_THAT(figure.panels[0].remarks, IsEmpty());
  EXPECT_EQ(figure.panels[2].plot.title, "Credit (subset)");
  EXPECT_THAT(figure.panels[2].remarks, SizeIs(1));
  for (const FigurePanel& panel : figure.panels) {
    ASSERT_THAT(panel.plot.lines, SizeIs(8));
    for (const PlotLine& line : panel.plot.lines) EXPECT_THAT(line.points, SizeIs(6));
  }
  EXPECT_THAT(figure.notes, Contains("The paper shows this as a plot without numbers."));
  EXPECT_THAT(figure.notes, Contains(HasSubstr("over 3 runs")));
  EXPECT_THAT(FigureOf(FakeByEpsilon(1)).notes, Contains("One run a point: no intervals."));
}

TEST(PlotFigure, PutsTheMeansOfTheRunsAtTheirX) {
  const ExperimentResults results = FakeByEpsilon(3);
  const ResultsView view(results);
  const PlotFigure figure = FigureOf(results);
  const PlotLine* line = FindLine(figure.panels[1].plot, "DistAIM");
  ASSERT_NE(line, nullptr);
  for (const PlotPoint& point : line->points) {
    const RunSelection runs = view.All().Where("dataset", "magic").Where("method", "DistAIM").Where("epsilon", point.x);
    EXPECT_EQ(point.y.mean, runs.Summarise("error")->mean);
    EXPECT_EQ(point.y.count, 3);
  }
}

TEST(PlotFigure, DrawsMethodsWithoutTheSettingAcross) {
  const ExperimentResults results = FakeByParticipation(3);
  const PlotFigure figure = FigureOf(results);
  const PlotLine* central = FindLine(figure.panels[0].plot, "AIM");
  ASSERT_NE(central, nullptr);
  EXPECT_THAT(central->points, IsEmpty());
  ASSERT_TRUE(central->level);
  EXPECT_EQ(central->level->count, 3);
  EXPECT_THAT(figure.notes, Contains(HasSubstr("Lines across")));
  EXPECT_EQ(figure.numbers.columns.back(), "any participation p");
}

TEST(PlotFigure, DashesAnnealedRunsInTheColourOfTheirMethod) {
  const ExperimentResults results = FakeByRounds(3);
  const PlotFigure figure = FigureOf(results);
  const PlotLine* fixed = FindLine(figure.panels[0].plot, "DistAIM");
  const PlotLine* annealed = FindLine(figure.panels[0].plot, "DistAIM, annealed");
  ASSERT_TRUE(fixed != nullptr && annealed != nullptr);
  EXPECT_FALSE(fixed->is_dashed);
  EXPECT_THAT(fixed->points, SizeIs(5));
  EXPECT_TRUE(annealed->is_dashed);
  EXPECT_TRUE(annealed->level);
  EXPECT_FALSE(annealed->has_label) << "the other line has it";
  EXPECT_EQ(fixed->style, annealed->style);
}

TEST(PlotFigure, RingsWhatThePaperPrints) {
  ExperimentResults results = FakeByEpsilon(2);
  results.experiment.paper.push_back(
      {{{"method", "AIM"}, {"dataset", "adult"}, {"epsilon", std::int64_t{1}}}, {{"error", 0.2}}, ""});
  const PlotFigure figure = FigureOf(results);
  const PlotLine* line = FindLine(figure.panels[0].plot, "AIM");
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->points[1].paper, 0.2);
  EXPECT_EQ(line->points[2].paper, std::nullopt);
  EXPECT_EQ(FindLine(figure.panels[1].plot, "AIM")->points[1].paper, std::nullopt);
  EXPECT_THAT(RenderFigure(figure).Html(), HasSubstr("the paper prints 0.2"));
}

TEST(PlotFigure, SetsNamesSideBySide) {
  Experiment experiment;
  experiment.methods = {"A"};
  std::vector<ViewedRun> runs;
  for (const char* partition : {"iid", "clusters"}) {
    runs.push_back(
        MakeViewedRun("A", {{"dataset", "adult"}, {"partition", partition}, {"rounds", 3}}, {{"bytes", 2e6}}));
  }
  const PlotLayout layout = {.title = "t", .x = "partition", .y = "bytes"};
  const PlotFigure figure = MakeFigure(ResultsView(experiment, runs), layout, experiment.methods);
  EXPECT_THAT(figure.panels[0].plot.x_names, ElementsAre("IID", "clusters"));
  EXPECT_EQ(figure.panels[0].plot.lines[0].points[1].x, 1);
  EXPECT_EQ(figure.panels[0].plot.lines[0].points[1].y.mean, 2) << "in MB";
}

TEST(RenderFigure, ShowsEveryNumberInItsTableAndItsTooltips) {
  const ExperimentResults results = FakeByRounds(3);
  const PlotFigure figure = FigureOf(results);
  const std::string html = RenderFigure(figure).Html();
  for (const FigurePanel& panel : figure.panels) {
    for (const PlotLine& line : panel.plot.lines) {
      for (const PlotPoint& point : line.points) {
        EXPECT_THAT(html, HasSubstr(EscapeMarkup(IntervalText(point.y))));
        EXPECT_THAT(html, HasSubstr(MeanPart(point.y)));
      }
      if (!line.level) continue;
      EXPECT_THAT(html, HasSubstr(EscapeMarkup(IntervalText(*line.level))));
    }
  }
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_THAT(html, Not(HasSubstr("inf ")));
}

TEST(RenderFigure, SaysSoWhenNothingIsDone) {
  ExperimentResults results = FakeByEpsilon(1);
  results.runs.clear();
  const std::string html = RenderFigure(FigureOf(results)).Html();
  EXPECT_THAT(html, HasSubstr("No run of this is done yet."));
  EXPECT_THAT(html, Not(HasSubstr("<svg")));
}

TEST(RenderFigure, CutsLongLabelsAndEscapesThem) {
  Experiment experiment;
  experiment.methods = {"<script> a method whose name goes on and on, ε and all"};
  const std::vector<ViewedRun> runs = {
      MakeViewedRun(experiment.methods.front(), {{"dataset", "adult"}, {"epsilon", 1.0}}, {{"error", 0.3}})};
  const PlotLayout layout = {.title = "<script>", .x = "epsilon", .y = "error"};
  const std::string html = RenderFigure(MakeFigure(ResultsView(experiment, runs), layout, experiment.methods)).Html();
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, HasSubstr("…"));
}

}  // namespace
}  // namespace flaim
