#include <cmath>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "secagg/noise/noise_plan.h"
#include "secagg/noise/noise_plan_testing.h"

namespace flaim::secagg {
namespace {

// Ten thousand shares of a sigma of 3: each is a hundredth of a count, or 3.8 of the units that the plan counts in.
TEST(NoisePlan, OfTenThousandCarriesThePromisedVarianceAfterTheWorstDropout) {
  constexpr int kDraws = 20'000;
  const NoisePlan plan = NoisePlan::Make(Rational(9, 1), {11'000, 500, 500}).value();
  SeededRandomSource random(1);
  const double left = SampleVarianceOfSum(plan, 10'000, kDraws, random);
  EXPECT_NEAR(left / 9, 1, 6 * std::sqrt(2.0 / kDraws)) << "six standard errors: alpha 2e-9";
}

}  // namespace
}  // namespace flaim::secagg
