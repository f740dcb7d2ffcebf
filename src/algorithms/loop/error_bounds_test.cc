#include "algorithms/loop/error_bounds.h"

#include <cmath>
#include <numbers>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "marginal/score.h"
#include "marginal/sensitivity.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/exponential_sampler.h"

namespace flaim {
namespace {

// Last rounds that are made so that the bounds of what was not measured have no room to spare: each statement is tried
// where it is tight, and would fail without the term that it is about.

constexpr std::int64_t kRows = 1 << 20;
constexpr int kRuns = 2000;
constexpr double kConfidence = 0.9;
constexpr double kAlpha = 1e-6;

// One attribute of the table, and how far the uniform model is from it, in records.
struct Candidate {
  std::int64_t cells = 2;
  std::int64_t weight = 1;
  std::int64_t error = 0;
};

struct Round {
  std::vector<Candidate> candidates;
  Rational epsilon{1, 1};
  std::int64_t sigma = 1;

  double PenaltyPerCell() const { return std::sqrt(2 / std::numbers::pi) * static_cast<double>(sigma); }
  // In units of a weighted record: 2 * largest weight / epsilon.
  double ScoreNoise() const {
    std::int64_t largest = 0;
    for (const Candidate& candidate : candidates) largest = std::max(largest, candidate.weight);
    return 2.0 * static_cast<double>(largest) / epsilon.ToDouble();
  }
};

Domain DomainOf(const Round& round) {
  std::vector<Attribute> attributes;
  for (std::size_t i = 0; i < round.candidates.size(); ++i) {
    attributes.push_back({fmt::format("c{}", i), round.candidates[i].cells});
  }
  return Domain::Create(attributes).value();
}

std::vector<std::int64_t> CountsOf(const Candidate& candidate) {
  std::vector<std::int64_t> counts(candidate.cells, kRows / candidate.cells);
  counts[0] += candidate.error / 2;
  counts[1] -= candidate.error / 2;
  return counts;
}

std::size_t SelectedIn(const Round& round, RandomSource& random) {
  std::vector<std::int64_t> scores;
  std::vector<std::int64_t> weights;
  for (const Candidate& candidate : round.candidates) {
    const std::vector<double> expected(candidate.cells,
                                       static_cast<double>(kRows) / static_cast<double>(candidate.cells));
    const ScaledDistance error = Distance({CountsOf(candidate), expected}).value();
    scores.push_back(
        Score({candidate.weight, round.PenaltyPerCell() * static_cast<double>(candidate.cells)}, error).value());
    weights.push_back(candidate.weight);
  }
  return SampleExponential(scores, round.epsilon, ScoreSensitivity(weights).value(), random);
}

// How often the bound of the first candidate is below its error.
int Violations(const Round& round) {
  Parallel parallel(1);
  const Model model = Model::Create(DomainOf(round), {}, {}, kRows, 1 << 20, parallel).value();
  std::vector<WeightedQuery> queries;
  LastRound last;
  for (std::size_t i = 0; i < round.candidates.size(); ++i) {
    queries.push_back({Clique({static_cast<AttributeIndex>(i)}), round.candidates[i].weight});
    last.affordable.push_back(i);
  }
  last.sigma = static_cast<double>(round.sigma);
  last.penalty_records_per_cell = round.PenaltyPerCell();
  last.score_noise_records = round.ScoreNoise();
  last.before = &model;
  const DiscreteGaussian gaussian(Rational(round.sigma * round.sigma, 1));
  SeededRandomSource random(round.candidates.size(), "last rounds");
  int violations = 0;
  for (int run = 0; run < kRuns; ++run) {
    last.selected = SelectedIn(round, random);
    std::vector<std::int64_t> noisy = CountsOf(round.candidates[last.selected]);
    gaussian.Add(random, noisy);
    last.noisy.assign(noisy.begin(), noisy.end());
    const std::vector<ErrorBound> bounds = BoundErrors(queries, model, {}, last, kConfidence, parallel).value();
    violations += bounds.front().distance_records < static_cast<double>(round.candidates.front().error);
  }
  return violations;
}

// The least number of violations that would be too many at kAlpha, for a probability of 1 - confidence in each run.
int TooMany() {
  double tail = 0;
  for (int k = kRuns; k > 0; --k) {
    tail += std::exp(std::lgamma(kRuns + 1) - std::lgamma(k + 1) - std::lgamma(kRuns - k + 1) +
                     k * std::log(1 - kConfidence) + (kRuns - k) * std::log(kConfidence));
    if (tail > kAlpha) return k + 1;
  }
  return 1;
}

// The first candidate is the worst, and many are better by so much that each is hardly ever selected, but one of them
// often is.
TEST(LastRoundBounds, HoldWhenABetterCandidateIsSelectedByChance) {
  int violated = 0;
  for (double gap = 0; gap <= 8; gap += 1) {
    Round round{std::vector<Candidate>(20, {.cells = 2, .weight = 3}), Rational(1, 20), 1};
    round.candidates.front() = {.cells = 2, .weight = 2, .error = 10'000};
    const double worst_score = 2 * (10'000 - 2 * round.PenaltyPerCell());
    const double error = (worst_score - gap * round.ScoreNoise()) / 3 + 2 * round.PenaltyPerCell();
    for (std::size_t i = 1; i < round.candidates.size(); ++i) {
      round.candidates[i].error = 2 * static_cast<std::int64_t>(error / 2);
    }
    const int violations = Violations(round);
    EXPECT_LT(violations, TooMany()) << "gap " << gap;
    violated += violations;
  }
  EXPECT_GT(violated, 20) << "the bounds are nowhere tight, so this tests little";
}

TEST(LastRoundBounds, HoldWhenNoiseHidesAPartOfTheSelectedError) {
  for (const std::int64_t cells : {2, 8, 64}) {
    EXPECT_LT(Violations({{{.cells = cells, .weight = 1, .error = 1600}}, Rational(1, 1), 100}), TooMany());
  }
}

TEST(LastRoundBounds, HoldForAMarginalWithManyMoreCellsThanTheSelectedOne) {
  Round round{{{.cells = 64, .weight = 1}, {.cells = 2, .weight = 1, .error = 5000}}, Rational(10, 1), 20};
  const double penalty_difference = (64 - 2) * round.PenaltyPerCell();
  round.candidates.front().error = 2 * static_cast<std::int64_t>((5000 + penalty_difference) / 2 - 10);
  EXPECT_LT(Violations(round), TooMany());
}

TEST(ErrorBounds, TakeTheBestOfSeveralMeasurements) {
  const Domain domain = Domain::Create({{"a", 2}, {"b", 2}}).value();
  Parallel parallel(1);
  const Model model = Model::Create(domain, {}, {}, 100, 1 << 20, parallel).value();
  const std::vector<WeightedQuery> candidates = {{Clique({0}), 1}, {Clique({1}), 1}};
  LastRound last{{0, 1}, 0, {50, 50}, 1, 0, 1, &model};
  const Measurement coarse{Clique({0, 1}), {25, 25, 25, 25}, 100};
  const Measurement fine{Clique({0}), {50, 50}, 1};
  const auto bound_of_a = [&](const std::vector<Measurement>& measurements) {
    const ErrorBound bound = BoundErrors(candidates, model, measurements, last, 0.95, parallel).value().front();
    CHECK(bound.is_measured);
    return bound.distance_records;
  };
  EXPECT_LT(bound_of_a({fine}), bound_of_a({coarse}));
  EXPECT_LT(bound_of_a({coarse, fine}), bound_of_a({coarse}));
  EXPECT_GT(bound_of_a({coarse, fine}), bound_of_a({fine})) << "the second may take less of the risk";
}

TEST(ErrorBounds, LeaveOutWhatWasNeitherMeasuredNorSelectable) {
  const Domain domain = Domain::Create({{"a", 2}, {"b", 2}, {"c", 2}}).value();
  Parallel parallel(1);
  const Model model = Model::Create(domain, {}, {}, 100, 1 << 20, parallel).value();
  const std::vector<WeightedQuery> candidates = {{Clique({0}), 1}, {Clique({1}), 1}, {Clique({0, 2}), 1}};
  LastRound last{{0, 2}, 0, {50, 50}, 1, 0, 1, &model};
  const std::vector<ErrorBound> bounds =
      BoundErrors(candidates, model, std::vector<Measurement>{{Clique({0}), {50, 50}, 1}}, last, 0.95, parallel)
          .value();
  ASSERT_EQ(bounds.size(), 2U);
  EXPECT_EQ(bounds[0].clique, Clique({0}));
  EXPECT_TRUE(bounds[0].is_measured);
  EXPECT_EQ(bounds[1].clique, Clique({0, 2}));
  EXPECT_FALSE(bounds[1].is_measured);
}

}  // namespace
}  // namespace flaim
