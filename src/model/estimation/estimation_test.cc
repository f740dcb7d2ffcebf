#include "model/estimation/estimation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/estimation/explicit_fit_testing.h"
#include "model/inference/brute_force_testing.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

constexpr EstimationOptions kPrecise = {.max_iterations = 100'000, .relative_gap = 1e-6, .ignore_noise_floor = true};

Estimate Solve(const EstimationProblem& problem, const EstimationOptions& options, const Model* start = nullptr) {
  Parallel parallel(1);
  return EstimateModel(problem, start, options, parallel).value();
}

std::vector<double> Probabilities(const Model& model) {
  std::vector<double> probabilities;
  for (std::int64_t record = 0; record < RecordCount(model.domain()); ++record) {
    probabilities.push_back(std::exp(model.LogDensity(DecodeRecord(model.domain(), record))));
  }
  return probabilities;
}

TEST(Estimation, EqualsTheOptimumFoundByListingAllRecords) {
  for (const FitProblem& problem : SmallProblems(1000, 1)) {
    const Estimate estimate = Solve(ProblemOf(problem), kPrecise);
    const ExplicitFit exact = FitExplicitly(problem);
    ASSERT_LE(exact.gap, 1e-10 * exact.loss);
    EXPECT_TRUE(estimate.converged) << "gap " << estimate.quality.gap << " of " << estimate.quality.loss << " after "
                                    << estimate.quality.iterations;
    EXPECT_LE(estimate.quality.gap, 1e-6 * estimate.quality.loss);
    EXPECT_NEAR(estimate.quality.loss, exact.loss, 2e-6 * exact.loss);
  }
}

TEST(Estimation, ReportsTheLossOfTheModelThatItReturns) {
  for (const FitProblem& problem : SmallProblems(30, 1000)) {
    for (const EstimationMethod method : {EstimationMethod::kMirrorDescent, EstimationMethod::kProximalNewton}) {
      const Estimate estimate = Solve(ProblemOf(problem), {.method = method, .relative_gap = 0.1});
      const double loss = LossOf(problem, Probabilities(estimate.model));
      EXPECT_NEAR(estimate.quality.loss, loss, 1e-9 * loss);
    }
  }
}

TEST(Estimation, NeverCertifiesMoreThanIsTrue) {
  for (const FitProblem& problem : SmallProblems(40, 2000)) {
    const ExplicitFit exact = FitExplicitly(problem);
    for (const EstimationMethod method : {EstimationMethod::kMirrorDescent, EstimationMethod::kProximalNewton}) {
      for (const int iterations : {1, 10, 100}) {
        for (const double relative_gap : {1.0, 0.3, 0.01}) {
          const Estimate estimate =
              Solve(ProblemOf(problem), {.method = method, .max_iterations = iterations, .relative_gap = relative_gap});
          EXPECT_LE(estimate.quality.loss - estimate.quality.gap, exact.loss * (1 + 1e-9));
          EXPECT_GE(estimate.quality.loss, (exact.loss - exact.gap) * (1 - 1e-12));
        }
      }
    }
  }
}

TEST(Estimation, FitsOnlyRecordsThatStructuralZerosAllow) {
  SeededRandomSource random(5, "zeros");
  int impossible = 0;
  for (const FitProblem& problem : SmallProblems(60, 3000)) {
    StructuralZeros zeros{AllAttributes(problem.domain), {}};
    if (random.NextBelow(2) == 0) zeros.clique = problem.measurements.back().clique;
    const std::int64_t cells = CellCount(problem.domain, zeros.clique).value();
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      if (random.NextBelow(3) == 0) zeros.cells.push_back(cell);
    }
    std::vector<std::size_t> allowed;
    for (std::int64_t record = 0; record < RecordCount(problem.domain); ++record) {
      const std::int64_t cell = CellOfRecord(problem.domain, zeros.clique, record);
      if (!std::binary_search(zeros.cells.begin(), zeros.cells.end(), cell)) allowed.push_back(record);
    }
    if (allowed.empty()) {
      Parallel parallel(1);
      EXPECT_FALSE(EstimateModel(ProblemOf(problem, {zeros}), nullptr, kPrecise, parallel).ok());
      ++impossible;
      continue;
    }
    const Estimate estimate = Solve(ProblemOf(problem, {zeros}), kPrecise);
    const ExplicitFit exact = FitExplicitly(problem, allowed);
    EXPECT_TRUE(estimate.converged);
    EXPECT_NEAR(estimate.quality.loss, exact.loss, 2e-6 * exact.loss);
    const std::vector<double> probabilities = Probabilities(estimate.model);
    double mass = 0;
    for (const std::size_t record : allowed) mass += probabilities[record];
    EXPECT_NEAR(mass, 1, 1e-9);
    for (std::size_t record = 0; record < probabilities.size(); ++record) {
      if (!std::binary_search(allowed.begin(), allowed.end(), record)) {
        EXPECT_EQ(probabilities[record], 0);
      }
    }
  }
  EXPECT_LT(impossible, 20);
}

