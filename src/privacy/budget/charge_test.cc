#include "privacy/budget/charge.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include "base/seeded_random_source.h"

namespace flaim {
namespace {

// dividend * 2^50 / divisor rounded up, in 400-bit arithmetic: the quotient is nowhere near that close to a whole
// number without being one.
class UnitsOracle {
 public:
  UnitsOracle() { mpfr_inits2(400, dividend_, divisor_, nullptr); }
  ~UnitsOracle() { mpfr_clears(dividend_, divisor_, nullptr); }
  UnitsOracle(const UnitsOracle&) = delete;
  UnitsOracle& operator=(const UnitsOracle&) = delete;

  std::int64_t Gaussian(const GaussianMechanism& gaussian) {
    Set(dividend_, gaussian.sensitivity_squared, gaussian.sigma_squared.denominator());
    Set(divisor_, 2, gaussian.sigma_squared.numerator());
    return Quotient();
  }

  std::int64_t Exponential(const ExponentialMechanism& exponential) {
    Set(dividend_, exponential.epsilon.numerator(), exponential.epsilon.numerator());
    Set(divisor_, exponential.epsilon.denominator(), exponential.epsilon.denominator());
    mpfr_mul_ui(divisor_, divisor_, 8, MPFR_RNDN);
    return Quotient();
  }

 private:
  static void Set(mpfr_t target, std::int64_t left, std::int64_t right) {
    mpfr_set_si(target, left, MPFR_RNDN);
    mpfr_mul_si(target, target, right, MPFR_RNDN);
  }

  std::int64_t Quotient() {
    mpfr_mul_2ui(dividend_, dividend_, 50, MPFR_RNDN);
    mpfr_div(dividend_, dividend_, divisor_, MPFR_RNDU);
    return mpfr_get_si(dividend_, MPFR_RNDU);
  }

  mpfr_t dividend_;
  mpfr_t divisor_;
};

std::int64_t RandomTerm(SeededRandomSource& random) {
  return static_cast<std::int64_t>(1 + random.NextBelow(std::uint64_t{1} << (1 + random.NextBelow(40))));
}

TEST(CostOf, ChargesKnownMechanismsTheirKnownCosts) {
  constexpr std::int64_t kOne = std::int64_t{1} << 50;
  EXPECT_EQ(CostOf(GaussianMechanism{Rational(1, 2)}).units(), kOne);
  EXPECT_EQ(CostOf(GaussianMechanism{Rational(64, 1), 16}).units(), kOne / 8);
  EXPECT_EQ(CostOf(GaussianMechanism{Rational(100, 1)}).units(), kOne / 200 + 1);
  EXPECT_EQ(CostOf(ExponentialMechanism{Rational(1, 2)}).units(), kOne / 32);
  EXPECT_EQ(CostOf(ExponentialMechanism{Rational(1, 2), 7}).units(), kOne / 32);
  EXPECT_EQ(CostOf(ExponentialMechanism{Rational(0, 1)}).units(), 0);
  EXPECT_EQ(CostOf(GaussianMechanism{Rational(Rational::kMaxTerm, 1)}).units(), 512);
  EXPECT_EQ(CostOf(ExponentialMechanism{Rational(1, Rational::kMaxTerm)}).units(), 1);
}

TEST(CostOf, IsTheExactFractionRoundedUp) {
  SeededRandomSource random(3);
  UnitsOracle oracle;
  int priced = 0;
  for (int trial = 0; trial < 50'000; ++trial) {
    const GaussianMechanism gaussian{Rational(RandomTerm(random), RandomTerm(random)), RandomTerm(random)};
    if (Validate(gaussian).ok()) {
      ASSERT_EQ(CostOf(gaussian).units(), oracle.Gaussian(gaussian)) << gaussian.sigma_squared.ToString();
      ++priced;
    }
    const ExponentialMechanism exponential{Rational(RandomTerm(random), RandomTerm(random))};
    if (Validate(exponential).ok()) {
      ASSERT_EQ(CostOf(exponential).units(), oracle.Exponential(exponential)) << exponential.epsilon.ToString();
      ++priced;
    }
  }
  EXPECT_GT(priced, 50'000);
}

TEST(CostOf, AddsUpTheSameInAnyOrder) {
  SeededRandomSource random(4);
  UnitsOracle oracle;
  std::vector<Charge> charges;
  for (int round = 0; round < 500; ++round) {
    charges.push_back({"run", round, "age", GaussianMechanism{Rational(100 + round, 7), 1 + round % 3}});
    charges.push_back({"run", round, "choice", ExponentialMechanism{Rational(1 + round, 10'000)}});
  }
  std::int64_t independent = 0;
  Rho forwards;
  Rho backwards;
  for (std::size_t index = 0; index < charges.size(); ++index) {
    forwards = forwards + CostOf(charges[index].mechanism);
    backwards = backwards + CostOf(charges[charges.size() - 1 - index].mechanism);
    const Mechanism& mechanism = charges[index].mechanism;
    independent += index % 2 == 0 ? oracle.Gaussian(std::get<GaussianMechanism>(mechanism))
                                  : oracle.Exponential(std::get<ExponentialMechanism>(mechanism));
  }
  EXPECT_EQ(forwards, backwards);
  EXPECT_EQ(forwards.units(), independent);
}

TEST(Validate, RefusesWhatHasNoMeaningOrNoBudget) {
  EXPECT_TRUE(Validate(GaussianMechanism{Rational(400, 1)}).ok());
  EXPECT_TRUE(Validate(ExponentialMechanism{Rational(1, 10)}).ok());
  EXPECT_FALSE(Validate(GaussianMechanism{Rational(0, 1)}).ok());
  EXPECT_FALSE(Validate(GaussianMechanism{Rational(1, 1), 0}).ok());
  EXPECT_FALSE(Validate(GaussianMechanism{Rational(1, 1), -1}).ok());
  EXPECT_FALSE(Validate(ExponentialMechanism{Rational(1, 1), 0}).ok());
  EXPECT_TRUE(Validate(GaussianMechanism{Rational(1, 8191)}).ok());
  EXPECT_FALSE(Validate(GaussianMechanism{Rational(1, 8192)}).ok());
  EXPECT_FALSE(Validate(ExponentialMechanism{Rational(Rational::kMaxTerm, 1)}).ok());
  EXPECT_FALSE(
      Validate(GaussianMechanism{Rational(1, Rational::kMaxTerm), std::numeric_limits<std::int64_t>::max()}).ok());
}

TEST(CostOfDeathTest, StopsAtAMechanismThatNobodyValidated) {
  EXPECT_DEATH(CostOf(GaussianMechanism{Rational(0, 1)}), "no noise");
}

}  // namespace
}  // namespace flaim
