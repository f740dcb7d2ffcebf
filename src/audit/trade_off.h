#pragma once

#include <cstdint>
#include <vector>

#include "privacy/accountants/exact_accountant.h"
#include "privacy/budget/budget.h"

namespace flaim {

// How often an attacker is wrong who says "the record was there" or "it was not".
struct ErrorRates {
  double false_positive = 0;  // said to be there, and was not
  double false_negative = 0;

  bool operator==(const ErrorRates&) const = default;
};

// What an accountant promises about every attacker: no pair of error rates lies below the curve. Made of the promise at
// many epsilons: for each, FP + e^epsilon FN >= 1 - delta and e^epsilon FP + FN >= 1 - delta.
class TradeOff {
 public:
  struct Promise {
    double epsilon = 0;
    double delta = 0;
  };
  // REQUIRES: not empty.
  explicit TradeOff(std::vector<Promise> promises) : promises_(std::move(promises)) {}

  // Of everything that costs at most rho in zCDP.
  static TradeOff OfRho(Rho rho);
  // Of a schedule that is fixed in advance, by the exact accountant.
  static absl::StatusOr<TradeOff> OfSchedule(const std::vector<Step>& steps);

  // The fewest false negatives that go with so many false positives.
  double LeastFalseNegative(double false_positive) const;
  bool Allows(const ErrorRates& rates) const {
    return rates.false_negative >= LeastFalseNegative(rates.false_positive);
  }

 private:
  std::vector<Promise> promises_;
};

// Where a probability lies, if `hits` of `trials` were so: Clopper and Pearson, each end wrong with probability at most
// `alpha`. REQUIRES: 0 <= hits <= trials, trials > 0, 0 < alpha < 1.
struct Interval {
  double low = 0;
  double high = 1;
};
Interval ClopperPearson(std::int64_t hits, std::int64_t trials, double alpha);

// How well N(0, 1) and N(mu, 1) are told apart with these errors: mu. Minus infinity if one of the rates is 1.
double MuOf(const ErrorRates& rates);

}  // namespace flaim
