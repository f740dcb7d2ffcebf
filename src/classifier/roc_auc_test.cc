#include "classifier/roc_auc.h"

#include <algorithm>
#include <cmath>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

// The definition: every positive against every negative.
double AucByPairs(const std::vector<double>& scores, const std::vector<std::uint8_t>& is_positive) {
  double won = 0;
  double pairs = 0;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    for (std::size_t b = 0; b < scores.size(); ++b) {
      if (is_positive[a] == 0 || is_positive[b] != 0) continue;
      won += scores[a] > scores[b] ? 1 : scores[a] == scores[b] ? 0.5 : 0;
      ++pairs;
    }
  }
  return won / pairs;
}

TEST(RocAuc, AgreesWithComparingAllPairs) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t rows = 2 + random.NextBelow(40);
    const std::uint64_t distinct_scores = 1 + random.NextBelow(12);  // few, so that there are ties
    std::vector<double> scores;
    std::vector<std::uint8_t> is_positive;
    for (std::size_t row = 0; row < rows; ++row) {
      scores.push_back(static_cast<double>(random.NextBelow(distinct_scores)) - 3);
      is_positive.push_back(row == 0 || (row > 1 && random.NextBelow(3) == 0));
    }
    ASSERT_NEAR(RocAuc(scores, is_positive).value(), AucByPairs(scores, is_positive), 1e-12);
  }
}

TEST(RocAuc, IsOneWhenAllPositivesComeFirstAndAHalfWhenAllAreTied) {
  const std::vector<std::uint8_t> is_positive = {0, 1, 0, 1};
  EXPECT_EQ(RocAuc(std::vector<double>{1, 3, 2, 4}, is_positive).value(), 1);
  EXPECT_EQ(RocAuc(std::vector<double>{4, 2, 3, 1}, is_positive).value(), 0);
  EXPECT_EQ(RocAuc(std::vector<double>{5, 5, 5, 5}, is_positive).value(), 0.5);
}

TEST(RocAuc, KeepsItsValueWhenScoresAreStretched) {
  SeededRandomSource random(2);
  std::vector<double> scores;
  std::vector<double> stretched;
  std::vector<std::uint8_t> is_positive;
  for (int row = 0; row < 200; ++row) {
    scores.push_back(random.NextUnit());
    stretched.push_back(std::exp(20 * scores.back()) - 7);
    is_positive.push_back(random.NextBelow(2) == 0);
  }
  EXPECT_EQ(RocAuc(scores, is_positive).value(), RocAuc(stretched, is_positive).value());
}

TEST(RocAuc, RefusesRowsOfOneClass) {
  EXPECT_THAT(std::string(RocAuc(std::vector<double>{1, 2}, std::vector<std::uint8_t>{1, 1}).status().message()),
              HasSubstr("one class only"));
  EXPECT_FALSE(RocAuc({}, {}).ok());
}

// The definition of Hand and Till, term by term.
double AucByHandAndTill(const std::vector<std::vector<double>>& scores, const std::vector<std::uint32_t>& classes) {
  const auto separates = [&](std::uint32_t wanted, std::uint32_t other) {
    std::vector<double> chosen;
    std::vector<std::uint8_t> is_wanted;
    for (std::size_t row = 0; row < classes.size(); ++row) {
      if (classes[row] != wanted && classes[row] != other) continue;
      chosen.push_back(scores[wanted][row]);
      is_wanted.push_back(classes[row] == wanted);
    }
    return AucByPairs(chosen, is_wanted);
  };
  double sum = 0;
  int pairs = 0;
  for (std::uint32_t i = 0; i < scores.size(); ++i) {
    for (std::uint32_t j = i + 1; j < scores.size(); ++j) {
      const double both = (separates(i, j) + separates(j, i)) / 2;
      if (std::isnan(both)) continue;  // one of them has no rows
      sum += both;
      ++pairs;
    }
  }
  return sum / pairs;
}

TEST(OneVersusOneAuc, AgreesWithHandAndTillAndLeavesOutClassesWithoutRows) {
  SeededRandomSource random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t classes = 2 + random.NextBelow(5);
    const std::size_t rows = 10 + random.NextBelow(30);
    std::vector<std::uint32_t> class_of_row = {0, 1};
    while (class_of_row.size() < rows) class_of_row.push_back(static_cast<std::uint32_t>(random.NextBelow(classes)));
    if (classes > 2) std::replace(class_of_row.begin(), class_of_row.end(), 2U, 0U);
    std::vector<std::vector<double>> scores(classes, std::vector<double>(rows));
    for (std::vector<double>& column : scores) {
      for (double& score : column) score = static_cast<double>(random.NextBelow(9));
    }
    ASSERT_NEAR(OneVersusOneAuc(scores, class_of_row).value(), AucByHandAndTill(scores, class_of_row), 1e-12);
  }
}

TEST(OneVersusOneAuc, OfTwoClassesWithOppositeScoresIsTheOrdinaryOne) {
  const std::vector<double> scores = {0.1, 0.4, 0.35, 0.8, 0.4};
  const std::vector<double> opposite = {-0.1, -0.4, -0.35, -0.8, -0.4};
  const double ordinary = RocAuc(scores, std::vector<std::uint8_t>{0, 0, 1, 1, 1}).value();
  EXPECT_NEAR(OneVersusOneAuc({opposite, scores}, std::vector<std::uint32_t>{0, 0, 1, 1, 1}).value(), ordinary, 1e-15);
}

TEST(OneVersusOneAuc, RefusesFewerThanTwoClasses) {
  EXPECT_FALSE(OneVersusOneAuc({{1, 2}, {1, 2}}, std::vector<std::uint32_t>{1, 1}).ok());
}

}  // namespace
}  // namespace flaim
