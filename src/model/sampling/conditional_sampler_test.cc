#include "model/sampling/conditional_sampler.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "model/sampling/goodness_of_fit_testing.h"

namespace flaim {
namespace {

constexpr double kAlpha = 1e-9;

// Every byte the same: the smallest and the largest number that NextUnit() can give.
class ConstantSource final : public RandomSource {
 public:
  explicit ConstantSource(unsigned char byte) : RandomSource(&pool_), byte_(byte) {}
  std::string Provenance() const override { return "constant"; }
  bool IsSecure() const override { return false; }

 private:
  void Generate(Pool& pool) override { std::memset(pool.bytes, byte_, sizeof pool.bytes); }

  unsigned char byte_;
  Pool pool_{};
};

struct Distribution {
  std::vector<double> weights;

  double Probability(std::size_t outcome) const {
    return weights[outcome] / std::accumulate(weights.begin(), weights.end(), 0.0);
  }
};

// Many zeros, at the ends too; weights of any magnitude; ties, whose multiples fall exactly on integers.
Distribution RandomDistribution(RandomSource& random) {
  Distribution distribution{std::vector<double>(1 + random.NextBelow(40))};
  const std::uint64_t kind = random.NextBelow(4);
  for (double& weight : distribution.weights) {
    if (random.NextBelow(3) == 0) continue;
    if (kind == 0) weight = 1;
    if (kind == 1) weight = random.NextUnit();
    if (kind == 2) weight = std::exp(60 * random.NextUnit() - 60);
    if (kind == 3) weight = std::exp(1400 * random.NextUnit() - 700);
  }
  distribution.weights[random.NextBelow(distribution.weights.size())] = 1;
  return distribution;
}

std::vector<std::int64_t> RoundedCounts(const Distribution& distribution, std::size_t draws, RandomSource& random) {
  std::vector<std::uint32_t> drawn(draws);
  const auto outcomes = std::ssize(distribution.weights);
  ConditionalSampler(distribution.weights, outcomes).DrawRounded(0, drawn, random);
  std::vector<std::int64_t> counts(outcomes);
  for (const std::uint32_t outcome : drawn) ++counts.at(outcome);
  return counts;
}

TEST(ConditionalSampler, DrawsEachOutcomeWithItsProbability) {
  constexpr int kRounds = 100;
  SeededRandomSource random(1, "draws");
  for (int round = 0; round < kRounds; ++round) {
    const Distribution distribution = RandomDistribution(random);
    const std::size_t outcomes = distribution.weights.size();
    const ConditionalSampler sampler(distribution.weights, std::ssize(distribution.weights));
    std::vector<std::int64_t> counts(outcomes);
    for (int draw = 0; draw < 5000; ++draw) ++counts.at(sampler.Draw(0, random));
    std::vector<double> probabilities(outcomes);
    for (std::size_t i = 0; i < outcomes; ++i) probabilities[i] = distribution.Probability(i);
    ASSERT_GT(GoodnessOfFitPValue(counts, probabilities), kAlpha / kRounds);
  }
}

TEST(ConditionalSampler, KeepsStatesApart) {
  const double joint[] = {0, 0.1, 0, 0, 0, 0, 0.2, 0, 0};
  const ConditionalSampler sampler(joint, 3);
  SeededRandomSource random(2, "states");
  std::vector<std::uint32_t> drawn(5);
  for (int round = 0; round < 100; ++round) {
    EXPECT_EQ(sampler.Draw(0, random), 1u);
    EXPECT_EQ(sampler.Draw(2, random), 0u);
    sampler.DrawRounded(2, drawn, random);
    EXPECT_EQ(drawn, std::vector<std::uint32_t>(5, 0));
  }
}

TEST(ConditionalSampler, RoundedCountsAreWithinOneOfTheirExpectation) {
  SeededRandomSource random(3, "rounded counts");
  for (int round = 0; round < 5000; ++round) {
    const Distribution distribution = RandomDistribution(random);
    const std::size_t draws = random.NextBelow(round % 10 == 0 ? 5000 : 60);
    const std::vector<std::int64_t> counts = RoundedCounts(distribution, draws, random);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double expected = static_cast<double>(draws) * distribution.Probability(i);
      const auto count = static_cast<double>(counts[i]);
      ASSERT_LT(std::abs(count - expected), 1 + 1e-9);
      if (std::abs(expected - std::round(expected)) < 1e-9) continue;
      ASSERT_TRUE(count == std::floor(expected) || count == std::ceil(expected)) << count << " for " << expected;
    }
  }
}

TEST(ConditionalSampler, RoundedCountsOfRangesAreWithinTwoOfTheirExpectation) {
  SeededRandomSource random(4, "rounded ranges");
  for (int round = 0; round < 1000; ++round) {
    const Distribution distribution = RandomDistribution(random);
    const std::size_t draws = random.NextBelow(300);
    const std::vector<std::int64_t> counts = RoundedCounts(distribution, draws, random);
    for (std::size_t first = 0; first < counts.size(); ++first) {
      double error = 0;
      for (std::size_t last = first; last < counts.size(); ++last) {
        error += static_cast<double>(counts[last]) - static_cast<double>(draws) * distribution.Probability(last);
        ASSERT_LT(std::abs(error), 2 + 1e-9);
      }
    }
  }
}

// The excess of a count over its floor is a coin of known probability; n tosses stray by more than
// sqrt(2 v n t) + t / 3 from their mean, v the variance of one, with probability at most 2 exp(-t) (Bernstein).
TEST(ConditionalSampler, RoundedCountsAreUnbiased) {
  constexpr int kDistributions = 60;
  constexpr int kRuns = 4000;
  const double t = std::log(2 * 40 * kDistributions / kAlpha);
  SeededRandomSource random(5, "rounding bias");
  for (int round = 0; round < kDistributions; ++round) {
    const Distribution distribution = RandomDistribution(random);
    const std::size_t draws = 1 + random.NextBelow(50);
    std::vector<double> sums(distribution.weights.size());
    for (int run = 0; run < kRuns; ++run) {
      const std::vector<std::int64_t> counts = RoundedCounts(distribution, draws, random);
      for (std::size_t i = 0; i < counts.size(); ++i) sums[i] += static_cast<double>(counts[i]);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double expected = static_cast<double>(draws) * distribution.Probability(i);
      const double coin = expected - std::floor(expected);
      const double bound = std::sqrt(2 * coin * (1 - coin) * kRuns * t) + t / 3;
      ASSERT_NEAR(sums[i], kRuns * expected, bound) << "outcome " << i << " of " << sums.size() << ", n = " << draws;
    }
  }
}

TEST(ConditionalSampler, RoundedOutcomesComeInRandomOrder) {
  const ConditionalSampler sampler(std::vector<double>{1, 1, 1, 1}, 4);
  SeededRandomSource random(6, "order");
  std::vector<std::int64_t> permutations(256);
  std::vector<double> probabilities(256, 0.0);
  for (int run = 0; run < 24000; ++run) {
    std::uint32_t drawn[4];
    sampler.DrawRounded(0, drawn, random);
    const std::size_t permutation = drawn[0] + 4 * drawn[1] + 16 * drawn[2] + 64 * drawn[3];
    ++permutations[permutation];
    probabilities[permutation] = 1.0 / 24;
  }
  EXPECT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, 1e-12);
  EXPECT_GT(GoodnessOfFitPValue(permutations, probabilities), kAlpha);
}

