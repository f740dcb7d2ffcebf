#pragma once

#include <cstdint>
#include <vector>

#include "secagg/noise/noise_plan.h"

namespace flaim {

// The noise in a secure sum that an attacker does not know: that of so many contributors, each a share of the plan. Its
// distribution is their convolution, worked out in full and not taken for one Gaussian.
class HiddenNoise {
 public:
  // REQUIRES: plan.HasNoise(), contributors >= 1.
  HiddenNoise(const secagg::NoisePlan& plan, int contributors);

  // log P(the sum comes out as `released`) for this count and `known` noise of others, in the plan's units.
  double LogProbability(std::int64_t released, std::int64_t count, std::int64_t known) const;

 private:
  double MassAt(std::int64_t units) const;

  secagg::NoisePlan plan_;
  std::int64_t reach_;        // beyond this nothing is left, in units
  std::vector<double> mass_;  // of -reach, ..., reach
};

}  // namespace flaim
