#include "model/belief_propagation.h"

#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/brute_force_testing.h"

namespace flaim {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

struct Inference {
  double log_partition;
  std::vector<double> marginals;
};

Inference Propagate(const RandomModel& model, int threads = 1) {
  const CliqueLayout layout(model.domain, model.cliques);
  BeliefPropagation oracle(JunctionTree::Build(model.domain, model.cliques, 1 << 24).value(), layout);
  Parallel parallel(threads);
  Inference result;
  result.marginals.resize(layout.cells());
  result.log_partition = oracle.Run(model.potentials, result.marginals, parallel);
  return result;
}

void ExpectEqualsBruteForce(const RandomModel& model) {
  const Inference fast = Propagate(model);
  const BruteForceInference exact = InferByBruteForce(model);
  ASSERT_EQ(fast.marginals.size(), exact.marginals.size());
  if (exact.log_partition == kMinusInfinity) {
    EXPECT_EQ(fast.log_partition, kMinusInfinity);
    return;
  }
  EXPECT_NEAR(fast.log_partition, exact.log_partition, 1e-10 * (1 + std::abs(exact.log_partition)));
  for (std::size_t i = 0; i < exact.marginals.size(); ++i) {
    ASSERT_NEAR(fast.marginals[i], exact.marginals[i], 1e-10) << "cell " << i << " of " << model.Describe();
  }
}

TEST(BeliefPropagation, EqualsBruteForceOnRandomCliqueSets) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) ExpectEqualsBruteForce(MakeRandomModel(seed, {.magnitude = 2}));
}

TEST(BeliefPropagation, IsStableForPotentialsOfMagnitude300) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) ExpectEqualsBruteForce(MakeRandomModel(seed, {.magnitude = 300}));
}

TEST(BeliefPropagation, TakesStructuralZeros) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    ExpectEqualsBruteForce(MakeRandomModel(seed, {.magnitude = 3, .zero_probability = 0.3}));
  }
}

TEST(BeliefPropagation, SurvivesThreeCliquesThatEachForbidWhatTheOthersWant) {
  RandomModel model = MakeRandomModel(0, {});
  model.domain = Domain::Create({{"x", 3}, {"a", 2}, {"b", 2}, {"c", 2}}).value();
  model.cliques = {Clique({0, 1}), Clique({0, 2}), Clique({0, 3})};
  model.potentials.clear();
  for (int favourite = 0; favourite < 3; ++favourite) {
    for (int x = 0; x < 3; ++x) {
      for (int other = 0; other < 2; ++other) model.potentials.push_back(x == favourite ? 600 : -600);
    }
  }
  ExpectEqualsBruteForce(model);
}

TEST(BeliefPropagation, SaysThatNothingIsPossibleWhenEveryRecordIsExcluded) {
  RandomModel model = MakeRandomModel(0, {});
  std::fill(model.potentials.begin(), model.potentials.end(), kMinusInfinity);
  const Inference result = Propagate(model);
  EXPECT_EQ(result.log_partition, kMinusInfinity);
  EXPECT_THAT(result.marginals, testing::Each(0.0));
}

TEST(BeliefPropagation, FindsTheBestRecordsScore) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 5});
    const CliqueLayout layout(model.domain, model.cliques);
    BeliefPropagation oracle(JunctionTree::Build(model.domain, model.cliques, 1 << 24).value(), layout);
    Parallel parallel(1);
    EXPECT_NEAR(oracle.MaximumScore(model.potentials, parallel), InferByBruteForce(model).best_score, 1e-10);
  }
}

TEST(BeliefPropagation, GivesTheSameBitsForAnyNumberOfThreads) {
  RandomModel model = MakeRandomModel(1, {});
  model.domain = Domain::Create({{"a", 80}, {"b", 90}, {"c", 70}, {"d", 60}}).value();
  model.cliques = {Clique({0, 1, 2}), Clique({1, 2, 3}), Clique({0})};
  SeededRandomSource random(7);
  model.potentials.clear();
  for (std::int64_t i = 0; i < CliqueLayout(model.domain, model.cliques).cells(); ++i) {
    model.potentials.push_back(4 * random.NextUnit());
  }
  const Inference one = Propagate(model, 1);
  for (const int threads : {2, 3}) {
    const Inference many = Propagate(model, threads);
    EXPECT_EQ(many.log_partition, one.log_partition);
    EXPECT_EQ(many.marginals, one.marginals);
  }
}

}  // namespace
}  // namespace flaim
