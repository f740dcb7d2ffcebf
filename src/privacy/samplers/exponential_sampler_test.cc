#include "privacy/samplers/exponential_sampler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"

namespace flaim {
namespace {

using Scores = std::vector<std::int64_t>;

// log p(q), from the definition.
std::vector<long double> LogProbabilities(const Scores& scores, const Rational& epsilon, std::int64_t sensitivity) {
  const long double rate = static_cast<long double>(epsilon.numerator()) /
                           static_cast<long double>(epsilon.denominator()) / 2 / static_cast<long double>(sensitivity);
  const auto best = static_cast<long double>(*std::max_element(scores.begin(), scores.end()));
  long double total = 0;
  for (const std::int64_t score : scores) total += std::exp(rate * (static_cast<long double>(score) - best));
  std::vector<long double> logs;
  for (const std::int64_t score : scores) {
    logs.push_back(rate * (static_cast<long double>(score) - best) - std::log(total));
  }
  return logs;
}

double PValue(const Scores& scores, const Rational& epsilon, std::int64_t sensitivity, std::int64_t draws,
              RandomSource& random) {
  Probabilities probabilities;
  std::int64_t index = 0;
  for (const long double log : LogProbabilities(scores, epsilon, sensitivity)) probabilities[index++] = std::exp(log);
  const Counts counts = CountDraws(draws, [&] { return SampleExponential(scores, epsilon, sensitivity, random); });
  return ChiSquaredPValue(counts, probabilities);
}

// A dataset over two binary attributes: how many rows have each of the four values.
using Dataset = std::array<std::int64_t, 4>;

std::vector<Dataset> AllDatasetsOfAtMost(std::int64_t rows) {
  std::vector<Dataset> datasets;
  for (std::int64_t a = 0; a <= rows; ++a) {
    for (std::int64_t b = 0; a + b <= rows; ++b) {
      for (std::int64_t c = 0; a + b + c <= rows; ++c) {
        for (std::int64_t d = 0; a + b + c + d <= rows; ++d) datasets.push_back({a, b, c, d});
      }
    }
  }
  return datasets;
}

std::vector<Dataset> LargerNeighbours(const Dataset& dataset) {
  std::vector<Dataset> neighbours(dataset.size(), dataset);
  for (std::size_t value = 0; value < dataset.size(); ++value) ++neighbours[value][value];
  return neighbours;
}

// One score function per kind of use, each with the most that one row moves it.
struct ScoreFunction {
  Scores (*scores)(const Dataset&);
  std::int64_t sensitivity;
};

Scores CountScores(const Dataset& dataset) { return {dataset.begin(), dataset.end()}; }

// How far a fixed public model is from each marginal, with weights 3, 2 and 1: first attribute, second, both.
Scores DistanceScores(const Dataset& dataset) {
  constexpr Dataset kModel{1, 0, 2, 0};
  Dataset difference;
  for (std::size_t i = 0; i < dataset.size(); ++i) difference[i] = dataset[i] - kModel[i];
  const auto& [a, b, c, d] = difference;
  return {3 * (std::abs(a + b) + std::abs(c + d)), 2 * (std::abs(a + c) + std::abs(b + d)),
          std::abs(a) + std::abs(b) + std::abs(c) + std::abs(d)};
}

// Scores that a row can move both ways at once, so that the bound is attained.
Scores OpposedScores(const Dataset& dataset) {
  return {dataset[0] + dataset[1] - dataset[2] - dataset[3], dataset[2] + dataset[3] - dataset[0] - dataset[1], 0};
}

constexpr ScoreFunction kScoreFunctions[] = {{CountScores, 1}, {DistanceScores, 3}, {OpposedScores, 1}};

// max over q minus min over q of log p(q|D) / p(q|D').
long double LogRatioRange(const std::vector<long double>& left, const std::vector<long double>& right) {
  long double largest = left[0] - right[0];
  long double smallest = largest;
  for (std::size_t q = 1; q < left.size(); ++q) {
    largest = std::max(largest, left[q] - right[q]);
    smallest = std::min(smallest, left[q] - right[q]);
  }
  return largest - smallest;
}

TEST(ExponentialMechanism, HasABoundedRangeOfEpsilonOverAllNeighbours) {
  for (const Rational& epsilon : {Rational(1, 10), Rational(1, 1), Rational(7, 3)}) {
    long double widest = 0;
    for (const auto& [score, sensitivity] : kScoreFunctions) {
      for (const Dataset& dataset : AllDatasetsOfAtMost(3)) {
        const std::vector<long double> here = LogProbabilities(score(dataset), epsilon, sensitivity);
        for (const Dataset& neighbour : LargerNeighbours(dataset)) {
          const std::vector<long double> there = LogProbabilities(score(neighbour), epsilon, sensitivity);
          const long double range = LogRatioRange(here, there);
          ASSERT_LE(range, static_cast<long double>(epsilon.ToDouble()) * (1 + 1e-12L));
          widest = std::max(widest, range);
        }
      }
    }
    EXPECT_GE(widest, static_cast<long double>(epsilon.ToDouble()) * 0.99L);
  }
}

TEST(SampleExponential, MatchesTheExactProbabilitiesOnEverySmallDataset) {
  SeededRandomSource random(1);
  for (const auto& [score, sensitivity] : kScoreFunctions) {
    for (const Dataset& dataset : AllDatasetsOfAtMost(3)) {
      ASSERT_GT(PValue(score(dataset), Rational(3, 2), sensitivity, 4'000, random), kTestAlpha);
    }
  }
}

TEST(SampleExponential, MatchesTheExactProbabilitiesWithManyDraws) {
  SeededRandomSource random(2);
  EXPECT_GT(PValue({5, 3, 0, -4, 5}, Rational(10, 7), 2, 500'000, random), kTestAlpha);
}

TEST(SampleExponential, IsUniformAtEpsilonZero) {
  SeededRandomSource random(3);
  EXPECT_GT(PValue({1'000'000, 0, -7}, Rational(0, 1), 1, 100'000, random), kTestAlpha);
}

TEST(SampleExponential, UsesTheWholeRangeOfScoresAndSensitivities) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  SeededRandomSource random(4);
  EXPECT_GT(PValue({kLowest, 0, kHighest}, Rational(1, 1), kHighest, 100'000, random), kTestAlpha);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(SampleExponential(Scores{kLowest, kHighest, 0}, Rational(1, 1000), 1, random), 1U);
  }
}

TEST(SampleExponential, FindsTheLeadersAmongManyHopelessCandidates) {
  Scores scores(20'000, -(std::int64_t{1} << 62));
  scores[77] = 1;
  scores[19'999] = 1;
  SeededRandomSource random(5);
  const Counts counts = CountDraws(500, [&] { return SampleExponential(scores, Rational(1, 1), 1, random); });
  EXPECT_GT(ChiSquaredPValue(counts, {{77, 0.5L}, {19'999, 0.5L}}), kTestAlpha);
  EXPECT_EQ(counts.size(), 2U);
}

TEST(SampleExponential, TakesTheOnlyCandidate) {
  SeededRandomSource random(6);
  EXPECT_EQ(SampleExponential(Scores{-3}, Rational(1, 1), 1, random), 0U);
}

TEST(SampleExponentialDeathTest, StopsWithoutCandidatesOrSensitivity) {
  SeededRandomSource random(7);
  EXPECT_DEATH(SampleExponential(Scores{}, Rational(1, 1), 1, random), "no candidates");
  EXPECT_DEATH(SampleExponential(Scores{1}, Rational(1, 1), 0, random), "sensitivity");
}

}  // namespace
}  // namespace flaim
