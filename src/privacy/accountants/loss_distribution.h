#pragma once

#include <cstdint>
#include <vector>

#include "privacy/accountants/gaussian_accountant.h"
#include "privacy/budget/charge.h"

namespace flaim {

// The privacy loss L = log(P/Q) of one release under P, moved onto the lattice of multiples of `lattice_step`, such
// that for every privacy profile V (see privacy_profile.h) the expectation of V(x - L) at lattice points x never
// shrinks:
//
// - A loss between two lattice points is split between them so that the mean of exp(-L) stays. V is convex in exp(x),
//   so by Jensen the expectation can only grow.
// - Losses below the lowest point are raised to it, and V does not increase. Losses above the highest become infinite,
//   and V is at most 1.
// - Every mass is rounded up, so that the total may exceed 1 by a hair.
struct LossDistribution {
  double lattice_step = 0;
  std::int64_t lowest = 0;  // the loss of mass[0] is lowest * lattice_step
  std::vector<double> mass;
  double infinite_mass = 0;
};

// Loss N(mu^2/2, mu^2). REQUIRES: mu > 0, lattice_step > 0.
LossDistribution ContinuousGaussianLoss(Mu mu, double lattice_step);

// Loss of adding discrete Gaussian noise to a vector in which one record moves sensitivity_squared = m coordinates by
// one each: (2 S + m) / (2 sigma^2), where S is the sum of m discrete Gaussians. Adding and removing a record give the
// same distribution, because the noise is symmetric.
//
// Does not cover a record that moves one coordinate by more than one: that loss lives on a coarser lattice.
// With a resolution u the noise lies on the multiples of 1/u instead of the whole numbers, at the same sigma^2: in
// units of 1/u it has the variance u^2 sigma^2, and a record moves a coordinate by u.
//
// REQUIRES: Validate(gaussian), resolution >= 1, resolution^2 * sigma_squared * sensitivity_squared <= kMaxSumVariance,
// sensitivity_squared <= kMaxCoordinates.
inline constexpr double kMaxSumVariance = 1e10;
inline constexpr std::int64_t kMaxCoordinates = 100'000;
LossDistribution DiscreteGaussianLoss(const GaussianMechanism& gaussian, double lattice_step,
                                      std::int64_t resolution = 1);

// What discrete Gaussian noise may lose whatever power of two its resolution is: the loss of each resolution up to
// where the noise is fine, and one that dominates all finer ones. That is continuous noise with 2/u^2 less variance, of
// which the discrete noise is a random rounding, up to what DeviationLoss charges. Proof: docs/PRIVACY.md, "Noise in
// shares". REQUIRES: as above, and sigma_squared >= kLeastSplitVariance.
inline constexpr double kLeastSplitVariance = 0x1p-7;
std::vector<LossDistribution> LossesOfEveryResolution(const GaussianMechanism& gaussian, double lattice_step);

// What noise in shares may lose beyond one discrete Gaussian of sigma^2: its probabilities differ by factors within
// e^+-k, k = (sensitivity_squared + 100) 2^-31, but for less than the tail that is charged. So the loss may be 2 k more
// and every probability e^k times as large. Covers shares of variance 6 or more, a million of them, and a sum of up to
// 2^-32 of sigma^2 too much variance. Proof: as above.
LossDistribution DeviationLoss(const GaussianMechanism& gaussian, double lattice_step);

}  // namespace flaim
