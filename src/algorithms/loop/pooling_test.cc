#include "algorithms/loop/pooling.h"

#include <cmath>
#include <numeric>

#include "algorithms/loop/sample_testing.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

const Clique kClique({0});

// Groups of these rows that measured one marginal with noise of this variance, and make up this much of a population.
struct Survey {
  std::vector<double> rows;
  double noise_variance = 1;
  double population = 1;

  std::size_t size() const { return rows.size(); }
  double Seen() const { return std::accumulate(rows.begin(), rows.end(), 0.0) / population; }
};

// What the groups of a survey say, and the counts behind it.
class Answers {
 public:
  // `shares` of a group are what is measured of it, noise and all.
  Answers(const Survey& survey, const std::vector<std::vector<double>>& shares) {
    for (std::size_t group = 0; group < survey.size(); ++group) {
      std::vector<double> counts = shares[group];
      for (double& count : counts) count *= survey.rows[group];
      measured_.push_back({kClique, counts, survey.noise_variance});
    }
    for (std::size_t group = 0; group < survey.size(); ++group) {
      groups_.push_back({&measured_[group], survey.rows[group], survey.rows[group] / survey.population});
    }
  }

  const Groups& groups() const { return groups_; }

 private:
  std::vector<Measurement> measured_;
  Groups groups_;
};

// Shares of each group, which differ by a normal variance of `between` in each cell, plus the noise of a measurement.
std::vector<std::vector<double>> SimulateShares(const Survey& survey, const std::vector<double>& mean,
                                                const std::vector<double>& between, RandomSource& random) {
  std::vector<std::vector<double>> shares;
  for (const double rows : survey.rows) {
    std::vector<double>& own = shares.emplace_back();
    for (std::size_t cell = 0; cell < mean.size(); ++cell) {
      own.push_back(mean[cell] + std::sqrt(between[cell]) * NextNormal(random) +
                    std::sqrt(survey.noise_variance) / rows * NextNormal(random));
    }
  }
  return shares;
}

const Survey kUnequal = {.rows = {200, 500, 1000, 2000, 4000, 8000}, .noise_variance = 900, .population = 20000};
const std::vector<double> kMean = {0.1, 0.2, 0.3, 0.4};

// Whatever their sizes, and whether a cell differs more than another. The differences are so large that the estimate is
// hardly ever cut off at 0.
TEST(VarianceBetween, IsRightOnAverage) {
  const std::vector<double> between = {0.01, 0.02, 0.03, 0.04};
  SeededRandomSource random(1, "between groups");
  Sample estimates;
  for (int run = 0; run < 60'000; ++run) {
    estimates.Add(VarianceBetween(Answers(kUnequal, SimulateShares(kUnequal, kMean, between, random)).groups()));
  }
  ExpectMean(estimates, 0.1, 0.003);
}

// (6 - 1) groups of 4 cells: 20 degrees of freedom, and 0 whenever their squares are less than expected.
TEST(VarianceBetween, IsZeroAsOftenAsNoiseIsBelowItsMean) {
  SeededRandomSource random(2, "between groups");
  Sample is_zero;
  Sample estimates;
  for (int run = 0; run < 40'000; ++run) {
    const double estimate =
        VarianceBetween(Answers(kUnequal, SimulateShares(kUnequal, kMean, {0, 0, 0, 0}, random)).groups());
    ASSERT_GE(estimate, 0);
    is_zero.Add(estimate == 0 ? 1 : 0);
    estimates.Add(estimate);
  }
  ExpectMean(is_zero, 1 - ChiSquaredTail(10, 20), 0.03);
  double precision = 0;
  double squared_precision = 0;
  for (const double rows : kUnequal.rows) {
    precision += rows * rows / 900;
    squared_precision += std::pow(rows * rows / 900, 2);
  }
  const double mean = 20 * ChiSquaredTail(11, 20) - 20 * ChiSquaredTail(10, 20);  // of what exceeds 20
  ExpectMean(estimates, mean / (precision - squared_precision / precision), 0.1 * estimates.mean());
}

// For two groups of the same noise v: sum over the cells of d^2 / 2 - v.
TEST(VarianceBetween, OfTwoGroupsIsHalfTheirSquaredDifferenceBeyondNoise) {
  const Survey survey = {.rows = {100, 100}, .noise_variance = 4, .population = 200};
  const std::vector<std::vector<double>> shares = {{0.1, 0.6, 0.3}, {0.4, 0.1, 0.5}};
  const double squares = (0.09 + 0.25 + 0.04) / 2;
  EXPECT_NEAR(VarianceBetween(Answers(survey, shares).groups()), squares - 3 * 0.0004, 1e-12);
}

TEST(VarianceBetween, IsNothingForOneGroupOrForGroupsThatAgree) {
  EXPECT_EQ(VarianceBetween(Answers({{50}, 100, 50}, {{0.9, 0.1}}).groups()), 0);
  EXPECT_EQ(VarianceBetween(Answers({{50, 70}, 100, 120}, {{0.9, 0.1}, {0.9, 0.1}}).groups()), 0);
}

