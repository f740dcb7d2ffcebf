#include "partition/umap/force_table.h"

#include <cmath>

namespace flaim {

double Attraction(const DistanceCurve& curve, double squared_distance) {
  const double power = std::pow(squared_distance, curve.b);
  return -2 * curve.a * curve.b * power / squared_distance / (1 + curve.a * power);
}

double Repulsion(const DistanceCurve& curve, double squared_distance) {
  return 2 * curve.b / ((0.001 + squared_distance) * (1 + curve.a * std::pow(squared_distance, curve.b)));
}

ForceTable::ForceTable(const DistanceCurve& curve) {
  for (std::size_t step = 0; step <= kSteps; ++step) {
    const auto bits = std::bit_cast<std::uint32_t>(kSmallest) + (static_cast<std::uint32_t>(step) << kFractionBits);
    const auto squared_distance = static_cast<double>(std::bit_cast<float>(bits));
    attraction_[step] = static_cast<float>(Attraction(curve, squared_distance));
    repulsion_[step] = static_cast<float>(Repulsion(curve, squared_distance));
  }
}

}  // namespace flaim
