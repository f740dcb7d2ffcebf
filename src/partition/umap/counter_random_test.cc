#include "partition/umap/counter_random.h"

#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace flaim {
namespace {

// 64 cells with 1,000 expected each: chi-squared has 63 degrees of freedom and exceeds 157 with probability below 1e-9.
TEST(CounterRandom, IsUniformOverPointsAndOverSteps) {
  for (const bool over_steps : {false, true}) {
    std::vector<int> counts(64);
    for (std::uint64_t counter = 0; counter < 64'000; ++counter) {
      CounterRandom random(7, over_steps ? counter : 3, over_steps ? 3 : counter);
      ++counts.at(random.Below(64));
    }
    double chi_squared = 0;
    for (const int count : counts) chi_squared += (count - 1000.0) * (count - 1000.0) / 1000;
    EXPECT_LT(chi_squared, 157);
  }
}

TEST(CounterRandom, DiffersByKeyStepAndPoint) {
  std::set<std::uint64_t> firsts;
  for (std::uint64_t key = 0; key < 10; ++key) {
    for (std::uint64_t step = 0; step < 10; ++step) {
      for (std::uint64_t point = 0; point < 10; ++point) firsts.insert(CounterRandom(key, step, point).Next());
    }
  }
  EXPECT_EQ(firsts.size(), 1000U);
}

TEST(CounterRandom, StaysWithinItsBounds) {
  CounterRandom random(1, 2, 3);
  for (int draw = 0; draw < 10'000; ++draw) {
    EXPECT_LT(random.Below(3), 3U);
    const float value = random.Signed();
    EXPECT_TRUE(value >= -1 && value <= 1) << value;
  }
}

}  // namespace
}  // namespace flaim
