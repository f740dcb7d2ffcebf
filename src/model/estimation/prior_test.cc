#include <algorithm>
#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/estimation/estimation.h"
#include "model/estimation/explicit_fit_testing.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

EstimationOptions Precise(double prior) {
  return {.max_iterations = 100'000, .relative_gap = 1e-9, .prior = prior, .ignore_noise_floor = true};
}

Estimate Solve(const EstimationProblem& problem, const EstimationOptions& options, const Model* start = nullptr) {
  Parallel parallel(1);
  return EstimateModel(problem, start, options, parallel).value();
}

double LogProbability(const Model& model, std::int64_t record) {
  return model.LogDensity(DecodeRecord(model.domain(), record));
}

// f(p) + prior KL(p || uniform), from the definitions, record by record.
double ObjectiveOf(const FitProblem& problem, const std::vector<double>& probabilities, double prior) {
  double divergence = std::log(static_cast<double>(probabilities.size()));
  for (const double p : probabilities) divergence += p > 0 ? p * std::log(p) : 0;
  return LossOf(problem, probabilities) + prior * divergence;
}

std::vector<double> Probabilities(const Model& model) {
  std::vector<double> probabilities;
  for (std::int64_t record = 0; record < RecordCount(model.domain()); ++record) {
    probabilities.push_back(std::exp(LogProbability(model, record)));
  }
  return probabilities;
}

// What the loss gains when a little more of the distribution lies on each record.
std::vector<double> SlopeOfRecords(const FitProblem& problem, const std::vector<double>& probabilities) {
  std::vector<double> slopes(probabilities.size(), 0.0);
  for (const Measurement& measurement : problem.measurements) {
    std::vector<double> residual = measurement.values;
    for (double& value : residual) value = -value;
    for (std::size_t record = 0; record < slopes.size(); ++record) {
      residual[CellOfRecord(problem.domain, measurement.clique, record)] += problem.total * probabilities[record];
    }
    for (std::size_t record = 0; record < slopes.size(); ++record) {
      slopes[record] +=
          problem.total / measurement.variance * residual[CellOfRecord(problem.domain, measurement.clique, record)];
    }
  }
  return slopes;
}

// A distribution is the optimum if and only if log p + slope / prior is the same for all records.
TEST(EstimationWithAPrior, IsWhereNoRecordWantsMoreOrLess) {
  SeededRandomSource random(1, "strength of the prior");
  for (const FitProblem& problem : SmallProblems(300, 1)) {
    const double prior = std::pow(10, -1 + 3 * random.NextUnit());
    const Estimate estimate = Solve(ProblemOf(problem), Precise(prior));
    ASSERT_TRUE(estimate.converged) << "gap " << estimate.quality.gap << " of " << estimate.quality.loss;
    const std::vector<double> slopes = SlopeOfRecords(problem, Probabilities(estimate.model));
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (std::size_t record = 0; record < slopes.size(); ++record) {
      const double level = LogProbability(estimate.model, static_cast<std::int64_t>(record)) + slopes[record] / prior;
      least = std::min(least, level);
      most = std::max(most, level);
    }
    EXPECT_LT(most - least, 1e-2 * (1 + std::abs(most))) << "prior " << prior;
  }
}

TEST(EstimationWithAPrior, ReportsWhatItMinimisedAndCertifiesNoMoreThanIsTrue) {
  SeededRandomSource random(2, "strength of the prior");
  for (const FitProblem& problem : SmallProblems(60, 1000)) {
    const double prior = std::pow(10, -2 + 4 * random.NextUnit());
    const double optimum = Solve(ProblemOf(problem), Precise(prior)).quality.loss;
    for (const int iterations : {1, 5, 20, 1000}) {
      const Estimate estimate =
          Solve(ProblemOf(problem), {.max_iterations = iterations, .relative_gap = 1e-3, .prior = prior});
      const double objective = ObjectiveOf(problem, Probabilities(estimate.model), prior);
      EXPECT_NEAR(estimate.quality.loss, objective, 1e-8 * (1 + objective));
      EXPECT_LE(estimate.quality.loss - estimate.quality.gap, optimum * (1 + 1e-8));
      EXPECT_GE(estimate.quality.loss, optimum * (1 - 1e-8));
    }
  }
}

TEST(EstimationWithAPrior, LiesBetweenTheBestFitAndTheUniformDistribution) {
  for (const FitProblem& problem : SmallProblems(40, 2000)) {
    const ExplicitFit best = FitExplicitly(problem);
    double last = best.loss;
    for (const double prior : {1e-6, 1e-2, 1.0, 1e2, 1e4, 1e9}) {
      const Estimate estimate = Solve(ProblemOf(problem), Precise(prior));
      const std::vector<double> probabilities = Probabilities(estimate.model);
      const double loss = LossOf(problem, probabilities);
      EXPECT_GE(loss, last * (1 - 1e-6)) << "prior " << prior;
      last = loss;
      if (prior == 1e-6) {
        EXPECT_NEAR(loss, best.loss, 1e-3 * best.loss + 1e-3);
      }
      if (prior == 1e9) {
        for (const double p : probabilities) {
          EXPECT_NEAR(p * static_cast<double>(probabilities.size()), 1, 1e-2);
        }
      }
    }
  }
}

TEST(EstimationWithAPrior, NeverMakesARecordImpossibleThatZerosAllow) {
  for (const FitProblem& problem : SmallProblems(30, 3000)) {
    const StructuralZeros zeros{problem.measurements.back().clique, {0}};
    if (*CellCount(problem.domain, zeros.clique) < 2) continue;
    const Estimate estimate = Solve(ProblemOf(problem, {zeros}), Precise(1));
    ASSERT_TRUE(estimate.converged);
    for (std::int64_t record = 0; record < RecordCount(problem.domain); ++record) {
      const bool is_possible = CellOfRecord(problem.domain, zeros.clique, static_cast<std::size_t>(record)) != 0;
      EXPECT_EQ(std::isfinite(LogProbability(estimate.model, record)), is_possible);
    }
  }
}

TEST(EstimationWithAPrior, EndsAtTheSameModelFromAnotherStart) {
  for (const FitProblem& problem : SmallProblems(30, 4000)) {
    FitProblem other = problem;
    for (Measurement& measurement : other.measurements) std::ranges::reverse(measurement.values);
    const Estimate start = Solve(ProblemOf(other), {.prior = 3});
    const std::vector<double> cold = Probabilities(Solve(ProblemOf(problem), Precise(3)).model);
    const std::vector<double> warm = Probabilities(Solve(ProblemOf(problem), Precise(3), &start.model).model);
    for (std::size_t record = 0; record < cold.size(); ++record) EXPECT_NEAR(cold[record], warm[record], 1e-3);
  }
}

TEST(EstimationWithAPrior, RefusesStrengthsThatAreNoneAndADescentThatKnowsNone) {
  const FitProblem problem = SmallProblems(1, 5000).front();
  Parallel parallel(1);
  for (const EstimationOptions& options : {EstimationOptions{.prior = -1}, EstimationOptions{.prior = std::nan("")},
                                           EstimationOptions{.prior = std::numeric_limits<double>::infinity()},
                                           EstimationOptions{.method = EstimationMethod::kMirrorDescent, .prior = 1}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(EstimateModel(ProblemOf(problem), nullptr, options, parallel).status()));
  }
}

}  // namespace
}  // namespace flaim
