#include "algorithms/federated/released_marginals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/check.h"

namespace flaim {
namespace {

constexpr double kFewestRowsPerClient = 1e-3;

// How much the shares of a one-way marginal differ from group to group beyond their noise: a variance, summed over the
// cells.
double VarianceBetween(const Groups& groups) {
  if (groups.size() < 2) return 0;
  const auto count = static_cast<double>(groups.size());
  const std::size_t cells = groups.front().measured->values.size();
  double squares = 0;
  double noise = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    double mean = 0;
    for (const GroupShares& group : groups) mean += group.Share(cell) / count;
    for (const GroupShares& group : groups) squares += std::pow(group.Share(cell) - mean, 2);
  }
  for (const GroupShares& group : groups) noise += static_cast<double>(cells) * group.Variance();
  return std::max(0.0, squares / (count - 1) - noise / count);
}

// Of the attributes of the clique.
double LeastVarianceBetween(const Clique& clique, const std::map<Clique, Groups>& groups_of) {
  double least = std::numeric_limits<double>::infinity();
  for (const AttributeIndex attribute : clique) {
    const auto groups = groups_of.find(Clique({attribute}));
    least = std::min(least, groups == groups_of.end() ? 0 : VarianceBetween(groups->second));
  }
  return least;
}

// All groups as one measurement of the population, of `total` rows. With v_g the noise of a group's shares, f_g its
// share of the population and h the variance of a cell between groups, weights w_g that add up to 1 leave the variance
//
//   sum w_g^2 v_g + h sum (w_g - f_g)^2 + h (what the groups that did not measure it miss),
//
// which is least for w_g = (h f_g + lambda) / (v_g + h).
Measurement Pool(const Clique& clique, const Groups& groups, double between_per_cell, double total) {
  const double h = between_per_cell;
  double fixed = 0;
  double free = 0;
  double seen = 0;
  for (const GroupShares& group : groups) {
    fixed += h * group.population / (group.Variance() + h);
    free += 1 / (group.Variance() + h);
    seen += group.population;
  }
  const double lambda = (1 - fixed) / free;
  Measurement pooled{clique, std::vector<double>(groups.front().measured->values.size()), 0};
  for (const GroupShares& group : groups) {
    const double weight = (h * group.population + lambda) / (group.Variance() + h);
    pooled.variance += weight * weight * group.Variance() + h * std::pow(weight - group.population, 2);
    for (std::size_t cell = 0; cell < pooled.values.size(); ++cell) {
      pooled.values[cell] += weight * group.Share(cell) * total;
    }
  }
  // The others are taken to be as large as these.
  pooled.variance += h * std::max(0.0, 1 - seen) * seen / static_cast<double>(groups.size());
  pooled.variance *= total * total;
  return pooled;
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

std::map<Clique, Groups> ReleasedMarginals::GroupsByClique() const {
  std::map<std::int64_t, double> rows_of_round;
  std::map<Clique, Groups> groups_of;
  for (const ReleasedMarginal& released : released_) {
    const auto [rows, is_new] = rows_of_round.try_emplace(released.group.round);
    if (is_new) rows->second = RowsOf(released.group);
    const double population =
        std::min(1.0, static_cast<double>(released.group.members) / static_cast<double>(clients_));
    groups_of[released.measured.clique].push_back({&released.measured, rows->second, population});
  }
  return groups_of;
}

double ReleasedMarginals::BetweenGroups(const Clique& clique) const {
  const std::map<Clique, Groups> groups_of = GroupsByClique();
  return LeastVarianceBetween(clique, groups_of);
}

std::vector<Measurement> ReleasedMarginals::WeightedByHeterogeneity(double total) const {
  const std::map<Clique, Groups> groups_of = GroupsByClique();
  std::vector<Measurement> weighted;
  for (const auto& [clique, groups] : groups_of) {
    const auto cells = static_cast<double>(groups.front().measured->values.size());
    weighted.push_back(Pool(clique, groups, LeastVarianceBetween(clique, groups_of) / cells, total));
  }
  return weighted;
}

std::vector<Measurement> ReleasedMarginals::Weighted(const Method& method, double total) const {
  return method.weighting == Weighting::kHeterogeneity ? WeightedByHeterogeneity(total) : WeightedBySize(method, total);
}

}  // namespace flaim
