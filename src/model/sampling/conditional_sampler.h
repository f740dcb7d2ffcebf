#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/random_source.h"

namespace flaim {

// Draws outcomes 0, ..., outcomes - 1 given a state, from P(outcome | state), the rows of a table that are kept as
// cumulative sums. In a junction tree, a state is one of a node's separator and an outcome one of its other attributes.
//
// Both ways of drawing are unbiased up to the 53 bits of a double, and never give an outcome of probability zero. A
// state of probability zero has no outcomes: to ask for one is a bug.
//
// Immutable; safe to use from many threads, if each has its own random source.
class ConditionalSampler {
 public:
  // `joint` is P(state, outcome), up to a factor, outcomes of one state next to each other. It is not kept.
  // REQUIRES: no negative entry; a multiple of `outcomes`, which is in [1, 2^32].
  ConditionalSampler(std::span<const double> joint, std::int64_t outcomes);

  std::uint32_t Draw(std::uint32_t state, RandomSource& random) const;

  // As many outcomes as `drawn` is long, in random order. The number n_i of times that outcome i appears differs from
  // its expectation, n * P(i | state), by less than 1, and the sum of n_i over any range of outcomes by less than 2.
  //
  // How. The outcomes lie side by side on [0, n), each as long as its expectation, and every unit interval [k, k + 1)
  // draws one point. Points of different intervals are independent but for one thing: an outcome that enters an
  // interval from the left with the length b, and of which a lay in the interval where it began, gets it with
  // probability
  //     max(0, (a + b - 1) / a)  if it was drawn there, and  min(1, b / (1 - a))  if not.
  // That is b on average, so nothing is biased, and it is all or nothing as soon as n_i would leave floor and ceiling
  // of its expectation. (Known in survey sampling as Deville's systematic sampling.) No table is read in full: the
  // costs are two binary searches for each outcome drawn, and none where an outcome covers whole intervals.
  void DrawRounded(std::uint32_t state, std::span<std::uint32_t> drawn, RandomSource& random) const;

 private:
  std::span<const double> CumulativeOf(std::uint32_t state) const;

  std::int64_t outcomes_;
  std::int64_t states_;
  std::unique_ptr<double[]> cumulative_;  // of each state; the last is 1, or 0 for a state of probability zero
};

}  // namespace flaim
