#include "secagg/kernels/field61.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/seeded_random_source.h"
#include "secagg/kernels/field61_testing.h"

namespace flaim::secagg {
namespace {

const std::vector<std::uint64_t>& Edges() {
  static const std::vector<std::uint64_t> edges = {
      0,
      1,
      2,
      3,
      (std::uint64_t{1} << 30) - 1,
      std::uint64_t{1} << 31,
      std::uint64_t{1} << 60,
      kFieldPrime / 2,
      kFieldPrime / 2 + 1,
      kFieldPrime - 2,
      kFieldPrime - 1,
  };
  return edges;
}

template <typename Property>
void ForPairs(const Property& property) {
  for (const std::uint64_t a : Edges()) {
    for (const std::uint64_t b : Edges()) property(a, b);
  }
  SeededRandomSource random(1);
  for (int i = 0; i < 100000; ++i) property(random.NextBelow(kFieldPrime), random.NextBelow(kFieldPrime));
}

std::vector<std::uint64_t> RandomElements(std::size_t count, RandomSource& random) {
  std::vector<std::uint64_t> elements(count);
  for (std::uint64_t& element : elements) element = random.NextBelow(kFieldPrime);
  return elements;
}

// Small ones, as ranks are, and large ones.
std::vector<std::uint64_t> DistinctPoints(std::size_t count, RandomSource& random) {
  const std::uint64_t bound = random.NextBelow(2) == 0 ? 2 * count + 1 : kFieldPrime;
  std::set<std::uint64_t> points;
  while (points.size() < count) points.insert(1 + random.NextBelow(bound - 1));
  return {points.begin(), points.end()};
}

TEST(Field61, AddsAndSubtractsModuloThePrime) {
  ForPairs([](std::uint64_t a, std::uint64_t b) {
    ASSERT_EQ(FieldAdd(a, b), (a + b) % kFieldPrime);
    ASSERT_EQ(FieldSubtract(a, b), (a + (kFieldPrime - b)) % kFieldPrime);
  });
}

TEST(Field61, MultipliesAsItsNaiveTwin) {
  ForPairs([](std::uint64_t a, std::uint64_t b) { ASSERT_EQ(FieldMultiply(a, b), FieldMultiplyNaive(a, b)); });
}

TEST(Field61, HasAnInverseForEveryElementButZero) {
  SeededRandomSource random(2);
  std::vector<std::uint64_t> elements = RandomElements(2000, random);
  elements.insert(elements.end(), Edges().begin(), Edges().end());
  for (const std::uint64_t element : elements) {
    if (element == 0) continue;
    const std::uint64_t inverse = FieldInverse(element);
    ASSERT_LT(inverse, kFieldPrime);
    ASSERT_EQ(FieldMultiplyNaive(element, inverse), 1U) << element;
  }
  EXPECT_DEATH(FieldInverse(0), "zero has no inverse");
}

TEST(Field61, EvaluatesPolynomialsAsItsNaiveTwin) {
  SeededRandomSource random(3);
  EXPECT_EQ(FieldEvaluate({}, 7), 0U);
  for (int repetition = 0; repetition < 500; ++repetition) {
    const std::vector<std::uint64_t> coefficients = RandomElements(1 + random.NextBelow(200), random);
    const std::uint64_t point = random.NextBelow(repetition % 2 == 0 ? 300 : kFieldPrime);
    ASSERT_EQ(FieldEvaluate(coefficients, point), FieldEvaluateNaive(coefficients, point));
  }
  const std::vector<std::uint64_t> largest(200, kFieldPrime - 1);
  EXPECT_EQ(FieldEvaluate(largest, kFieldPrime - 1), FieldEvaluateNaive(largest, kFieldPrime - 1));
}

TEST(Field61, HasTheLagrangeCoefficientsOfItsNaiveTwin) {
  SeededRandomSource random(4);
  for (int repetition = 0; repetition < 30; ++repetition) {
    const std::vector<std::uint64_t> points = DistinctPoints(1 + random.NextBelow(40), random);
    std::vector<std::uint64_t> coefficients(points.size());
    std::vector<std::uint64_t> expected(points.size());
    LagrangeAtZero(points, coefficients);
    LagrangeAtZeroNaive(points, expected);
    ASSERT_EQ(coefficients, expected);
  }
}

TEST(Field61, InterpolatesTheConstantTermOfEveryPolynomial) {
  SeededRandomSource random(5);
  for (int repetition = 0; repetition < 50; ++repetition) {
    const std::vector<std::uint64_t> points = DistinctPoints(1 + random.NextBelow(200), random);
    const std::vector<std::uint64_t> polynomial = RandomElements(points.size(), random);
    std::vector<std::uint64_t> coefficients(points.size());
    LagrangeAtZero(points, coefficients);
    std::uint64_t constant = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      constant = FieldAdd(constant, FieldMultiply(coefficients[i], FieldEvaluate(polynomial, points[i])));
    }
    ASSERT_EQ(constant, polynomial[0]);
  }
}

TEST(Field61, DoesNotInterpolateFromPointsThatRepeatOrAreZero) {
  std::vector<std::uint64_t> coefficients(3);
  EXPECT_DEATH(LagrangeAtZero(std::vector<std::uint64_t>{4, 9, 4}, coefficients), "distinct and not zero");
  EXPECT_DEATH(LagrangeAtZero(std::vector<std::uint64_t>{4, 0, 5}, coefficients), "distinct and not zero");
}

}  // namespace
}  // namespace flaim::secagg