// A group of three rows, under noise that is larger: whatever it says is no difference.
TEST(VarianceBetween, HardlyMindsAGroupThatIsAllNoise) {
  SeededRandomSource random(3, "between groups");
  Survey survey = kUnequal;
  std::vector<std::vector<double>> shares = SimulateShares(survey, kMean, {0.01, 0.01, 0.01, 0.01}, random);
  const double without = VarianceBetween(Answers(survey, shares).groups());
  survey.rows.push_back(3);
  shares.push_back({12, -9, 10, -11});
  EXPECT_NEAR(VarianceBetween(Answers(survey, shares).groups()), without, 0.01 * without);
}

// The variance that weights leave, by its definition: what was measured, the differences of these groups, and those of
// groups that did not measure, which are taken to be as large as these.
double VarianceLeft(const Survey& survey, double between, const std::vector<double>& weights) {
  double variance = 0;
  for (std::size_t group = 0; group < survey.size(); ++group) {
    const double share = survey.rows[group] / survey.population;
    const double noise = survey.noise_variance / survey.rows[group] / survey.rows[group];
    variance += weights[group] * weights[group] * noise + between * (weights[group] - share) * (weights[group] - share);
  }
  const double size_of_others = survey.Seen() / static_cast<double>(survey.size());
  const double others = (1 - survey.Seen()) / size_of_others;
  return variance + between * others * size_of_others * size_of_others;
}

// Which weights Pool gives: each group is alone in a cell of its own, with all of its rows.
std::vector<double> WeightsOfPool(const Survey& survey, double between) {
  std::vector<std::vector<double>> shares(survey.size(), std::vector<double>(survey.size(), 0));
  for (std::size_t group = 0; group < survey.size(); ++group) shares[group][group] = 1;
  return Pool(kClique, Answers(survey, shares).groups(), between, 1).values;
}

// Solves A x = b by elimination with pivots.
std::vector<double> Solve(std::vector<std::vector<double>> matrix, std::vector<double> right) {
  const std::size_t size = right.size();
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < size; ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    }
    std::swap(matrix[column], matrix[pivot]);
    std::swap(right[column], right[pivot]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == column) continue;
      const double factor = matrix[row][column] / matrix[column][column];
      for (std::size_t i = column; i < size; ++i) matrix[row][i] -= factor * matrix[column][i];
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t row = 0; row < size; ++row) right[row] /= matrix[row][row];
  return right;
}

// Lagrange's conditions for the least variance of weights that add up to 1, as one system of equations: the gradient of
// VarianceLeft, measured from 0 and from the unit weights, is the same for all weights.
std::vector<double> WeightsOfLagrange(const Survey& survey, double between) {
  const std::size_t groups = survey.size();
  std::vector<std::vector<double>> matrix(groups + 1, std::vector<double>(groups + 1, 0));
  std::vector<double> right(groups + 1, 0);
  const std::vector<double> nothing(groups, 0);
  const auto gradient = [&](std::vector<double> at, std::size_t direction) {  // exact for a quadratic
    at[direction] += 1;
    const double above = VarianceLeft(survey, between, at);
    at[direction] -= 2;
    return (above - VarianceLeft(survey, between, at)) / 2;
  };
  for (std::size_t row = 0; row < groups; ++row) {
    right[row] = -gradient(nothing, row);
    for (std::size_t column = 0; column < groups; ++column) {
      std::vector<double> unit = nothing;
      unit[column] = 1;
      matrix[row][column] = gradient(unit, row) + right[row];
    }
    matrix[row][groups] = 1;
    matrix[groups][row] = 1;
  }
  right[groups] = 1;
  std::vector<double> weights = Solve(matrix, right);
  weights.pop_back();
  return weights;
}

Survey RandomSurvey(RandomSource& random) {
  Survey survey;
  const std::size_t groups = 2 + random.NextBelow(5);
  for (std::size_t group = 0; group < groups; ++group) survey.rows.push_back(50 * std::exp(4 * random.NextUnit()));
  survey.noise_variance = 400 * std::exp(6 * random.NextUnit());
  survey.population = std::accumulate(survey.rows.begin(), survey.rows.end(), 0.0) * (1 + 3 * random.NextUnit());
  return survey;
}

TEST(Pool, HasTheWeightsThatSolveLagrangesEquations) {
  SeededRandomSource random(4, "pooling");
  for (int run = 0; run < 200; ++run) {
    const Survey survey = RandomSurvey(random);
    const double between = run % 10 == 0 ? 0 : 0.1 * std::exp(-10 * random.NextUnit());
    const std::vector<double> weights = WeightsOfPool(survey, between);
    EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1, 1e-9);
    EXPECT_THAT(weights, Pointwise(DoubleNear(1e-6), WeightsOfLagrange(survey, between)));
  }
}

