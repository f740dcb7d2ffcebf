#include "partition/umap/distance_curve.h"

#include <cmath>

#include "gtest/gtest.h"
#include "partition/umap/force_table.h"

namespace flaim {
namespace {

double SquaresOf(const DistanceCurve& curve, const CurveShape& shape) {
  double squares = 0;
  for (int place = 0; place < 300; ++place) {
    const double x = 3 * shape.spread * place / 299;
    const double target = x < shape.min_distance ? 1 : std::exp(-(x - shape.min_distance) / shape.spread);
    squares += std::pow(target - curve.StrengthAt(x), 2);
  }
  return squares;
}

// What umap-learn 0.5.3 finds.
TEST(DistanceCurve, IsThatOfUmapLearn) {
  const DistanceCurve curve = FitCurve({.min_distance = 0.1, .spread = 1}).value();
  EXPECT_NEAR(curve.a, 1.5769, 1e-3);
  EXPECT_NEAR(curve.b, 0.8951, 1e-3);
}

TEST(DistanceCurve, CannotBeImprovedByASmallChange) {
  for (const CurveShape shape : {CurveShape{0.1, 1}, CurveShape{0, 1}, CurveShape{0.5, 1}, CurveShape{0.25, 3}}) {
    const DistanceCurve curve = FitCurve(shape).value();
    const double least = SquaresOf(curve, shape);
    for (const double change : {-1e-3, 1e-3}) {
      EXPECT_LT(least, SquaresOf({curve.a * (1 + change), curve.b}, shape));
      EXPECT_LT(least, SquaresOf({curve.a, curve.b * (1 + change)}, shape));
    }
  }
}

TEST(DistanceCurve, RefusesShapesThatDoNotExist) {
  for (const CurveShape shape : {CurveShape{-0.1, 1}, CurveShape{2, 1}, CurveShape{0, 0}, CurveShape{0, NAN}}) {
    EXPECT_EQ(FitCurve(shape).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(Forces, AreTheGradientsOfTheLogarithms) {
  const DistanceCurve curve = FitCurve({}).value();
  for (const double distance : {0.3, 1.0, 2.5, 10.0}) {
    constexpr double kStep = 1e-6;
    const auto slope = [&](const auto& function) {
      return (function(distance + kStep) - function(distance - kStep)) / (2 * kStep);
    };
    const double attraction = slope([&](double x) { return std::log(curve.StrengthAt(x)); });
    EXPECT_NEAR(Attraction(curve, distance * distance) * distance, attraction, 1e-6);
    const double repulsion = slope([&](double x) { return std::log(1 - curve.StrengthAt(x)); });
    const double softened = repulsion * distance * distance / (0.001 + distance * distance);
    EXPECT_NEAR(Repulsion(curve, distance * distance) * distance, softened, 1e-6);
  }
}

TEST(ForceTable, IsWithinAFewTenThousandthsOfTheFormulas) {
  for (const CurveShape shape : {CurveShape{0.1, 1}, CurveShape{0.8, 1}}) {
    const DistanceCurve curve = FitCurve(shape).value();
    const ForceTable table(curve);
    for (double squared = 0x1p-24; squared < 0x1p24; squared *= 1.0013) {
      const auto x = static_cast<float>(squared);
      EXPECT_NEAR(table.AttractionAt(x) / Attraction(curve, x), 1, 5e-4) << squared;
      EXPECT_NEAR(table.RepulsionAt(x) / Repulsion(curve, x), 1, 5e-4) << squared;
    }
  }
}

TEST(ForceTable, HoldsItsLastValuesBeyondItsEnds) {
  const ForceTable table(FitCurve({}).value());
  EXPECT_EQ(table.AttractionAt(0), table.AttractionAt(0x1p-24F));
  EXPECT_EQ(table.RepulsionAt(0), table.RepulsionAt(0x1p-24F));
  EXPECT_EQ(table.RepulsionAt(1e30F), table.RepulsionAt(0x1p24F));
  EXPECT_GT(table.RepulsionAt(1e30F), 0);
}

}  // namespace
}  // namespace flaim
