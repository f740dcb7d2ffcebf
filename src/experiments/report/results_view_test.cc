#include "experiments/report/results_view.h"

#include "experiments/report/report_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::ordered_json;

class ResultsViewTest : public ::testing::Test {
 protected:
  ResultsViewTest() {
    experiment_.methods = {"Federated", "AIM"};
    experiment_.ours = {"Federated"};
    runs_.push_back(MakeViewedRun("AIM", {{"dataset", "adult"}, {"rounds", 10}, {"seed", 1}}, {{"error", 0.2}}));
    for (const double participation : {0.5, 0.1}) {
      for (const int seed : {1, 2}) {
        runs_.push_back(MakeViewedRun("Federated",
                                      {{"dataset", "credit"},
                                       {"partition", "clusters"},
                                       {"rounds", "anneal"},
                                       {"participation", participation},
                                       {"seed", seed}},
                                      {{"error", participation + seed}}));
      }
    }
  }

  ResultsView View() const { return ResultsView(experiment_, runs_); }

  Experiment experiment_;
  std::vector<ViewedRun> runs_;
};

TEST_F(ResultsViewTest, OrdersRunsByTheMethodsOfTheFile) {
  const ResultsView view = View();
  EXPECT_THAT(view.All().Values("method"), ElementsAre("Federated", "AIM"));
}

TEST_F(ResultsViewTest, SortsNumbersAndLeavesOutAbsentValues) {
  const ResultsView view = View();
  EXPECT_THAT(view.All().Values("participation"), ElementsAre(0.1, 0.5));
  EXPECT_THAT(view.All().Values("rounds"), ElementsAre(10, "anneal"));
  EXPECT_THAT(view.All().Values("beta"), IsEmpty());
}

TEST_F(ResultsViewTest, SelectsRunsThatLackASettingForAllItsValues) {
  const ResultsView view = View();
  EXPECT_EQ(view.All().Where("participation", 0.1).Size(), 2);
  EXPECT_EQ(view.All().WhereOrAbsent("participation", 0.1).Size(), 3);
  EXPECT_EQ(view.All().WhereOrAbsent("", Json()).Size(), 5);
  EXPECT_EQ(view.All().WhereAnnealed(true).Size(), 4);
}

TEST_F(ResultsViewTest, TakesWholeAndRealNumbersForTheSame) {
  const ResultsView view = View();
  EXPECT_EQ(view.All().Where("rounds", 10.0).Size(), 1);
}

TEST_F(ResultsViewTest, SummarisesOnlyFiniteNumbersOfFinishedRuns) {
  runs_[1].results = Json();
  runs_[1].failure = "out of memory";
  runs_[2].results["error"] = Json();
  const ResultsView view = View();
  const RunSelection federated = view.All().Where("method", "Federated");
  EXPECT_EQ(federated.Done(), 3);
  EXPECT_EQ(federated.Failed(), 1);
  EXPECT_EQ(federated.FirstFailure(), "out of memory");
  EXPECT_THAT(federated.Results("error"), ElementsAre(1.1, 2.1));
  EXPECT_THAT(federated.Results("no such result"), IsEmpty());
}

TEST_F(ResultsViewTest, KnowsWhatIsOursAndWhatIsCentral) {
  const ResultsView view = View();
  EXPECT_TRUE(view.IsOurs("Federated"));
  EXPECT_FALSE(view.IsOurs("AIM"));
  EXPECT_TRUE(view.IsCentral("AIM"));
  EXPECT_FALSE(view.IsCentral("Federated"));
  EXPECT_FALSE(view.IsCentral("a method without runs"));
}

TEST_F(ResultsViewTest, RemarksOnDatasetsThatNeedIt) {
  const ResultsView view = View();
  EXPECT_THAT(RemarksOf(view.All()), ElementsAre(HasSubstr("subset")));
  EXPECT_THAT(RemarksOf(view.All().Where("dataset", "adult")), IsEmpty());
}

TEST(ResultsView, JoinsPlansResultsAndCosts) {
  ExperimentResults results;
  RunSettings settings;
  settings.dataset = "adult";
  for (const int seed : {1, 2, 3}) {
    settings.seed = seed;
    AddRun(results, "AIM", settings, seed == 1 ? Json{{"error", 0.5}} : Json(), seed == 2 ? "too large" : "");
  }
  const ResultsView view(results);
  const RunSelection all = view.All();
  ASSERT_EQ(all.Size(), 3);
  EXPECT_EQ(all.Runs()[0]->Result("error"), 0.5);
  EXPECT_TRUE(all.Runs()[0]->cost.has_value());
  EXPECT_EQ(all.Runs()[1]->failure, "too large");
  EXPECT_FALSE(all.Runs()[2]->IsDone());
  EXPECT_FALSE(all.Runs()[2]->HasFailed());
  EXPECT_EQ(all.Runs()[2]->Get("seed"), 3);
}

}  // namespace
}  // namespace flaim
