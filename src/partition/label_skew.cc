#include "partition/label_skew.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "partition/standard_normal.h"

namespace flaim {
namespace {

// Marsaglia and Tsang 2000: cubes of shifted normals, accepted with probability above 0.95.
double DrawLogGammaFromOne(double shape, RandomSource& random) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double normal = DrawStandardNormal(random);
    const double cube = std::pow(1 + c * normal, 3);
    if (cube <= 0) continue;
    const double log_unit = std::log(DrawPositiveUnit(random));
    if (log_unit < normal * normal / 2 + d * (1 - cube + std::log(cube))) return std::log(d * cube);
  }
}

// The client whose stretch of the cumulated shares holds the point.
std::uint32_t ClientAt(const std::vector<double>& cumulated, double point) {
  const auto client = std::upper_bound(cumulated.begin(), cumulated.end() - 1, point * cumulated.back());
  return static_cast<std::uint32_t>(client - cumulated.begin());
}

}  // namespace

double DrawLogGamma(double shape, RandomSource& random) {
  CHECK(shape > 0 && std::isfinite(shape), "a shape of {}", shape);
  if (shape >= 1) return DrawLogGammaFromOne(shape, random);
  const double raised = DrawLogGammaFromOne(shape + 1, random);
  return raised + std::log(DrawPositiveUnit(random)) / shape;
}

std::vector<double> DrawDirichlet(std::size_t count, double beta, RandomSource& random) {
  CHECK(count >= 1, "no parts");
  std::vector<double> shares(count);
  for (double& share : shares) share = DrawLogGamma(beta, random);
  const double largest = *std::max_element(shares.begin(), shares.end());
  for (double& share : shares) share = std::exp(share - largest);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

Partition PartitionByLabelSkew(std::span<const std::uint32_t> class_of_row, std::size_t clients, double beta,
                               RandomSource& random) {
  CHECK(clients >= 1 && clients <= kMaxClients, "{} clients", clients);
  Partition partition{.client_of_row = std::vector<std::uint32_t>(class_of_row.size()), .clients = clients};
  std::vector<std::uint32_t> rows(class_of_row.size());
  std::iota(rows.begin(), rows.end(), 0U);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t left, std::uint32_t right) { return class_of_row[left] < class_of_row[right]; });
  std::vector<double> cumulated;
  for (std::size_t place = 0; place < rows.size(); ++place) {
    const bool is_new_class = place == 0 || class_of_row[rows[place]] != class_of_row[rows[place - 1]];
    if (is_new_class) {
      cumulated = DrawDirichlet(clients, beta, random);
      std::partial_sum(cumulated.begin(), cumulated.end(), cumulated.begin());
    }
    partition.client_of_row[rows[place]] = ClientAt(cumulated, random.NextUnit());
  }
  return partition;
}

}  // namespace flaim
