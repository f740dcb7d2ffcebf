#include "partition/umap/principal_plane.h"

#include <cmath>
#include <numeric>

#include "partition/parallel_blocks.h"

namespace flaim {
namespace {

constexpr std::size_t kProductBlock = 4096;
constexpr int kIterations = 300;

using Vector = std::vector<double>;

double Dot(const Vector& left, const Vector& right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

Vector MeanOf(const Points& points) {
  Vector mean(points.dimensions);
  for (std::size_t point = 0; point < points.size(); ++point) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += static_cast<double>(points.at(point)[i]);
  }
  for (double& value : mean) value /= static_cast<double>(points.size());
  return mean;
}

void AddProducts(std::span<const float> point, const Vector& mean, Vector& offset, Vector& products) {
  const std::size_t dimensions = mean.size();
  for (std::size_t i = 0; i < dimensions; ++i) offset[i] = static_cast<double>(point[i]) - mean[i];
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j <= i; ++j) products[i * dimensions + j] += offset[i] * offset[j];
  }
}

// Sums over fixed blocks, added in their order, so that rounding does not depend on the threads.
Vector Covariance(const Points& points, const Vector& mean, Parallel& parallel) {
  const std::size_t dimensions = points.dimensions;
  std::vector<Vector> products((points.size() + kProductBlock - 1) / kProductBlock, Vector(dimensions * dimensions));
  std::vector<Vector> offsets(static_cast<std::size_t>(parallel.threads()), Vector(dimensions));
  ForEachInBlocks(points.size(), kProductBlock, parallel, [&](std::size_t point, int thread) {
    AddProducts(points.at(point), mean, offsets[static_cast<std::size_t>(thread)], products[point / kProductBlock]);
  });
  Vector covariance(dimensions * dimensions);
  for (const Vector& block : products) {
    for (std::size_t cell = 0; cell < covariance.size(); ++cell) covariance[cell] += block[cell];
  }
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < i; ++j) covariance[j * dimensions + i] = covariance[i * dimensions + j];
  }
  return covariance;
}

Vector Multiply(const Vector& matrix, const Vector& vector) {
  Vector product(vector.size());
  for (std::size_t i = 0; i < vector.size(); ++i) {
    for (std::size_t j = 0; j < vector.size(); ++j) product[i] += matrix[i * vector.size() + j] * vector[j];
  }
  return product;
}

void Normalise(Vector& vector) {
  const double length = std::sqrt(Dot(vector, vector));
  if (length == 0) return;
  for (double& value : vector) value /= length;
}

void RemoveDirection(const Vector& direction, Vector& vector) {
  const double share = Dot(direction, vector);
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= share * direction[i];
}

struct Plane {
  Vector first;
  Vector second;
};

// Two-dimensional power iteration. Starts from directions that no column dominates.
Plane LargestDirections(const Vector& covariance, std::size_t dimensions) {
  Plane plane{Vector(dimensions), Vector(dimensions)};
  for (std::size_t i = 0; i < dimensions; ++i) {
    plane.first[i] = 1 + 0.1 * std::cos(static_cast<double>(i));
    plane.second[i] = std::sin(1 + 2.3 * static_cast<double>(i));
  }
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    plane.first = Multiply(covariance, plane.first);
    Normalise(plane.first);
    RemoveDirection(plane.first, plane.second);
    plane.second = Multiply(covariance, plane.second);
    RemoveDirection(plane.first, plane.second);
    Normalise(plane.second);
  }
  return plane;
}

}  // namespace

PlanePoints ProjectOnPrincipalPlane(const Points& points, Parallel& parallel) {
  if (points.size() == 0) return {};
  const Vector mean = MeanOf(points);
  const Plane plane = LargestDirections(Covariance(points, mean, parallel), points.dimensions);
  PlanePoints projected(points.size());
  ForEachInBlocks(points.size(), kProductBlock, parallel, [&](std::size_t point, int) {
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < points.dimensions; ++i) {
      const double offset = static_cast<double>(points.at(point)[i]) - mean[i];
      first += offset * plane.first[i];
      second += offset * plane.second[i];
    }
    projected[point] = {static_cast<float>(first), static_cast<float>(second)};
  });
  return projected;
}

}  // namespace flaim
