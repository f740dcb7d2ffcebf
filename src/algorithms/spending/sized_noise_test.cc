#include "algorithms/spending/sized_noise.h"

#include <cmath>
#include <map>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/accountants/exact_accountant.h"

namespace flaim {
namespace {

std::vector<std::int64_t> RandomSizes(RandomSource& random) {
  std::vector<std::int64_t> cells(1 + random.NextBelow(100));
  for (std::int64_t& own : cells) own = static_cast<std::int64_t>(std::exp(9 * random.NextUnit()) + 1);
  return cells;
}

TEST(NoiseBySize, CostsNoMoreThanItsMuAndHardlyLess) {
  SeededRandomSource random(1, "sizes");
  for (int trial = 0; trial < 500; ++trial) {
    const std::vector<std::int64_t> cells = RandomSizes(random);
    const double mu = std::pow(10, -2 + 3 * random.NextUnit());
    const std::vector<Rational> noise = NoiseBySize(*Mu::Create(mu), cells).value();
    EXPECT_LE(MuOfSum(noise), mu);
    EXPECT_GE(MuOfSum(noise), mu * (1 - 1e-6));
  }
}

TEST(NoiseBySize, IsTheSameForEqualSizesAndOfFewKinds) {
  const std::vector<Rational> equal = NoiseBySize(*Mu::Create(0.1), std::vector<std::int64_t>(7, 30)).value();
  for (const Rational& variance : equal) EXPECT_NEAR(variance.ToDouble(), 7 / 0.01 + 2, 1e-6);
  std::vector<std::int64_t> cells;
  for (std::int64_t own = 4; own <= 4096; ++own) cells.push_back(own);
  std::map<double, int> kinds;
  const std::vector<Rational> noise = NoiseBySize(*Mu::Create(0.1), cells).value();
  for (const Rational& variance : noise) ++kinds[variance.ToDouble()];
  EXPECT_LE(kinds.size(), 8U);
}

// The error sum of n sigma, beside that of the best division and of equal parts.
TEST(NoiseBySize, LosesLittleAgainstTheBestDivision) {
  SeededRandomSource random(2, "sizes");
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<std::int64_t> cells = RandomSizes(random);
    const std::vector<Rational> noise = NoiseBySize(*Mu::Create(0.05), cells).value();
    double ours = 0;
    double equal = 0;
    double parts = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto own = static_cast<double>(cells[i]);
      ours += own * std::sqrt(noise[i].ToDouble());
      equal += own * std::sqrt(static_cast<double>(cells.size())) / 0.05;
      parts += std::pow(own, 2.0 / 3);
    }
    const double best = std::pow(parts, 1.5) / 0.05;
    EXPECT_GE(ours, best * (1 - 1e-9));
    EXPECT_LE(ours, best * 1.04 + 1);
    EXPECT_LE(ours, equal * 1.04 + 1);
  }
}

// The accountant of continuous noise, beside the one that follows the discrete noise itself, whole or in shares.
TEST(NoiseBySize, IsDominatedByContinuousNoise) {
  SeededRandomSource random(3, "sizes");
  for (int trial = 0; trial < 12; ++trial) {
    const double epsilon = std::pow(10, -1 + 2 * random.NextUnit());
    const std::vector<std::int64_t> cells = RandomSizes(random);
    const Mu mu = MuFor(PrivacyBudget::Create(epsilon, 1e-6).value());
    std::map<double, GaussianMechanism> kinds;
    const std::vector<Rational> noise = NoiseBySize(mu, cells).value();
    for (const Rational& variance : noise) {
      GaussianMechanism& kind = kinds.try_emplace(variance.ToDouble(), GaussianMechanism{variance, 0}).first->second;
      ++kind.sensitivity_squared;
    }
    std::vector<Step> whole;
    std::vector<Step> shares;
    for (const auto& [variance, mechanism] : kinds) {
      whole.emplace_back(mechanism);
      shares.emplace_back(SplitGaussian{mechanism});
    }
    EXPECT_LE(ExactDelta(whole, epsilon).value(), 1e-6 * 1.01) << epsilon;
    EXPECT_LE(ExactDelta(shares, epsilon).value(), 1e-6 * 1.05) << epsilon;
  }
}

}  // namespace
}  // namespace flaim
