#pragma once

#include "absl/status/statusor.h"

namespace flaim {

// How strongly two points of the layout count as tied, by their distance x: 1 / (1 + a x^(2b)).
struct DistanceCurve {
  double a = 0;
  double b = 0;

  double StrengthAt(double distance) const;
};

// What the curve should look like: 1 up to min_distance, then exp(-(x - min_distance) / spread).
struct CurveShape {
  double min_distance = 0.1;
  double spread = 1;
};

// The curve with the least squared difference from the shape at 300 distances from 0 to 3 spreads, as in umap-learn.
// Refuses a spread that is not positive and a min_distance that is negative or above the spread.
absl::StatusOr<DistanceCurve> FitCurve(const CurveShape& shape);

}  // namespace flaim
