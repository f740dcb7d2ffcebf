#include "experiments/report/tables/paper_numbers.h"

#include "experiments/report/report_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kError = {"error"};

class PaperNumbersTest : public ::testing::Test {
 protected:
  PaperNumbersTest() {
    runs_.push_back(MakeViewedRun("AIM", {{"dataset", "adult"}, {"epsilon", 1.0}}, {}));
    runs_.push_back(MakeViewedRun("Naive", {{"dataset", "adult"}, {"epsilon", 1.0}, {"participation", 0.1}}, {}));
    runs_.push_back(MakeViewedRun("Naive", {{"dataset", "adult"}, {"epsilon", 1.0}, {"participation", 0.5}}, {}));
  }

  RunSelection Runs(std::vector<std::size_t> indices) const {
    std::vector<const ViewedRun*> chosen;
    for (const std::size_t index : indices) chosen.push_back(&runs_[index]);
    return RunSelection(std::move(chosen));
  }

  Place At(const std::string& method, std::vector<std::size_t> indices) const {
    return {{{"method", method}}, {"dataset", "adult"}, Runs(std::move(indices))};
  }

  std::vector<ViewedRun> runs_;
};

TEST_F(PaperNumbersTest, BelongWhereRowAndColumnSay) {
  const std::vector<PaperValue> paper = {{{{"method", "AIM"}, {"dataset", "adult"}}, {{"error", 0.2}}, ""}};
  EXPECT_EQ(FindPaperNumber(paper, At("AIM", {0}), kError).number, 0.2);
  EXPECT_TRUE(FindPaperNumber(paper, At("Naive", {1}), kError).IsEmpty());
  EXPECT_TRUE(FindPaperNumber(paper, At("AIM", {0}), std::vector<std::string>{"nll"}).IsEmpty());
}

TEST_F(PaperNumbersTest, CompareWhatATableDoesNotShowWithItsRuns) {
  const std::vector<PaperValue> paper = {
      {{{"method", "Naive"}, {"dataset", "adult"}, {"participation", 0.1}}, {{"error", 0.8}}, ""}};
  EXPECT_EQ(FindPaperNumber(paper, At("Naive", {1}), kError).number, 0.8);
  EXPECT_TRUE(FindPaperNumber(paper, At("Naive", {2}), kError).IsEmpty()) << "another participation";
  EXPECT_TRUE(FindPaperNumber(paper, At("Naive", {1, 2}), kError).IsEmpty()) << "runs that do not agree";
}

TEST_F(PaperNumbersTest, HoldForRunsThatLackTheSetting) {
  const std::vector<PaperValue> paper = {
      {{{"method", "AIM"}, {"dataset", "adult"}, {"participation", 0.1}}, {{"error", 0.2}}, ""}};
  EXPECT_EQ(FindPaperNumber(paper, At("AIM", {0}), kError).number, 0.2);
}

TEST_F(PaperNumbersTest, TakeWholeNumbersForReals) {
  const std::vector<PaperValue> paper = {
      {{{"method", "AIM"}, {"dataset", "adult"}, {"epsilon", std::int64_t{1}}}, {{"error", 0.2}}, ""}};
  EXPECT_EQ(FindPaperNumber(paper, At("AIM", {0}), kError).number, 0.2);
}

TEST_F(PaperNumbersTest, MustSayTheirColumnUnlessItMakesNoDifference) {
  const std::vector<PaperValue> paper = {{{{"method", "Naive"}}, {{"error", 0.8}}, ""},  //
                                         {{{"method", "AIM"}}, {{"error", 0.2}}, ""}};
  const Place varied = {{{"method", "Naive"}}, {"participation", 0.1}, Runs({1})};
  const Place same = {{{"method", "AIM"}}, {"participation", 0.1}, Runs({0})};
  EXPECT_TRUE(FindPaperNumber(paper, varied, kError).IsEmpty());
  EXPECT_EQ(FindPaperNumber(paper, same, kError).number, 0.2);
}

TEST_F(PaperNumbersTest, PreferTheValueThatSaysMost) {
  const std::vector<PaperValue> paper = {
      {{{"dataset", "adult"}}, {{"error", 0.1}}, ""},
      {{{"dataset", "adult"}, {"method", "AIM"}}, {{"error", 0.2}}, ""},
  };
  EXPECT_EQ(FindPaperNumber(paper, At("AIM", {0}), kError).number, 0.2);
  EXPECT_EQ(FindPaperNumber(paper, At("Naive", {1}), kError).number, 0.1);
}

TEST_F(PaperNumbersTest, MayBeTexts) {
  const std::vector<PaperValue> paper = {{{{"dataset", "adult"}}, {}, "1300× (80 / 0.06)"}};
  EXPECT_EQ(FindPaperNumber(paper, At("AIM", {0}), kError).text, "1300× (80 / 0.06)");
}

TEST_F(PaperNumbersTest, GiveRowsThatTheRunsDoNotHave) {
  const std::vector<PaperValue> paper = {
      {{{"method", "CTGAN"}, {"dataset", "adult"}}, {{"error", 1.2}}, ""},
      {{{"method", "CTGAN"}, {"dataset", "adult"}, {"epsilon", 5.0}}, {{"error", 1.0}}, ""},
      {{{"method", "Elsewhere"}, {"dataset", "magic"}}, {{"error", 1.2}}, ""},
      {{{"method", "AIM"}, {"dataset", "adult"}}, {{"error", 0.2}}, ""},
      {{{"method", "Timed"}, {"dataset", "adult"}}, {{"seconds", 3}}, ""},
  };
  const std::vector<std::string> keys = {"method"};
  const std::vector<std::vector<KeyValue>> known = {{"AIM"}, {"Naive"}};
  EXPECT_THAT(RowsOnlyInPaper(paper, Runs({0, 1, 2}), keys, "dataset", kError, known),
              ElementsAre(ElementsAre(KeyValue("CTGAN"))));
}

}  // namespace
}  // namespace flaim