TEST(Estimation, RefusesZerosThatLeaveNoRecordOrDoNotExist) {
  const Domain domain = Domain::Create({{"a", 2}, {"b", 2}}).value();
  const std::vector<Measurement> measurements = {{Clique({0, 1}), {1, 2, 3, 4}, 1}};
  Parallel parallel(1);
  for (const std::vector<std::int64_t>& cells : {std::vector<std::int64_t>{0, 1}, {2}, {-1}}) {
    const EstimationProblem problem{domain, measurements, {{Clique({0}), cells}}, 10, 1 << 20};
    EXPECT_EQ(EstimateModel(problem, nullptr, {}, parallel).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(Estimation, MergesRepeatedMeasurementsWithoutMovingTheOptimum) {
  for (FitProblem problem : SmallProblems(30, 4000)) {
    SeededRandomSource random(problem.measurements.size(), "repeats");
    const std::vector<Measurement> once = problem.measurements;
    for (Measurement measurement : once) {
      measurement.variance *= 0.5 + random.NextUnit();
      for (double& value : measurement.values) value += 10 * (random.NextUnit() - 0.5);
      problem.measurements.push_back(std::move(measurement));
    }
    const ExplicitFit separate = FitExplicitly(problem);
    const Estimate estimate = Solve(ProblemOf(problem), kPrecise);
    EXPECT_NEAR(LossOf(problem, Probabilities(estimate.model)), separate.loss, 2e-6 * separate.loss);

    FitProblem merged = problem;
    merged.measurements = MergeMeasurements(problem.measurements);
    EXPECT_EQ(merged.measurements.size(), once.size());
    const Estimate same = Solve(ProblemOf(merged), kPrecise);
    EXPECT_NEAR(LossOf(problem, Probabilities(same.model)), separate.loss, 2e-6 * separate.loss);
  }
}

TEST(Estimation, MirrorDescentRunsTheIterationsAskedForAndNeverClimbs) {
  for (const FitProblem& problem : SmallProblems(15, 5000)) {
    double before = std::numeric_limits<double>::infinity();
    for (const int iterations : {0, 1, 2, 3, 5, 8, 13, 50, 200}) {
      const Estimate estimate =
          Solve(ProblemOf(problem),
                {.method = EstimationMethod::kMirrorDescent, .max_iterations = iterations, .relative_gap = 0});
      EXPECT_EQ(estimate.quality.iterations, iterations);
      EXPECT_LE(estimate.quality.loss, before * (1 + 1e-12));
      before = estimate.quality.loss;
    }
  }
}

TEST(Estimation, BothMethodsAgreeWithinTheirCertificates) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const FitProblem problem = MakeFitProblem(seed);
    const Estimate fast = Solve(ProblemOf(problem), {});
    const Estimate plain = Solve(ProblemOf(problem), {.method = EstimationMethod::kMirrorDescent});
    EXPECT_GE(fast.quality.loss, (plain.quality.loss - plain.quality.gap) * (1 - 1e-9));
    EXPECT_GE(plain.quality.loss, (fast.quality.loss - fast.quality.gap) * (1 - 1e-9));
  }
}

TEST(Estimation, ReachesTheSameOptimumFromAnotherModel) {
  for (const FitProblem& problem : SmallProblems(30, 6000)) {
    FitProblem other = problem;
    other.measurements.pop_back();
    for (Measurement& measurement : other.measurements) {
      std::reverse(measurement.values.begin(), measurement.values.end());
    }
    const Estimate start = Solve(ProblemOf(other), {});
    const ExplicitFit exact = FitExplicitly(problem);
    const Estimate warm = Solve(ProblemOf(problem), kPrecise, &start.model);
    EXPECT_TRUE(warm.converged);
    EXPECT_NEAR(warm.quality.loss, exact.loss, 2e-6 * exact.loss);
  }
}

TEST(Estimation, StartsFromAModelWhoseZerosAreOnACliqueMeasuredSince) {
  for (const EstimationMethod method : {EstimationMethod::kMirrorDescent, EstimationMethod::kProximalNewton}) {
    EstimationProblem problem{Domain::Create({{"a", 2}, {"b", 2}}).value(), {}, {}, 10, 1 << 20};
    problem.measurements = {{Clique({0}), {4, 6}, 1}};
    problem.zeros = {{Clique({0, 1}), {1}}};
    const Estimate start = Solve(problem, {.method = method});
    problem.measurements.push_back({Clique({0, 1}), {3, 2, 1, 5}, 1});
    const Estimate warm = Solve(problem, {.method = method, .relative_gap = 1e-6}, &start.model);
    EXPECT_TRUE(warm.converged);
    EXPECT_NEAR(warm.quality.loss, Solve(problem, kPrecise).quality.loss, 1e-4);
    EXPECT_EQ(warm.model.Query().Answer(Clique({0, 1}))[1], 0);
  }
}

TEST(Estimation, RecoversMarginalsThatAreConsistent) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 1});
    FitProblem problem{model.domain, {}};
    for (const Clique& clique : model.cliques) {
      problem.measurements.push_back({clique, MarginalByBruteForce(model, clique), 0.01});
      for (double& value : problem.measurements.back().values) value *= problem.total;
    }
    const Estimate estimate = Solve(ProblemOf(problem), {.max_iterations = 20'000, .relative_gap = 1e-9});
    EXPECT_TRUE(estimate.converged);
    MarginalQuery query = estimate.model.Query();
    for (const Measurement& measurement : problem.measurements) {
      std::vector<double> fitted = query.Answer(measurement.clique);
      for (double& value : fitted) value *= problem.total;
      EXPECT_THAT(fitted, Pointwise(DoubleNear(1e-4), measurement.values));
    }
  }
}

