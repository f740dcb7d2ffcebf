#include "partition/standard_normal.h"

#include <cmath>
#include <numbers>

namespace flaim {

double DrawPositiveUnit(RandomSource& random) { return 1 - random.NextUnit(); }

double DrawStandardNormal(RandomSource& random) {
  const double radius = std::sqrt(-2 * std::log(DrawPositiveUnit(random)));
  return radius * std::cos(2 * std::numbers::pi * random.NextUnit());
}

}  // namespace flaim
