#include "model/estimation/marginal_loss.h"

#include <cmath>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/estimation/explicit_fit_testing.h"
#include "model/inference/brute_force_testing.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

// A problem and a distribution over its domain that has nothing to do with it.
struct Setting {
  FitProblem problem;
  RandomModel model;  // over the measured cliques

  CliqueLayout Layout() const { return CliqueLayout(model.domain, model.cliques); }
  MarginalLoss Loss() const { return MarginalLoss(model.domain, Layout(), problem.measurements, problem.total); }
};

Setting MakeSetting(std::uint64_t seed) {
  FitProblem problem = MakeFitProblem(seed);
  problem.measurements = MergeMeasurements(problem.measurements);
  RandomModel model{problem.domain, {}, {}};
  for (const Measurement& measurement : problem.measurements) model.cliques.push_back(measurement.clique);
  SeededRandomSource random(seed, "potentials");
  const std::int64_t cells = CliqueLayout(model.domain, model.cliques).cells();
  for (std::int64_t i = 0; i < cells; ++i) model.potentials.push_back(4 * random.NextUnit() - 2);
  return {std::move(problem), std::move(model)};
}

TEST(MarginalLoss, IsTheSumOfSquaresAtTheMarginalsOfADistribution) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Setting setting = MakeSetting(seed);
    const std::vector<double> marginals = InferByBruteForce(setting.model).marginals;
    double expected = 0;
    std::size_t cell = 0;
    for (const Measurement& measurement : setting.problem.measurements) {
      for (const double value : measurement.values) {
        expected += std::pow(setting.problem.total * marginals[cell++] - value, 2) / measurement.variance / 2;
      }
    }
    EXPECT_NEAR(setting.Loss().Loss(marginals), expected, 1e-11 * expected);
  }
}

TEST(MarginalLoss, HasTheGradientOfItself) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Setting setting = MakeSetting(seed);
    const MarginalLoss loss = setting.Loss();
    const std::vector<double> here = InferByBruteForce(setting.model).marginals;
    std::vector<double> there = here;
    SeededRandomSource random(seed, "elsewhere");
    for (double& value : there) value += 0.1 * random.NextUnit();
    std::vector<double> gradient(here.size());
    loss.Gradient(here, gradient);
    double tangent = loss.Loss(here);
    for (std::size_t i = 0; i < here.size(); ++i) tangent += gradient[i] * (there[i] - here[i]);
    EXPECT_NEAR(loss.Loss(there), tangent + loss.Curvature(here, there), 1e-9 * (1 + loss.Loss(there)));
  }
}

TEST(MarginalLoss, DropsFromPotentialsOnlyWhatChangesNoDistribution) {
  int shortened = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Setting setting = MakeSetting(seed);
    MarginalLoss loss = setting.Loss();
    RandomModel dropped = setting.model;
    loss.DropGauge(dropped.potentials);
    EXPECT_THAT(InferByBruteForce(dropped).marginals,
                Pointwise(DoubleNear(1e-11), InferByBruteForce(setting.model).marginals));
    std::vector<double> again = dropped.potentials;
    loss.DropGauge(again);
    EXPECT_THAT(again, Pointwise(DoubleNear(1e-11), dropped.potentials));
    double length = 0;
    double dropped_length = 0;
    for (std::size_t i = 0; i < again.size(); ++i) {
      length += setting.model.potentials[i] * setting.model.potentials[i] / loss.weight()[i];
      dropped_length += dropped.potentials[i] * dropped.potentials[i] / loss.weight()[i];
    }
    EXPECT_LE(dropped_length, length * (1 + 1e-12));
    shortened += dropped_length < 0.999 * length;
  }
  EXPECT_GT(shortened, 100);
}

TEST(MarginalLoss, DropsAllOfWhatIsGauge) {
  // What one clique adds to an attribute that both have, the other takes away.
  const Domain domain = Domain::Create({{"a", 2}, {"b", 2}, {"c", 2}}).value();
  const std::vector<Measurement> measurements = {{Clique({0, 1}), {1, 2, 3, 4}, 1}, {Clique({1, 2}), {4, 3, 2, 1}, 3}};
  MarginalLoss loss(domain, CliqueLayout(domain, {Clique({0, 1}), Clique({1, 2})}), measurements, 10);
  std::vector<double> direction = {1, -1, 1, -1, -1, -1, 1, 1};
  loss.DropGauge(direction);
  EXPECT_THAT(direction, Pointwise(DoubleNear(1e-14), std::vector<double>(8, 0)));
}

}  // namespace
}  // namespace flaim
