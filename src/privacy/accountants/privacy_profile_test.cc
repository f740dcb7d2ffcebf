#include "privacy/accountants/privacy_profile.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "base/seeded_random_source.h"

namespace flaim {
namespace {

constexpr Lattice kFine{1.0 / 256, -1024, 2048};

// The profile of one selection, in closed form: the supremum is at t = (range + x) / 2 for x in [0, range], and
// V(-x) = 1 - e^-x + e^-x V(x) because the two tables may swap roles.
double OneSelection(double range, double x) {
  if (x < 0) return -std::expm1(x) + std::exp(x) * OneSelection(range, -x);
  if (x >= range) return 0;
  const double root = std::exp(range / 2) - std::exp(x / 2);
  return root * root / std::expm1(range);
}

// The worst two-outcome mechanism's weight for the loss `shift`: p e^-shift + (1 - p) e^(range - shift) = 1.
double WorstWeight(double range, double shift) { return (std::exp(range) - std::exp(shift)) / (std::exp(range) - 1); }

// Two selections, the second chosen after seeing the first, by trying every shift of a fine grid.
double TwoSelections(double range, double x) {
  double best = 0;
  for (int index = 0; index <= 4000; ++index) {
    const double shift = range * index / 4000;
    const double weight = WorstWeight(range, shift);
    best =
        std::max(best, weight * OneSelection(range, x - shift) + (1 - weight) * OneSelection(range, x - shift + range));
  }
  return best;
}

// Three rounds of the exponential mechanism whose scores depend on all earlier choices, in both worlds.
double DeltaOfRandomSelections(SeededRandomSource& random, double range, double epsilon) {
  double delta = 0;
  const std::function<void(int, double, double)> play = [&](int rounds, double under_p, double under_q) {
    if (rounds == 0) {
      delta += std::max(0.0, under_p - std::exp(epsilon) * under_q);
      return;
    }
    std::array<double, 3> here{};
    std::array<double, 3> there{};
    double total_here = 0;
    double total_there = 0;
    for (std::size_t choice = 0; choice < here.size(); ++choice) {
      const double score = 10 * random.NextUnit();
      const double moved = random.NextBelow(4) == 0 ? 2 * random.NextUnit() - 1 : (random.NextBelow(2) == 0 ? 1 : -1);
      total_here += here[choice] = std::exp(range * score / 2);
      total_there += there[choice] = std::exp(range * (score + moved) / 2);
    }
    for (std::size_t choice = 0; choice < here.size(); ++choice) {
      play(rounds - 1, under_p * here[choice] / total_here, under_q * there[choice] / total_there);
    }
  };
  play(3, 1, 1);
  return delta;
}

TEST(PrivacyProfile, OfNoReleaseIsZeroFromEpsilonZeroOn) {
  const PrivacyProfile nothing(kFine);
  EXPECT_LT(nothing.DeltaAt(0), 1e-15);
  EXPECT_LT(nothing.DeltaAt(1), 1e-280);
  EXPECT_NEAR(nothing.DeltaAt(-1), 1 - std::exp(-1), 1e-5);
  EXPECT_EQ(nothing.DeltaAt(-100), 1);
  EXPECT_EQ(nothing.EpsilonAt(1e-9), 0);
}

TEST(PrivacyProfile, OfOneSelectionMeetsItsClosedForm) {
  for (const double range : {0.25, 0.3, 1.0, 1.7}) {
    PrivacyProfile profile(kFine);
    profile.ApplyBoundedRange(range);
    for (double x = -1.1 * range; x < 0.8 * range; x += 0.07 * range) {
      EXPECT_GE(profile.DeltaAt(x), OneSelection(range, x)) << range << " " << x;
      EXPECT_LE(profile.DeltaAt(x), OneSelection(range, x) * 1.01) << range << " " << x;
    }
    EXPECT_LT(profile.DeltaAt(range + 2 * kFine.step), 1e-280);
  }
}

TEST(PrivacyProfile, OfTwoSelectionsMeetsTheWorstAdaptiveMechanism) {
  for (const double range : {0.25, 0.3, 1.0}) {
    PrivacyProfile profile(kFine);
    profile.ApplyBoundedRange(range);
    profile.ApplyBoundedRange(range);
    for (double x = 0; x < 1.3 * range; x += 0.11 * range) {
      EXPECT_GE(profile.DeltaAt(x), TwoSelections(range, x)) << range << " " << x;
      EXPECT_LE(profile.DeltaAt(x), TwoSelections(range, x) * 1.01) << range << " " << x;
    }
  }
}

TEST(PrivacyProfile, OfThreeSelectionsIsAboveEveryExplicitMechanism) {
  SeededRandomSource random(1);
  for (const double range : {0.5, 1.3}) {
    PrivacyProfile profile(kFine);
    for (int round = 0; round < 3; ++round) profile.ApplyBoundedRange(range);
    double closest = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      const double epsilon = 1.5 * range * random.NextUnit();
      const double delta = DeltaOfRandomSelections(random, range, epsilon);
      ASSERT_LE(delta, profile.DeltaAt(epsilon)) << range << " " << epsilon;
      closest = std::max(closest, delta / profile.DeltaAt(epsilon));
    }
    EXPECT_GT(closest, 0.7) << "the mechanisms tried are too tame to test anything";
  }
}

TEST(PrivacyProfile, HandlesSelectionsFinerThanTheLattice) {
  PrivacyProfile profile(kFine);
  profile.ApplyBoundedRange(kFine.step / 10);
  EXPECT_GE(profile.DeltaAt(0), OneSelection(kFine.step / 10, 0));
  EXPECT_GE(profile.DeltaAt(-kFine.step / 3), OneSelection(kFine.step / 10, -kFine.step / 3));
  EXPECT_LT(profile.DeltaAt(0), kFine.step);
}

TEST(PrivacyProfile, OfContinuousNoiseIsNeverBelowTheAnalyticGaussian) {
  for (const double mu : {0.1, 0.27, 0.6}) {
    PrivacyProfile profile(kFine);
    const LossDistribution loss = ContinuousGaussianLoss(*Mu::Create(mu / 4), kFine.step);
    for (int step = 0; step < 16; ++step) profile.ApplyLoss(loss);
    for (double epsilon = 0.003; epsilon < 4 * mu; epsilon += 0.01) {
      const double analytic = DeltaOf(*Mu::Create(mu), epsilon);
      EXPECT_GE(profile.DeltaAt(epsilon), analytic) << mu << " " << epsilon;
      EXPECT_LE(profile.DeltaAt(epsilon), DeltaOf(*Mu::Create(mu * 1.02), epsilon)) << mu << " " << epsilon;
    }
  }
}

TEST(PrivacyProfile, FallsWithEpsilonAndGrowsWithEveryStep) {
  PrivacyProfile profile(kFine);
  const LossDistribution loss = DiscreteGaussianLoss({Rational(40, 1), 3}, kFine.step);
  for (int step = 0; step < 6; ++step) {
    const PrivacyProfile before = profile;
    step % 2 == 0 ? profile.ApplyBoundedRange(0.2) : profile.ApplyLoss(loss);
    for (double x = -2; x < 4; x += 0.013) {
      EXPECT_GE(profile.DeltaAt(x), profile.DeltaAt(x + 0.013) * (1 - 1e-9));
      EXPECT_GE(profile.DeltaAt(x), before.DeltaAt(x) * (1 - 1e-12));
    }
  }
}

TEST(PrivacyProfile, FindsTheEpsilonThatBelongsToADelta) {
  PrivacyProfile profile(kFine);
  profile.ApplyLoss(ContinuousGaussianLoss(*Mu::Create(0.5), kFine.step));
  const double epsilon = profile.EpsilonAt(1e-5);
  EXPECT_LE(profile.DeltaAt(epsilon), 1e-5);
  EXPECT_GE(epsilon, EpsilonOf(*Mu::Create(0.5), 1e-5));
  EXPECT_NEAR(epsilon, EpsilonOf(*Mu::Create(0.5), 1e-5), 1e-3);
  EXPECT_EQ(PrivacyProfile(Lattice{0.01, -500, -10}).EpsilonAt(1e-5), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace flaim
