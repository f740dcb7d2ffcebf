#pragma once

namespace flaim::secagg {

// Natural logarithms of probabilities too small for a double; -infinity is the logarithm of nothing. Exact but for
// rounding: about 1e-8 relative for a total of a million.

double LogAdd(double left, double right);

// log P[X >= least], where X counts the marked among `drawn` out of `total`, without replacement.
// REQUIRES: 0 <= marked <= total; 0 <= drawn <= total.
double LogHypergeometricTail(int total, int marked, int drawn, int least);

// log P[X >= least and Y >= least], where X and Y count the marked in two disjoint draws of `drawn` each.
// REQUIRES: 0 <= marked <= total; 0 <= 2 drawn <= total.
double LogBothTails(int total, int marked, int drawn, int least);

}  // namespace flaim::secagg