// Outcomes of equal probability with a period must not all fall on the same phase.
TEST(ConditionalSampler, RoundingDoesNotResonateWithThePeriodOfAnAttribute) {
  constexpr int kPeriod = 10;
  constexpr int kDraws = 100;
  const Distribution uniform{std::vector<double>(kPeriod * kDraws, 1.0)};
  SeededRandomSource random(7, "resonance");
  double squares = 0;
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const std::vector<std::int64_t> counts = RoundedCounts(uniform, kDraws, random);
    double in_phase = 0;
    for (int i = 0; i < kDraws; ++i) in_phase += static_cast<double>(counts[i * kPeriod]);
    squares += (in_phase - kDraws / kPeriod) * (in_phase - kDraws / kPeriod);
  }
  const double independent_variance = kDraws * 0.1 * 0.9;
  EXPECT_LT(squares / kRuns, 2 * independent_variance);
}

TEST(ConditionalSampler, NeverDrawsWhatCannotOccurAtTheEdgesOfTheUnitInterval) {
  ConstantSource smallest(0x00);
  ConstantSource largest(0xff);
  SeededRandomSource random(8, "edges");
  for (int round = 0; round < 3000; ++round) {
    const Distribution distribution = RandomDistribution(random);
    const ConditionalSampler sampler(distribution.weights, std::ssize(distribution.weights));
    ASSERT_GT(distribution.weights[sampler.Draw(0, smallest)], 0);
    ASSERT_GT(distribution.weights[sampler.Draw(0, largest)], 0);
    std::vector<std::uint32_t> drawn(2);
    sampler.DrawRounded(0, drawn, smallest);
    for (const std::uint32_t outcome : drawn) ASSERT_GT(distribution.weights[outcome], 0);
    drawn.resize(1 + random.NextBelow(100));
    sampler.DrawRounded(0, drawn, largest);
    for (const std::uint32_t outcome : drawn) ASSERT_GT(distribution.weights[outcome], 0);
  }
}

TEST(ConditionalSampler, NeedsNoNormalisedTable) {
  for (const double scale : {1e-320, 1e-300, 1e-9, 1.0, 1e9, 1e300}) {
    const Distribution distribution{{0, scale, 0, 3 * scale, 0}};
    SeededRandomSource random(9, "scale");
    EXPECT_EQ(RoundedCounts(distribution, 400, random), (std::vector<std::int64_t>{0, 100, 0, 300, 0}));
  }
}

TEST(ConditionalSamplerDeathTest, RefusesAStateWithoutOutcomes) {
  const double joint[] = {0, 1, 0, 0};
  const ConditionalSampler sampler(joint, 2);
  SeededRandomSource random(10, "impossible");
  std::vector<std::uint32_t> drawn(2);
  EXPECT_DEATH(sampler.Draw(1, random), "no outcome is possible");
  EXPECT_DEATH(sampler.DrawRounded(1, drawn, random), "no outcome is possible");
  EXPECT_DEATH(ConditionalSampler(joint, 3), "outcomes_");
}

}  // namespace
}  // namespace flaim
