#include "secagg/graph/hypergeometric.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/check.h"

namespace flaim::secagg {
namespace {

constexpr double kLogOfNothing = -std::numeric_limits<double>::infinity();
// Terms fall faster than geometrically away from the largest one, so what follows a term this small does not count.
constexpr double kNegligible = 1e-20;
constexpr double kLogNegligible = -46;

// std::lgamma writes to a global.
double LogFactorial(int number) {
  int sign = 0;
  return lgamma_r(number + 1.0, &sign);
}

double LogChoose(int total, int chosen) {
  return LogFactorial(total) - LogFactorial(chosen) - LogFactorial(total - chosen);
}

double LogProbability(int total, int marked, int drawn, int count) {
  return LogChoose(marked, count) + LogChoose(total - marked, drawn - count) - LogChoose(total, drawn);
}

// P[X = count + 1] / P[X = count].
double Ratio(int total, int marked, int drawn, int count) {
  const double up = static_cast<double>(marked - count) * (drawn - count);
  const double down = (count + 1.0) * (static_cast<double>(total) - marked - drawn + count + 1);
  return up / down;
}

}  // namespace

double LogAdd(double left, double right) {
  const double larger = std::max(left, right);
  if (larger == kLogOfNothing) return kLogOfNothing;
  return larger + std::log1p(std::exp(std::min(left, right) - larger));
}

double LogHypergeometricTail(int total, int marked, int drawn, int least) {
  CHECK(0 <= marked && marked <= total && 0 <= drawn && drawn <= total);
  const int lowest = std::max(0, marked - (total - drawn));
  const int highest = std::min(marked, drawn);
  if (least <= lowest) return 0;
  if (least > highest) return kLogOfNothing;

  const auto mode = static_cast<int>((drawn + 1.0) * (marked + 1.0) / (total + 2.0));
  const int largest = std::clamp(mode, least, highest);
  double sum = 1;
  double term = 1;
  for (int count = largest; count < highest && term > kNegligible; ++count) {
    term *= Ratio(total, marked, drawn, count);
    sum += term;
  }
  term = 1;
  for (int count = largest; count > least && term > kNegligible; --count) {
    term /= Ratio(total, marked, drawn, count - 1);
    sum += term;
  }
  return std::min(0.0, LogProbability(total, marked, drawn, largest) + std::log(sum));
}

double LogBothTails(int total, int marked, int drawn, int least) {
  CHECK(0 <= marked && marked <= total && 0 <= drawn && drawn <= total - drawn);
  double sum = kLogOfNothing;
  double before = kLogOfNothing;
  const int lowest = std::max(0, marked - (total - drawn));
  for (int first = std::max(least, lowest); first <= std::min(marked, drawn); ++first) {
    const double term = LogProbability(total, marked, drawn, first) +
                        LogHypergeometricTail(total - drawn, marked - first, drawn, least);
    sum = LogAdd(sum, term);
    if (term < before && term < sum + kLogNegligible) break;
    before = term;
  }
  return std::min(0.0, sum);
}

}  // namespace flaim::secagg