TEST(Pool, SaysTheVarianceItLeavesAndNoOtherWeightsLeaveLess) {
  SeededRandomSource random(5, "pooling");
  for (int run = 0; run < 200; ++run) {
    const Survey survey = RandomSurvey(random);
    const double between = 0.1 * std::exp(-10 * random.NextUnit());
    const std::vector<double> weights = WeightsOfPool(survey, between);
    const double least = VarianceLeft(survey, between, weights);
    const Answers answers(survey, std::vector<std::vector<double>>(survey.size(), {0.5, 0.5}));
    EXPECT_NEAR(Pool(kClique, answers.groups(), between, 1000).variance, 1e6 * least, 1e6 * least * 1e-9);
    for (int other = 0; other < 20; ++other) {
      std::vector<double> moved = weights;
      const double move = 0.2 * random.NextUnit() - 0.1;
      const std::size_t from = random.NextBelow(survey.size());
      moved[from] -= move;
      moved[(from + 1) % survey.size()] += move;
      EXPECT_GT(VarianceLeft(survey, between, moved), least);
    }
  }
}

TEST(Pool, OfGroupsThatDoNotDifferIsTheInverseVarianceMean) {
  double precision = 0;
  for (const double rows : kUnequal.rows) precision += rows * rows / 900;
  std::vector<double> expected;
  for (const double rows : kUnequal.rows) expected.push_back(rows * rows / 900 / precision);
  EXPECT_THAT(WeightsOfPool(kUnequal, 0), Pointwise(DoubleNear(1e-12), expected));
  const Answers answers(kUnequal, std::vector<std::vector<double>>(6, kMean));
  const Measurement pooled = Pool(kClique, answers.groups(), 0, 20000);
  EXPECT_NEAR(pooled.variance, 20000.0 * 20000 / precision, 1e-6 * pooled.variance);
  EXPECT_THAT(pooled.values, Pointwise(DoubleNear(1e-6), std::vector<double>{2000, 4000, 6000, 8000}));
}

// All groups of the population, and noise that is nothing beside their differences.
TEST(Pool, OfGroupsThatDifferMuchCountsEachRowTheSame) {
  Survey survey = kUnequal;
  survey.population = std::accumulate(survey.rows.begin(), survey.rows.end(), 0.0);
  std::vector<double> expected;
  for (const double rows : survey.rows) expected.push_back(rows / survey.population);
  EXPECT_THAT(WeightsOfPool(survey, 1e6), Pointwise(DoubleNear(1e-6), expected));
}

// Noise, and what the rest may differ by: v + h (1 - f)^2 + h f (1 - f) = v + h (1 - f).
TEST(Pool, OfOneGroupIsThatGroupWithRoomForTheRest) {
  const Survey survey = {.rows = {250}, .noise_variance = 100, .population = 1000};
  const Measurement pooled = Pool(kClique, Answers(survey, {{0.25, 0.75}}).groups(), 0.02, 1000);
  EXPECT_EQ(pooled.clique, kClique);
  EXPECT_THAT(pooled.values, Pointwise(DoubleNear(1e-9), std::vector<double>{250, 750}));
  EXPECT_NEAR(pooled.variance, 1e6 * (100.0 / 250 / 250 + 0.02 * 0.75), 1e-6);
}

// Four groups of eight measured; the others are as large as these on average. Were a term of the variance missing, or
// counted twice, the squared errors would not be what it says.
TEST(Pool, ErrsByAsMuchAsItSays) {
  const Survey survey = {.rows = {100, 300, 500, 700}, .noise_variance = 900, .population = 3200};
  SeededRandomSource random(6, "pooling");
  for (const double between : {0.0, 0.001, 0.01, 0.3}) {
    Sample errors;
    Sample squares;
    Sample covered;
    for (int run = 0; run < 40'000; ++run) {
      std::vector<std::vector<double>> shares;
      double truth = 0;
      for (const double rows : survey.rows) {
        const double own = 0.5 + std::sqrt(between) * NextNormal(random);
        truth += rows * own;
        shares.push_back({own + 30 / rows * NextNormal(random)});
      }
      for (int other = 0; other < 4; ++other) truth += 400 * (0.5 + std::sqrt(between) * NextNormal(random));
      const Measurement pooled = Pool(kClique, Answers(survey, shares).groups(), between, 3200);
      const double error = (pooled.values[0] - truth) / std::sqrt(pooled.variance);
      errors.Add(error);
      squares.Add(error * error);
      covered.Add(std::abs(error) < 1.959964 ? 1 : 0);
    }
    ExpectMean(errors, 0, 0.06);
    ExpectMean(squares, 1, 0.08);
    ExpectMean(covered, 0.95, 0.02);
  }
}

}  // namespace
}  // namespace flaim
