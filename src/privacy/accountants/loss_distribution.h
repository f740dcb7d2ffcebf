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
// REQUIRES: Validate(gaussian), sigma_squared * sensitivity_squared <= kMaxSumVariance,
// sensitivity_squared <= kMaxCoordinates.
inline constexpr double kMaxSumVariance = 1e10;
inline constexpr std::int64_t kMaxCoordinates = 100'000;
LossDistribution DiscreteGaussianLoss(const GaussianMechanism& gaussian, double lattice_step);

}  // namespace flaim
