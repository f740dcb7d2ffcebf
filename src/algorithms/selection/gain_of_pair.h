#pragma once

#include <span>

namespace flaim {

// A pair as a noisy sum of everybody shows it, beside what the model expects of it.
struct PairSeen {
  std::span<const double> counts;    // noisy
  double variance = 0;               // of each
  std::span<const double> expected;  // shares, by the model
  double total = 0;                  // records
};

// How far the truth is from the model, as a variance per expected share: with residuals r = counts - total * expected,
// noise of variance v and the model's shares m, assume that the truth differs from the model by N(0, tau^2 m_c) in each
// cell. Then
//
//   tau^2 = sum m_c (r_c^2 - v) / sum m_c^2   with standard deviation  v sqrt(2 / sum m_c^2)  where there is nothing,
//
// of which one is taken off. Never below 0. Weighing cells by m_c matters: most cells of a large pair are nearly empty,
// and hold nothing but noise.
double ExcessVariance(const PairSeen& seen);

// By how much the L1 error of the pair, in records, is expected to fall when it is known with noise of variance
// `variance_at_the_end`: each cell then keeps an error of variance a v / (a + v) of its a = tau^2 m_c.
double ExpectedGain(const PairSeen& seen, double variance_at_the_end);

}  // namespace flaim
