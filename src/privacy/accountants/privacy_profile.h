#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "privacy/accountants/loss_distribution.h"

namespace flaim {

// The points x = index * step, lowest <= index <= highest, on which a profile is kept.
struct Lattice {
  double step = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;

  std::size_t size() const { return static_cast<std::size_t>(highest - lowest + 1); }
};

// An upper bound on the privacy profile V(x): the delta that remains at epsilon = x, for any x including negative ones.
// Starts as the profile of no release at all, V(x) = max(0, 1 - e^x), and grows with each step; the *last* release of
// a run is applied first, because the recursion looks from the end back.
//
// As a function of y = e^x the true profile is convex, does not increase and is at most 1: it is an expectation, or a
// supremum of expectations, of max(0, 1 - y e^-L). So between two lattice points the chord in y lies above it; below
// the lattice 1 does; above the lattice the last value does. The steps are monotone with non-negative weights, so a
// bound that holds on the lattice before a step holds there after it, and floating point loses at most a relative
// 2^-40, which every step pays back with a relative 2^-32.
class PrivacyProfile {
 public:
  // REQUIRES: lattice.step > 0, lattice.lowest < lattice.highest.
  explicit PrivacyProfile(const Lattice& lattice);

  // One release whose loss is bounded by a distribution: V(x) <- E V(x - L). REQUIRES: the same lattice step.
  void ApplyLoss(const LossDistribution& loss);

  // One release of which somebody picks the loss, knowing everything before: V(x) <- max over losses of E V(x - L).
  // REQUIRES: not empty, the same lattice step.
  void ApplyWorstLoss(std::span<const LossDistribution> losses);

  // One release of bounded range epsilon, e.g. an exponential mechanism, of which nothing else is known:
  //   V(x) <- sup over t in [0, epsilon] of p V(x - t) + (1 - p) V(x - t + epsilon),
  //   p = (e^epsilon - e^t) / (e^epsilon - 1), the only weight with E e^-L = 1.
  // Losses within [t - epsilon, t] are worst at the two ends, by convexity. REQUIRES: 0 < epsilon <= 200.
  void ApplyBoundedRange(double epsilon);

  // Never below the true profile.
  double DeltaAt(double epsilon) const;
  // An epsilon >= 0 with DeltaAt(epsilon) <= delta, or infinity if the lattice does not reach that far.
  double EpsilonAt(double delta) const;

 private:
  double ValueAt(std::int64_t index) const;
  std::vector<double> After(const LossDistribution& loss) const;
  std::vector<double> Padded(std::int64_t below, std::int64_t above) const;
  void RoundUp();

  Lattice lattice_;
  std::vector<double> values_;
};

}  // namespace flaim