TEST(Estimation, WorksWithNothingMeasured) {
  const Domain domain = Domain::Create({{"a", 2}, {"b", 3}}).value();
  for (const EstimationMethod method : {EstimationMethod::kMirrorDescent, EstimationMethod::kProximalNewton}) {
    for (const double relative_gap : {0.0, 0.1}) {
      const Estimate estimate = Solve({domain, {}, {{Clique({1}), {0}}}, 7, 1 << 20},
                                      {.method = method, .max_iterations = 20, .relative_gap = relative_gap});
      EXPECT_EQ(estimate.quality.loss, 0);
      EXPECT_THAT(estimate.model.Query().Answer(Clique({1})), Pointwise(DoubleNear(1e-12), {0.0, 0.5, 0.5}));
    }
  }
}

TEST(Estimation, GivesTheSameBitsForAnyNumberOfThreads) {
  SeededRandomSource random(3, "large problem");
  EstimationProblem problem{Domain::Create({{"a", 64}, {"b", 40}, {"c", 30}, {"d", 9}}).value(), {}, {}, 1000, 1 << 20};
  for (const Clique& clique : {Clique({0, 1, 2}), Clique({2, 3}), Clique({0})}) {
    Measurement measurement{clique, std::vector<double>(CellCount(problem.domain, clique).value()), 4};
    for (double& value : measurement.values) value = 20 * (random.NextUnit() - 0.4);
    problem.measurements.push_back(std::move(measurement));
  }
  for (const EstimationMethod method : {EstimationMethod::kMirrorDescent, EstimationMethod::kProximalNewton}) {
    const EstimationOptions options = {.method = method, .max_iterations = 12};
    const Estimate one = Solve(problem, options);
    Parallel three(3);
    const Estimate many = EstimateModel(problem, nullptr, options, three).value();
    EXPECT_TRUE(std::ranges::equal(many.model.potentials(), one.model.potentials()));
    EXPECT_EQ(many.quality, one.quality);
  }
}

TEST(MergeMeasurements, IsTheInverseVarianceMean) {
  const std::vector<Measurement> repeated = {{Clique({0}), {10, 20}, 1}, {Clique({0}), {40, 80}, 2}};
  const std::vector<Measurement> merged = MergeMeasurements(repeated);
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_NEAR(merged[0].variance, 2.0 / 3, 1e-12);
  EXPECT_THAT(merged[0].values, Pointwise(DoubleNear(1e-12), {20.0, 40.0}));
}

TEST(EstimateTotal, TrustsSmallMarginalsMore) {
  const std::vector<Measurement> measurements = {{Clique({0}), {50, 50}, 1},
                                                 {Clique({1}), std::vector<double>(200, 1), 1}};
  EXPECT_NEAR(EstimateTotal(measurements), (100.0 / 2 + 200.0 / 200) / (1.0 / 2 + 1.0 / 200), 1e-9);
}

TEST(EstimateTotal, IsAtLeastOneRecord) {
  EXPECT_EQ(EstimateTotal(std::vector<Measurement>{{Clique({0}), {-50, 20}, 1}}), 1);
}

}  // namespace
}  // namespace flaim
