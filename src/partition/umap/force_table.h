#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "partition/umap/distance_curve.h"

namespace flaim {

// What moves two points of a layout, as a factor of their difference, by their squared distance x:
//
//   attraction  -2ab x^(b-1) / (1 + a x^b)               the gradient of log(strength)
//   repulsion    2b / ((0.001 + x) (1 + a x^b))          that of log(1 - strength), kept finite at 0
double Attraction(const DistanceCurve& curve, double squared_distance);
double Repulsion(const DistanceCurve& curve, double squared_distance);

// The same, looked up: 64 values for each doubling of the squared distance, a straight line between them. A layout
// needs hundreds of millions of them, and their powers would take most of its time. Within 0.05% of the formulas for
// squared distances between 2^-24 and 2^24; outside, the value at the end.
class ForceTable {
 public:
  explicit ForceTable(const DistanceCurve& curve);

  float AttractionAt(float squared_distance) const { return Look(attraction_, squared_distance); }
  float RepulsionAt(float squared_distance) const { return Look(repulsion_, squared_distance); }

 private:
  static constexpr int kOctaves = 24;  // on each side of 1
  static constexpr int kStepBits = 6;
  static constexpr int kFractionBits = 23 - kStepBits;  // of a float's mantissa
  static constexpr std::size_t kSteps = std::size_t{2 * kOctaves} << kStepBits;
  static constexpr float kSmallest = 0x1p-24F;
  static constexpr float kLargest = 0x1.fffffep23F;
  using Values = std::array<float, kSteps + 1>;

  // The bits of a positive float grow with it, and its leading bits are its place on a logarithmic scale.
  static float Look(const Values& values, float squared_distance) {
    const auto bits = std::bit_cast<std::uint32_t>(std::min(std::max(squared_distance, kSmallest), kLargest)) -
                      std::bit_cast<std::uint32_t>(kSmallest);
    const std::size_t step = bits >> kFractionBits;
    const float fraction = static_cast<float>(bits & ((1U << kFractionBits) - 1)) * (1.0F / (1U << kFractionBits));
    return values[step] + fraction * (values[step + 1] - values[step]);
  }

  Values attraction_;
  Values repulsion_;
};

}  // namespace flaim
