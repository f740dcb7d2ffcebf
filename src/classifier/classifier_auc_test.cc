#include "classifier/classifier_auc.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

constexpr ClassifierOptions kSmall{.trees = 10, .depth = 3};
constexpr AttributeIndex kLabel = 1;

Domain DomainWithClasses(std::int64_t classes) {
  return Domain::Create({{"one", 10}, {"label", classes}, {"other", 10}}).value();
}

// The class follows the sum of the two features, but for one row in `noise`.
Table Rows(std::uint64_t seed, std::size_t rows, std::uint32_t classes, std::uint64_t noise,
           std::uint32_t first_class = 0) {
  SeededRandomSource random(seed);
  TableBuilder builder(DomainWithClasses(classes));
  for (std::size_t row = 0; row < rows; ++row) {
    const auto a = static_cast<std::uint32_t>(random.NextBelow(10));
    const auto b = static_cast<std::uint32_t>(random.NextBelow(10));
    std::uint32_t found = (a + b) * classes / 19;
    if (random.NextBelow(noise) == 0) found = static_cast<std::uint32_t>(random.NextBelow(classes));
    builder.AddRow(std::vector<std::uint32_t>{a, std::max(found, first_class), b});
  }
  return std::move(builder).Build();
}

TEST(ClassifierAuc, IsHighWhereTheLabelFollowsAndAHalfWhereItDoesNot) {
  EXPECT_GT(ScoreClassifier(Rows(1, 2'000, 2, 1'000'000), Rows(2, 1'000, 2, 1'000'000), kLabel)->auc, 0.999);
  // A label that is a coin: the area of 2,000 test rows has a standard deviation of 0.013; 6.2 of them, alpha = 6e-10.
  EXPECT_NEAR(ScoreClassifier(Rows(1, 2'000, 2, 1), Rows(2, 2'000, 2, 1), kLabel)->auc, 0.5, 0.081);
}

TEST(ClassifierAuc, ScoresSeveralClassesOneAgainstOne) {
  const ClassifierScore score = ScoreClassifier(Rows(1, 3'000, 4, 10), Rows(2, 2'000, 4, 1'000'000), kLabel).value();
  EXPECT_GT(score.auc, 0.99);
  EXPECT_EQ(score.tested_classes, 4);
  EXPECT_EQ(score.untrained_classes, 0);
}

TEST(ClassifierAuc, IsAHalfByDefinitionWhenTheTrainingRowsHaveOneClass) {
  const ClassifierScore score = ScoreClassifier(Rows(1, 100, 2, 10, 1), Rows(2, 100, 2, 10), kLabel, kSmall).value();
  EXPECT_EQ(score.auc, 0.5);
  EXPECT_EQ(score.untrained_classes, 1);
}

TEST(ClassifierAuc, CountsClassesThatWereNotTrainedAndLeavesOutThoseNotTested) {
  const Table without_first = Rows(1, 2'000, 4, 1'000'000, 1);
  const Table with_all = Rows(2, 2'000, 4, 1'000'000);
  const ClassifierScore untrained = ScoreClassifier(without_first, with_all, kLabel, kSmall).value();
  EXPECT_EQ(untrained.tested_classes, 4);
  EXPECT_EQ(untrained.untrained_classes, 1);
  // Of the six pairs, three know both classes; in the others one score says nothing, and rows of the class that was not
  // trained look like its neighbour.
  EXPECT_GT(untrained.auc, 0.7);
  EXPECT_LT(untrained.auc, 0.95);
  const ClassifierScore untested = ScoreClassifier(with_all, without_first, kLabel, kSmall).value();
  EXPECT_EQ(untested.tested_classes, 3);
  EXPECT_EQ(untested.untrained_classes, 0);
  EXPECT_GT(untested.auc, 0.98);
}

TEST(ClassifierAuc, RefusesWhatCannotBeScored) {
  const Table rows = Rows(1, 50, 2, 10);
  const auto refusal = [](const absl::StatusOr<ClassifierScore>& score) {
    EXPECT_TRUE(absl::IsInvalidArgument(score.status()));
    return std::string(score.status().message());
  };
  EXPECT_THAT(refusal(ScoreClassifier(rows, Rows(2, 50, 2, 10, 1), kLabel)), HasSubstr("fewer than two classes"));
  EXPECT_THAT(refusal(ScoreClassifier(Rows(1, 0, 2, 10), rows, kLabel)), HasSubstr("no rows to train"));
  EXPECT_THAT(refusal(ScoreClassifier(Rows(1, 50, 3, 10), rows, kLabel)), HasSubstr("different columns"));
  TableBuilder builder(Domain::Create({{"label", 2}}).value());
  for (const std::uint32_t value : {0U, 1U}) builder.AddRow(std::vector<std::uint32_t>{value});
  const Table alone = std::move(builder).Build();
  EXPECT_THAT(refusal(ScoreClassifier(alone, alone, 0)), HasSubstr("beside the label"));
}

TEST(ClassifierAuc, RepeatsItselfInOneThreadAndInSeveral) {
  const Table train = Rows(1, 1'000, 3, 3);
  const Table test = Rows(2, 500, 3, 3);
  const double expected = ScoreClassifier(train, test, kLabel, kSmall)->auc;
  EXPECT_EQ(ClassifierAuc(train, test, kLabel, kSmall).value(), expected);
  std::vector<double> found(4);
  std::vector<std::thread> threads;
  for (double& auc : found) {
    threads.emplace_back([&] { auc = ScoreClassifier(train, test, kLabel, kSmall)->auc; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(found, testing::Each(expected));
}

TEST(ClassifierAuc, PrintsNothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_TRUE(ScoreClassifier(Rows(1, 200, 3, 3), Rows(2, 200, 3, 3), kLabel, kSmall).ok());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ClassifierAuc, TurnsErrorsOfTheLibraryIntoStatus) {
  const absl::StatusOr<ClassifierScore> score =
      ScoreClassifier(Rows(1, 200, 2, 3), Rows(2, 200, 2, 3), kLabel, {.trees = 1, .depth = -1});
  EXPECT_THAT(std::string(score.status().message()), HasSubstr("XGBoost"));
}

}  // namespace
}  // namespace flaim
