#include "model/estimation.h"

#include <cmath>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "model/brute_force_testing.h"

namespace flaim {
namespace {

struct Problem {
  Domain domain;
  std::vector<Measurement> measurements;
  std::vector<Clique> cliques;
};

// Noisy, inconsistent marginals, some of them negative, so that the optimum lies on the edge of the polytope.
Problem MakeProblem(std::uint64_t seed) {
  const RandomModel model = MakeRandomModel(seed, {});
  SeededRandomSource random(seed, "measurements");
  std::vector<Measurement> measurements;
  for (const Clique& clique : model.cliques) {
    Measurement measurement{clique, MarginalByBruteForce(model, clique), 1 + 4 * random.NextUnit()};
    for (double& value : measurement.values) value = 100 * value + 20 * (random.NextUnit() - 0.5);
    measurements.push_back(std::move(measurement));
  }
  Problem problem{model.domain, MergeMeasurements(measurements), {}};
  for (const Measurement& measurement : problem.measurements) problem.cliques.push_back(measurement.clique);
  return problem;
}

Estimate Solve(const Problem& problem, const EstimationOptions& options) {
  const CliqueLayout layout(problem.domain, problem.cliques);
  BeliefPropagation oracle(JunctionTree::Build(problem.domain, problem.cliques, 1 << 20).value(), layout);
  Parallel parallel(1);
  return EstimatePotentials(oracle, problem.measurements, 100, std::vector<double>(layout.cells(), 0), options,
                            parallel);
}

TEST(Estimation, CertifiesARelativeGapOfOneInAMillion) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Problem problem = MakeProblem(seed);
    if (problem.cliques.empty()) continue;
    const Estimate estimate =
        Solve(problem, {.max_iterations = 200'000, .relative_gap = 1e-6, .ignore_noise_floor = true});
    EXPECT_TRUE(estimate.summary.converged) << "seed " << seed << ": gap " << estimate.summary.gap << " of "
                                            << estimate.summary.loss << " after " << estimate.summary.iterations;
    EXPECT_GE(estimate.summary.gap, -1e-9 * (1 + estimate.summary.loss));
  }
}

TEST(Estimation, BothMethodsAgreeWithinTheirCertificates) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Problem problem = MakeProblem(seed);
    if (problem.cliques.empty()) continue;
    const Estimate fast = Solve(problem, {.max_iterations = 2000});
    const Estimate plain = Solve(problem, {.method = EstimationMethod::kMirrorDescent, .max_iterations = 2000});
    EXPECT_GE(fast.summary.loss, plain.summary.loss - plain.summary.gap - 1e-9);
    EXPECT_GE(plain.summary.loss, fast.summary.loss - fast.summary.gap - 1e-9);
  }
}

TEST(Estimation, RecoversMarginalsThatAreConsistent) {
  const RandomModel model = MakeRandomModel(3, {.magnitude = 1});
  Problem problem{model.domain, {}, {}};
  for (const Clique& clique : model.cliques) {
    Measurement measurement{clique, MarginalByBruteForce(model, clique), 0.01};
    for (double& value : measurement.values) value *= 100;
    problem.measurements.push_back(std::move(measurement));
  }
  problem.measurements = MergeMeasurements(problem.measurements);
  for (const Measurement& measurement : problem.measurements) problem.cliques.push_back(measurement.clique);
  const Estimate estimate = Solve(problem, {.max_iterations = 20'000, .relative_gap = 1e-9});
  std::size_t cell = 0;
  for (const Measurement& measurement : problem.measurements) {
    for (const double value : measurement.values) EXPECT_NEAR(100 * estimate.marginals[cell++], value, 1e-2);
  }
}

TEST(MergeMeasurements, IsTheInverseVarianceMean) {
  const std::vector<Measurement> repeated = {{Clique({0}), {10, 20}, 1}, {Clique({0}), {40, 80}, 2}};
  const std::vector<Measurement> merged = MergeMeasurements(repeated);
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_NEAR(merged[0].variance, 2.0 / 3, 1e-12);
  EXPECT_NEAR(merged[0].values[0], 20, 1e-12);
  EXPECT_NEAR(merged[0].values[1], 40, 1e-12);
}

TEST(EstimateTotal, TrustsSmallMarginalsMore) {
  const std::vector<Measurement> measurements = {{Clique({0}), {50, 50}, 1},
                                                 {Clique({1}), std::vector<double>(200, 1), 1}};
  EXPECT_NEAR(EstimateTotal(measurements), (100.0 / 2 + 200.0 / 200) / (1.0 / 2 + 1.0 / 200), 1e-9);
}

}  // namespace
}  // namespace flaim
