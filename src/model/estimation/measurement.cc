#include "model/estimation/measurement.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/check.h"

namespace flaim {

std::vector<Measurement> MergeMeasurements(std::span<const Measurement> measurements) {
  std::map<Clique, Measurement> merged;
  for (const Measurement& measurement : measurements) {
    CHECK(measurement.variance > 0);
    const double weight = 1 / measurement.variance;
    auto [entry, is_new] = merged.try_emplace(
        measurement.clique, Measurement{measurement.clique, std::vector<double>(measurement.values.size(), 0), 0});
    Measurement& sum = entry->second;  // until the end, `variance` holds the sum of weights
    CHECK(sum.values.size() == measurement.values.size());
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += weight * measurement.values[i];
    sum.variance += weight;
  }
  std::vector<Measurement> result;
  for (auto& [clique, sum] : merged) {
    for (double& value : sum.values) value /= sum.variance;
    sum.variance = 1 / sum.variance;
    result.push_back(std::move(sum));
  }
  return result;
}

double EstimateTotal(std::span<const Measurement> measurements) {
  CHECK(!measurements.empty());
  double weighted = 0;
  double weights = 0;
  for (const Measurement& measurement : measurements) {
    const double weight = 1 / (measurement.variance * static_cast<double>(measurement.values.size()));
    weighted += weight * std::accumulate(measurement.values.begin(), measurement.values.end(), 0.0);
    weights += weight;
  }
  return std::max(1.0, weighted / weights);
}

}  // namespace flaim
