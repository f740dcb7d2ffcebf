#include "model/inference/belief_propagation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/brute_force_testing.h"
#include "model/inference/small_model_testing.h"

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

BeliefPropagation OracleFor(const RandomModel& model) {
  return BeliefPropagation(JunctionTree::Build(model.domain, model.cliques, 1 << 24).value(),
                           CliqueLayout(model.domain, model.cliques));
}

std::vector<double> RandomDirection(std::size_t cells, std::uint64_t seed) {
  SeededRandomSource random(seed, "direction");
  std::vector<double> direction(cells);
  for (double& entry : direction) entry = 2 * random.NextUnit() - 1;
  return direction;
}

// E[f 1{x_q}] - E[f] P(x_q) for f(x) = the sum of the direction over the cells of x, by listing the records.
std::vector<double> CovarianceTimesByBruteForce(const RandomModel& model, const std::vector<double>& direction) {
  const CliqueLayout layout(model.domain, model.cliques);
  const std::vector<double> probabilities = MarginalByBruteForce(model, AllAttributes(model.domain));
  std::vector<double> product(direction.size(), 0);
  std::vector<double> marginals(direction.size(), 0);
  double mean = 0;
  for (std::size_t record = 0; record < probabilities.size(); ++record) {
    const std::vector<std::uint32_t> codes = DecodeRecord(model.domain, record);
    std::vector<std::int64_t> cells;
    double score = 0;
    for (int clique = 0; clique < layout.size(); ++clique) {
      std::int64_t cell = 0;
      for (const AttributeIndex attribute : layout.cliques()[clique]) {
        cell = cell * model.domain[attribute].size + codes[attribute];
      }
      cells.push_back(layout.offset(clique) + cell);
      score += direction[cells.back()];
    }
    mean += probabilities[record] * score;
    for (const std::int64_t cell : cells) {
      marginals[cell] += probabilities[record];
      product[cell] += probabilities[record] * score;
    }
  }
  for (std::size_t i = 0; i < product.size(); ++i) product[i] -= mean * marginals[i];
  return product;
}

TEST(CovarianceTimes, EqualsBruteForceOnRandomCliqueSets) {
  Parallel parallel(1);
  int compared = 0;
  for (std::uint64_t seed = 0; compared < 800; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 2, .zero_probability = seed % 2 == 0 ? 0.0 : 0.2});
    if (InferByBruteForce(model).log_partition == kMinusInfinity) continue;
    ++compared;
    BeliefPropagation oracle = OracleFor(model);
    std::vector<double> product(model.potentials.size());
    oracle.Run(model.potentials, product, parallel);
    const std::vector<double> direction = RandomDirection(product.size(), seed);
    oracle.CovarianceTimes(direction, product, parallel);
    ASSERT_THAT(product, testing::Pointwise(testing::DoubleNear(1e-10), CovarianceTimesByBruteForce(model, direction)))
        << model.Describe();
  }
}

TEST(CovarianceTimes, IsTheDerivativeOfTheMarginals) {
  Parallel parallel(1);
  constexpr double kStep = 1e-5;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 2});
    BeliefPropagation oracle = OracleFor(model);
    const std::vector<double> direction = RandomDirection(model.potentials.size(), seed);
    std::vector<double> potentials = model.potentials;
    std::vector<double> ahead(direction.size());
    std::vector<double> behind(direction.size());
    std::vector<double> product(direction.size());
    for (std::size_t i = 0; i < direction.size(); ++i) potentials[i] = model.potentials[i] + kStep * direction[i];
    oracle.Run(potentials, ahead, parallel);
    for (std::size_t i = 0; i < direction.size(); ++i) potentials[i] = model.potentials[i] - kStep * direction[i];
    oracle.Run(potentials, behind, parallel);
    oracle.Run(model.potentials, product, parallel);
    oracle.CovarianceTimes(direction, product, parallel);
    for (std::size_t i = 0; i < direction.size(); ++i) {
      EXPECT_NEAR(product[i], (ahead[i] - behind[i]) / (2 * kStep), 1e-8) << model.Describe();
    }
  }
}

TEST(CovarianceTimes, GivesTheSameBitsAgainAfterAMaximum) {
  Parallel parallel(1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 3});
    BeliefPropagation oracle = OracleFor(model);
    std::vector<double> first(model.potentials.size());
    oracle.Run(model.potentials, first, parallel);
    const std::vector<double> direction = RandomDirection(first.size(), seed);
    std::vector<double> second = first;
    oracle.CovarianceTimes(direction, first, parallel);
    oracle.MaximumScore(direction, parallel);
    oracle.CovarianceTimes(direction, second, parallel);
    EXPECT_EQ(first, second) << model.Describe();
  }
}

TEST(BeliefPropagation, KeepsTheNodesMarginalsWhileItLooksForAMaximumOrMultiplies) {
  Parallel parallel(1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 3});
    BeliefPropagation oracle = OracleFor(model);
    std::vector<double> marginals(model.potentials.size());
    oracle.Run(model.potentials, marginals, parallel);
    std::vector<std::vector<double>> before;
    for (int node = 0; node < std::ssize(oracle.tree().nodes()); ++node) {
      before.emplace_back(oracle.NodeMarginal(node).begin(), oracle.NodeMarginal(node).end());
    }
    oracle.MaximumScore(RandomDirection(marginals.size(), seed), parallel);
    oracle.CovarianceTimes(RandomDirection(marginals.size(), seed + 1), marginals, parallel);
    for (std::size_t node = 0; node < before.size(); ++node) {
      EXPECT_TRUE(std::ranges::equal(before[node], oracle.NodeMarginal(static_cast<int>(node)))) << model.Describe();
    }
  }
}

TEST(CovarianceTimes, GivesTheSameBitsForAnyNumberOfThreads) {
  RandomModel model = MakeRandomModel(1, {});
  model.domain = Domain::Create({{"a", 80}, {"b", 90}, {"c", 70}, {"d", 6}}).value();
  model.cliques = {Clique({0, 1, 2}), Clique({1, 2, 3}), Clique({0})};
  model.potentials = RandomDirection(CliqueLayout(model.domain, model.cliques).cells(), 7);
  const std::vector<double> direction = RandomDirection(model.potentials.size(), 8);
  std::vector<std::vector<double>> products;
  for (const int threads : {1, 2, 3}) {
    Parallel parallel(threads);
    BeliefPropagation oracle = OracleFor(model);
    products.emplace_back(direction.size());
    oracle.Run(model.potentials, products.back(), parallel);
    oracle.CovarianceTimes(direction, products.back(), parallel);
  }
  EXPECT_EQ(products[1], products[0]);
  EXPECT_EQ(products[2], products[0]);
}

}  // namespace
}  // namespace flaim
