#include "experiments/report/tables/result_table.h"

#include <algorithm>

#include "experiments/report/number_text.h"
#include "experiments/report/report_testing.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

TableLayout Layout(TableKind kind, std::vector<std::string> rows, std::string columns, std::vector<std::string> cells) {
  return {"Title", kind, std::move(rows), std::move(columns), std::move(cells), "", ""};
}

Json Settings(const std::string& dataset, int seed) {
  return {{"dataset", dataset}, {"partition", "clusters"}, {"rounds", 10}, {"epsilon", 1.0}, {"seed", seed}};
}

const TableRow* FindRow(const TableGroup& group, const std::string& heading) {
  const auto found = std::find_if(group.rows.begin(), group.rows.end(), [&](const TableRow& row) {
    return row.headings.front().Html().starts_with(heading);
  });
  return found == group.rows.end() ? nullptr : &*found;
}

TEST(MeansTable, ShowsEveryMeanWithItsErrorWhereItBelongs) {
  const ExperimentResults results = FakeManyDatasets(4);
  const ResultsView view(results);
  const ResultTable table = MakeTable(view, results.experiment.tables.front());
  ASSERT_EQ(table.groups.size(), 2U);
  EXPECT_THAT(table.columns,
              ElementsAre("Adult", "Magic", "Census", "Covtype", "Credit (subset)", "Intrusion", "Marketing"));
  const std::vector<std::string> datasets = {"adult", "magic", "census", "covtype", "credit", "intrusion", "marketing"};
  const std::vector<std::string> names = {"error", "nll"};
  for (std::size_t group = 0; group < names.size(); ++group) {
    for (std::size_t row = 0; row < results.experiment.methods.size(); ++row) {
      for (std::size_t column = 0; column < datasets.size(); ++column) {
        std::vector<double> values;
        for (const PlannedRun& run : results.experiment.runs) {
          const auto found = results.runs.find(run.Key());
          const bool is_here =
              run.method == results.experiment.methods[row] && run.settings.dataset == datasets[column];
          if (!is_here || found == results.runs.end() || !found->second.failure.empty()) continue;
          values.push_back(found->second.results[names[group]].get<double>());
        }
        const TableCell& cell = table.groups[group].rows[row].cells[column];
        const std::optional<Summary> expected = Summarise(values);
        ASSERT_EQ(cell.summary.has_value(), expected.has_value());
        if (!expected) continue;
        EXPECT_EQ(fmt::format("{}{}", cell.value, cell.error), MeanText(*expected));
        EXPECT_EQ(cell.tooltip.substr(0, cell.tooltip.find(';')), IntervalText(*expected));
      }
    }
  }
}

TEST(MeansTable, PutsThePapersNumbersBeneathOurs) {
  const ExperimentResults results = FakeManyDatasets(4);
  const ResultTable table = MakeTable(ResultsView(results), results.experiment.tables.front());
  const TableRow* naive = FindRow(table.groups[1], "NaiveFLAIM");
  ASSERT_NE(naive, nullptr);
  EXPECT_EQ(naive->cells[1].paper, "2587.5");
  EXPECT_THAT(naive->cells[1].to_paper, HasSubstr("−98 %"));
  EXPECT_EQ(naive->cells[2].paper, "");
}

TEST(MeansTable, SaysWhatIsMissingFailedOrOnlyInThePaper) {
  const ExperimentResults results = FakeManyDatasets(4);
  const ResultTable table = MakeTable(ResultsView(results), results.experiment.tables.front());
  const TableGroup& group = table.groups.front();
  EXPECT_EQ(FindRow(group, "NaiveFLAIM")->cells[1].note, "3 of 4 runs, 1 failed");
  EXPECT_THAT(FindRow(group, "NaiveFLAIM")->cells[1].tooltip, HasSubstr("3.1 GB"));
  EXPECT_EQ(FindRow(group, "DistAIM")->cells[6].value, "not run yet");
  EXPECT_EQ(FindRow(group, "DistAIM")->cells[6].paper, "0.66");
  EXPECT_EQ(FindRow(group, "FLAIM-Pool")->cells[0].note, "3 runs");
  EXPECT_EQ(FindRow(group, "AIM")->cells[0].note, "");
  const TableRow* only_in_paper = FindRow(group, "Fed DP-CTGAN");
  ASSERT_NE(only_in_paper, nullptr);
  EXPECT_THAT(only_in_paper->headings.front().Html(), HasSubstr("paper only"));
  EXPECT_EQ(only_in_paper->cells[0].paper, "1.37");
  EXPECT_EQ(only_in_paper->cells[0].value, kNotPlanned);
}

