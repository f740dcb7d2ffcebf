#include "partition/umap/distance_curve.h"

#include <cmath>

#include "base/status.h"

namespace flaim {
namespace {

constexpr int kDistances = 300;
constexpr int kSteps = 200;

double Target(const CurveShape& shape, double distance) {
  return distance < shape.min_distance ? 1 : std::exp(-(distance - shape.min_distance) / shape.spread);
}

// The normal equations of one Gauss-Newton step, in log a and b, which keeps a positive.
struct Normal {
  double aa = 0;
  double ab = 0;
  double bb = 0;
  double a_residual = 0;
  double b_residual = 0;
  double squares = 0;
};

Normal Linearise(const CurveShape& shape, const DistanceCurve& curve) {
  Normal normal;
  for (int place = 0; place < kDistances; ++place) {
    const double distance = 3 * shape.spread * place / (kDistances - 1);
    const double strength = curve.StrengthAt(distance);
    const double residual = Target(shape, distance) - strength;
    normal.squares += residual * residual;
    if (distance == 0) continue;
    const double slope_a = -strength * (1 - strength);
    const double slope_b = 2 * std::log(distance) * slope_a;
    normal.aa += slope_a * slope_a;
    normal.ab += slope_a * slope_b;
    normal.bb += slope_b * slope_b;
    normal.a_residual += slope_a * residual;
    normal.b_residual += slope_b * residual;
  }
  return normal;
}

DistanceCurve Step(const DistanceCurve& curve, const Normal& normal, double damping) {
  const double aa = normal.aa * (1 + damping);
  const double bb = normal.bb * (1 + damping);
  const double determinant = aa * bb - normal.ab * normal.ab;
  const double step_a = (normal.a_residual * bb - normal.b_residual * normal.ab) / determinant;
  const double step_b = (normal.b_residual * aa - normal.a_residual * normal.ab) / determinant;
  return {.a = curve.a * std::exp(step_a), .b = curve.b + step_b};
}

}  // namespace

double DistanceCurve::StrengthAt(double distance) const { return 1 / (1 + a * std::pow(distance, 2 * b)); }

absl::StatusOr<DistanceCurve> FitCurve(const CurveShape& shape) {
  if (!(shape.spread > 0) || !(shape.min_distance >= 0) || !(shape.min_distance <= shape.spread)) {
    return InvalidArgument("points cannot be {} apart with a spread of {}; give 0 <= min_distance <= spread",
                           shape.min_distance, shape.spread);
  }
  DistanceCurve curve{.a = std::pow(shape.spread, -2), .b = 1};
  double damping = 1e-3;
  Normal normal = Linearise(shape, curve);
  for (int step = 0; step < kSteps; ++step) {
    const DistanceCurve tried = Step(curve, normal, damping);
    const Normal there = Linearise(shape, tried);
    const bool better = there.squares < normal.squares;
    damping *= better ? 0.3 : 5;
    if (!better) continue;
    curve = tried;
    normal = there;
  }
  return curve;
}

}  // namespace flaim
