#include "algorithms/federated/released_marginals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/check.h"

namespace flaim {
namespace {

constexpr double kFewestRowsPerClient = 1e-3;

// The sums of one marginal over the rounds that measured it, as shares of the rows in them.
struct PooledMarginal {
  std::vector<double> sum;
  double rows = 0;
  double variance = 0;  // of each cell of the sum
  std::int64_t clients = 0;
  std::vector<const ReleasedMarginal*> rounds;
};

// How much the shares of a one-way marginal differ from group to group beyond their noise: a variance, summed over the
// cells.
double BetweenGroups(const PooledMarginal& pooled, std::span<const double> rows_of_round) {
  const std::size_t rounds = pooled.rounds.size();
  if (rounds < 2) return 0;
  double squares = 0;
  double noise = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    const Measurement& measured = pooled.rounds[i]->measured;
    for (std::size_t cell = 0; cell < pooled.sum.size(); ++cell) {
      const double difference = measured.values[cell] / rows_of_round[i] - pooled.sum[cell] / pooled.rows;
      squares += difference * difference;
    }
    noise += static_cast<double>(pooled.sum.size()) * measured.variance / (rows_of_round[i] * rows_of_round[i]);
  }
  const auto count = static_cast<double>(rounds);
  return std::max(0.0, squares / (count - 1) - noise / count);
}

}  // namespace

double ReleasedMarginal::Sum() const { return std::accumulate(measured.values.begin(), measured.values.end(), 0.0); }

void ReleasedMarginals::Add(const NoisyMarginals& noisy, double variance, const Group& group,
                            Contributors contributors) {
  for (const NoisyMarginal& marginal : noisy.marginals) {
    released_.push_back({{marginal.clique, {marginal.counts.begin(), marginal.counts.end()}, variance},
                         group,
                         contributors,
                         marginal.true_rows});
  }
}

double ReleasedMarginals::RowsPerClient() const {
  double numerator = 0;
  double denominator = 0;
  for (const ReleasedMarginal& released : released_) {
    if (released.contributors != Contributors::kEverybody) continue;
    const auto members = static_cast<double>(released.group.members);
    const double weight = 1 / (released.measured.variance * static_cast<double>(released.measured.values.size()));
    numerator += weight * members * released.Sum();
    denominator += weight * members * members;
  }
  return denominator > 0 ? std::max(kFewestRowsPerClient, numerator / denominator) : kFewestRowsPerClient;
}

double ReleasedMarginals::RowsOf(const Group& group) const {
  std::vector<Measurement> own;
  for (const ReleasedMarginal& released : released_) {
    const bool is_own = released.group.round == group.round && released.contributors == Contributors::kEverybody;
    if (is_own && released.measured.clique.size() == 1) own.push_back(released.measured);
  }
  if (!own.empty()) return EstimateTotal(own);
  return RowsPerClient() * static_cast<double>(group.members);
}

double ReleasedMarginals::RowsIn(const ReleasedMarginal& released, const Method& method) const {
  if (method.weighting == Weighting::kTrueSizes) {
    CHECK(released.true_rows.has_value(), "only an oracle knows true sizes");
    return std::max(1.0, static_cast<double>(*released.true_rows));
  }
  if (method.as_published) return released.Sum();
  const double most = RowsOf(released.group);
  if (released.contributors == Contributors::kEverybody) return most;
  return std::clamp(released.Sum(), std::min(RowsPerClient(), most), most);
}

std::vector<Measurement> ReleasedMarginals::WeightedBySize(const Method& method, double total) const {
  std::vector<Measurement> weighted;
  for (const ReleasedMarginal& released : released_) {
    const double rows = RowsIn(released, method);
    if (rows == 0) continue;
    const double scale = total / rows;
    Measurement measurement = released.measured;
    for (double& value : measurement.values) value *= scale;
    if (method.weighting != Weighting::kInverseSigma) measurement.variance *= scale * scale;
    weighted.push_back(std::move(measurement));
  }
  return weighted;
}

std::vector<Measurement> ReleasedMarginals::WeightedByHeterogeneity(double total) const {
  std::map<std::int64_t, double> rows_of_round;
  std::map<Clique, PooledMarginal> pooled_marginals;
  std::map<Clique, std::vector<double>> rows_of_clique;
  for (const ReleasedMarginal& released : released_) {
    const auto [known, is_new] = rows_of_round.try_emplace(released.group.round);
    if (is_new) known->second = RowsOf(released.group);
    PooledMarginal& pooled = pooled_marginals[released.measured.clique];
    pooled.sum.resize(released.measured.values.size());
    for (std::size_t cell = 0; cell < pooled.sum.size(); ++cell) pooled.sum[cell] += released.measured.values[cell];
    pooled.rows += known->second;
    pooled.variance += released.measured.variance;
    pooled.clients += released.group.members;
    pooled.rounds.push_back(&released);
    rows_of_clique[released.measured.clique].push_back(known->second);
  }
  std::map<AttributeIndex, double> heterogeneity;
  for (const auto& [clique, pooled] : pooled_marginals) {
    if (clique.size() != 1) continue;
    heterogeneity[clique.attributes().front()] = BetweenGroups(pooled, rows_of_clique[clique]);
  }

  std::vector<Measurement> weighted;
  for (const auto& [clique, pooled] : pooled_marginals) {
    double between = heterogeneity.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (const AttributeIndex attribute : clique) {
      const auto known = heterogeneity.find(attribute);
      between = std::min(between, known == heterogeneity.end() ? 0 : known->second);
    }
    const double rounds = static_cast<double>(pooled.rounds.size());
    const double absent = std::max(0.0, 1 - static_cast<double>(pooled.clients) / static_cast<double>(clients_));
    const double cells = static_cast<double>(pooled.sum.size());
    Measurement measurement{clique, pooled.sum, pooled.variance / (pooled.rows * pooled.rows)};
    measurement.variance += between / cells / rounds * absent;
    measurement.variance *= total * total;
    for (double& value : measurement.values) value *= total / pooled.rows;
    weighted.push_back(std::move(measurement));
  }
  return weighted;
}

std::vector<Measurement> ReleasedMarginals::Weighted(const Method& method, double total) const {
  return method.weighting == Weighting::kHeterogeneity ? WeightedByHeterogeneity(total)
                                                       : WeightedBySize(method, total);
}

}  // namespace flaim