TEST(MeansTable, MarksTheBestFederatedMethodAndOurs) {
  const ExperimentResults results = FakeManyDatasets(4);
  const ResultTable table = MakeTable(ResultsView(results), results.experiment.tables.front());
  for (const TableGroup& group : table.groups) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const TableRow* best = nullptr;
      int marked = 0;
      for (const TableRow& row : group.rows) {
        marked += row.cells[column].is_best ? 1 : 0;
        EXPECT_TRUE(row.is_federated || !row.cells[column].is_best);
        if (!row.is_federated || !row.cells[column].summary) continue;
        if (best == nullptr || row.cells[column].summary->mean < best->cells[column].summary->mean) best = &row;
      }
      EXPECT_EQ(marked, 1);
      EXPECT_TRUE(best->cells[column].is_best);
    }
    EXPECT_TRUE(FindRow(group, "FLAIM-Once")->is_ours);
    EXPECT_FALSE(FindRow(group, "DistAIM")->is_ours);
    EXPECT_FALSE(FindRow(group, "AIM")->is_federated);
  }
}

TEST(MeansTable, LabelsDatasetsThatAreNotTheOriginal) {
  const ExperimentResults results = FakeManyDatasets(1);
  const ResultTable table = MakeTable(ResultsView(results), results.experiment.tables.front());
  EXPECT_THAT(table.remarks, ElementsAre(HasSubstr("Credit (subset)")));
  EXPECT_THAT(table.notes, Contains(HasSubstr("no intervals")));
}

TEST(MeansTable, SaysWhatItAveragesBesidesSeeds) {
  Experiment experiment;
  experiment.methods = {"A"};
  std::vector<ViewedRun> runs;
  for (const int rounds : {5, 10}) {
    Json settings = Settings("adult", 1);
    settings["rounds"] = rounds;
    runs.push_back(MakeViewedRun("A", settings, {{"error", 0.1 * rounds}}));
  }
  const ResultTable table =
      MakeTable(ResultsView(experiment, runs), Layout(TableKind::kMeans, {"method"}, "dataset", {"error"}));
  EXPECT_THAT(table.notes, Contains("Cells also average over rounds."));
  EXPECT_THAT(table.notes, Contains("The paper prints no numbers for this."));
}

TEST(MeansTable, TellsRowsOfAbsentSettingsApart) {
  const ExperimentResults results = FakeHeterogeneity(3);
  const ResultTable table = MakeTable(ResultsView(results), results.experiment.tables.front());
  const TableGroup& group = table.groups.front();
  ASSERT_EQ(group.rows.size(), 4U);
  EXPECT_EQ(group.rows[0].headings[0].Html(), "IID");
  EXPECT_EQ(group.rows[0].cells[0].paper, "0.241");
  EXPECT_EQ(group.rows[2].headings[1].Html(), "0.1");
  EXPECT_EQ(group.rows[2].cells[0].paper, "") << "the paper's number is of another beta";
  EXPECT_EQ(group.rows[3].cells[0].paper, "0.332");
}

TEST(RankTable, IsTheMeanOverDatasetsAndSeedsOfBruteForceRanks) {
  const ExperimentResults results = FakeRanks(3);
  const ResultsView view(results);
  const ResultTable table = MakeTable(view, results.experiment.tables.front());
  const std::vector<std::string> names = {"error", "nll"};
  const std::vector<double> epsilons = {1, 2, 3, 5};
  const RunSelection all = view.All();
  for (std::size_t group = 0; group < names.size(); ++group) {
    for (std::size_t column = 0; column < epsilons.size(); ++column) {
      for (std::size_t row = 0; row < results.experiment.methods.size(); ++row) {
        double sum = 0;
        int count = 0;
        for (const ViewedRun* run : all.Runs()) {
          if (run->method != results.experiment.methods[row] || run->Get("epsilon") != epsilons[column]) continue;
          ++count;
          for (const ViewedRun* other : all.Runs()) {
            const bool is_same_block = other->Get("dataset") == run->Get("dataset") &&
                                       other->Get("seed") == run->Get("seed") &&
                                       other->Get("epsilon") == run->Get("epsilon");
            if (is_same_block && *other->Result(names[group]) <= *run->Result(names[group])) ++sum;
          }
        }
        EXPECT_NEAR(table.groups[group].rows[row].cells[column].summary->mean, sum / count, 1e-12);
      }
    }
  }
  EXPECT_EQ(table.groups[1].rows[0].cells[0].paper, "4.75");
  EXPECT_EQ(table.groups[1].rows[0].cells[1].paper, "");
}

TEST(RankTable, LeavesOutSeedsThatAMethodLacks) {
  Experiment experiment;
  experiment.methods = {"A", "B"};
  std::vector<ViewedRun> runs;
  for (const int seed : {1, 2, 3}) {
    runs.push_back(MakeViewedRun("A", Settings("adult", seed), {{"auc", 0.9}}));
    runs.push_back(
        MakeViewedRun("B", Settings("adult", seed), seed == 3 ? Json() : Json{{"auc", 0.8 + 0.2 * (seed - 1)}}));
  }
  const ResultTable table =
      MakeTable(ResultsView(experiment, runs), Layout(TableKind::kRanks, {"method"}, "epsilon", {"auc"}));
  EXPECT_EQ(table.groups.front().rows[0].cells[0].summary->mean, 1.5) << "higher is better: first, then second";
  EXPECT_EQ(table.groups.front().rows[0].cells[0].summary->count, 2);
  EXPECT_THAT(table.notes, Contains(HasSubstr("2 of 3 rankings")));
}

TEST(RatioTable, DividesTheMeans) {
  const ExperimentResults results = FakeByRounds(3);
  const ResultsView view(results);
  const ResultTable table = MakeTable(view, results.experiment.tables[1]);
  const RunSelection four = view.All().Where("dataset", "adult").Where("rounds", 4);
  const double expected = four.Where("method", "DistAIM").Summarise("bytes")->mean /
                          four.Where("method", "AugFLAIM (Private)").Summarise("bytes")->mean;
  const TableCell& cell = table.groups.front().rows[0].cells[0];
  EXPECT_EQ(table.columns[0], "T = 4");
  EXPECT_DOUBLE_EQ(cell.summary->mean, expected);
  EXPECT_THAT(cell.value, HasSubstr("×"));
  EXPECT_EQ(cell.paper, "3990×");
  EXPECT_EQ(table.groups.front().rows[0].cells[1].paper, "");
  EXPECT_EQ(table.groups.front().rows[1].cells[0].paper, "");
}

TEST(OverheadTable, ComparesBothMethodsAtTheirBestRounds) {
  Experiment experiment;
  experiment.methods = {"Slow", "Quick"};
  std::vector<ViewedRun> runs;
  const auto add = [&](const std::string& method, const Json& rounds, double error, double nll, double bytes) {
    Json settings = Settings("adult", 1);
    settings["rounds"] = rounds;
    runs.push_back(MakeViewedRun(method, settings, {{"error", error}, {"nll", nll}, {"bytes", bytes}}));
  };
  add("Slow", 8, 0.5, 20, 40e6);
  add("Slow", 32, 0.2, 18, 80e6);
  add("Slow", "anneal", 0.1, 10, 1);
  add("Quick", 8, 0.4, 24, 0.04e6);
  add("Quick", 32, 0.6, 30, 0.1e6);
  experiment.paper.push_back({{{"dataset", "adult"}}, {{"error_improvement", 58}, {"bytes_overhead", 1300}}, ""});
  TableLayout layout = Layout(TableKind::kOverhead, {"dataset"}, "", {"error", "nll"});
  layout.method = "Slow";
  layout.against = "Quick";
  const ResultTable table = MakeTable(ResultsView(experiment, runs), layout);
  const std::vector<TableCell>& cells = table.groups.front().rows.front().cells;
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[0].summary->mean, 4);
  EXPECT_EQ(cells[0].note, "32 / 8");
  EXPECT_EQ(cells[1].summary->mean, 2000);
  EXPECT_EQ(cells[1].note, "80 / 0.0400 MB");
  EXPECT_EQ(cells[1].paper, "1300×");
  EXPECT_EQ(cells[2].value, "50 %");
  EXPECT_EQ(cells[2].paper, "58 %");
  EXPECT_EQ(cells[3].value, "25 %");
}

TEST(OverheadTable, SaysSoWhenAMethodHasNoRuns) {
  Experiment experiment;
  experiment.methods = {"Slow", "Quick"};
  std::vector<ViewedRun> runs = {MakeViewedRun("Slow", Settings("adult", 1), {{"error", 0.5}}),
                                 MakeViewedRun("Quick", Settings("adult", 1), Json())};
  TableLayout layout = Layout(TableKind::kOverhead, {"dataset"}, "", {});
  layout.method = "Slow";
  layout.against = "Quick";
  const ResultTable table = MakeTable(ResultsView(experiment, runs), layout);
  for (const TableCell& cell : table.groups.front().rows.front().cells) EXPECT_EQ(cell.value, "not run yet");
}

TEST(RenderTable, EscapesWhatFilesSay) {
  Experiment experiment;
  experiment.methods = {"<script>alert(1)</script>"};
  ViewedRun run = MakeViewedRun(experiment.methods.front(), Settings("<b>", 1), Json());
  run.failure = "\"><img src=x>";
  TableLayout layout = Layout(TableKind::kMeans, {"method"}, "dataset", {"<i>"});
  layout.title = "</figcaption><script>";
  const std::string html = RenderTable(MakeTable(ResultsView(experiment, {run}), layout)).Html();
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(html, Not(HasSubstr("<i>")));
  EXPECT_THAT(html, HasSubstr("&lt;script&gt;alert(1)"));
}

}  // namespace
}  // namespace flaim
