#include "algorithms/loop/released_marginals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/check.h"

namespace flaim {
namespace {

// How much the shares of a one-way marginal differ from group to group beyond their noise: a variance h, summed over
// the cells.
//
// Groups are weighed by their precision u = 1 / v, so that one of few rows, whose shares are all noise, does not pass
// for a difference: with Q the weighted squares about the weighted mean, E Q = (groups - 1) cells + h (sum u - sum u^2
// / sum u) (DerSimonian and Laird 1986).
double VarianceBetween(const Groups& groups) {
  if (groups.size() < 2) return 0;
  const std::size_t cells = groups.front().measured->values.size();
  double precision = 0;
  double squared_precision = 0;
  for (const GroupShares& group : groups) {
    precision += 1 / group.Variance();
    squared_precision += std::pow(1 / group.Variance(), 2);
  }
  double squares = 0;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    double mean = 0;
    for (const GroupShares& group : groups) mean += group.Share(cell) / group.Variance() / precision;
    for (const GroupShares& group : groups) squares += std::pow(group.Share(cell) - mean, 2) / group.Variance();
  }
  const double noise = static_cast<double>((groups.size() - 1) * cells);
  return std::max(0.0, (squares - noise) / (precision - squared_precision / precision));
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

std::vector<ReleasedMarginal> ReleasedOf(const NoisyMarginals& noisy, double variance, const Group& group,
                                         Contributors contributors) {
  std::vector<ReleasedMarginal> released;
  for (const NoisyMarginal& marginal : noisy.marginals) {
    released.push_back(
        {{marginal.clique, {marginal.counts.begin(), marginal.counts.end()}, variance}, group, contributors});
  }
  return released;
}

void ReleasedMarginals::Add(ReleasedMarginal released) {
  if (released.contributors == Contributors::kEverybody) {
    const auto members = static_cast<double>(released.group.members);
    const double weight = 1 / (released.measured.variance * static_cast<double>(released.measured.values.size()));
    const double sum = released.Sum();
    rows_per_client_.weighted_sum += weight * members * sum;
    rows_per_client_.weight += weight * members * members;
    if (released.measured.clique.size() == 1) {
      RowsEstimate& rows = rows_of_round_[released.group.round];
      rows.weighted_sum += weight * sum;
      rows.weight += weight;
    }
  }
  released_.push_back(std::move(released));
}

double ReleasedMarginals::RowsPerClient() const {
  const double fewest = 1 / static_cast<double>(clients_);
  if (rows_per_client_.weight == 0) return fewest;
  return std::max(fewest, rows_per_client_.weighted_sum / rows_per_client_.weight);
}

double ReleasedMarginals::RowsOf(const Group& group) const {
  const auto own = rows_of_round_.find(group.round);
  if (own != rows_of_round_.end()) return std::max(1.0, own->second.weighted_sum / own->second.weight);
  return RowsPerClient() * static_cast<double>(group.members);
}

double ReleasedMarginals::RowsIn(const ReleasedMarginal& released) const {
  const double most = RowsOf(released.group);
  if (released.contributors == Contributors::kEverybody) return most;
  return std::clamp(released.Sum(), std::min(RowsPerClient(), most), most);
}

Measurement ScaledTo(double total, double rows, Measurement measurement) {
  const double scale = total / rows;
  for (double& value : measurement.values) value *= scale;
  measurement.variance *= scale * scale;
  return measurement;
}

std::vector<Measurement> ReleasedMarginals::WeightedBySize(Weighting weighting, double total) const {
  std::vector<Measurement> weighted;
  for (const ReleasedMarginal& released : released_) {
    weighted.push_back(ScaledTo(total, RowsIn(released), released.measured));
    if (weighting == Weighting::kInverseSigma) weighted.back().variance = released.measured.variance;
  }
  return weighted;
}

std::map<Clique, Groups> ReleasedMarginals::GroupsByClique() const {
  std::map<Clique, Groups> groups_of;
  for (const ReleasedMarginal& released : released_) {
    const double rows = RowsOf(released.group);
    groups_of[released.measured.clique].push_back({&released.measured, rows, std::min(1.0, rows / Total())});
  }
  return groups_of;
}

std::map<AttributeIndex, double> ReleasedMarginals::BetweenGroups() const {
  std::map<AttributeIndex, double> between_groups;
  for (const auto& [clique, groups] : GroupsByClique()) {
    if (clique.size() == 1) between_groups[clique.attributes().front()] = VarianceBetween(groups);
  }
  return between_groups;
}

double BetweenGroupsOf(const Clique& clique, const std::map<AttributeIndex, double>& between_groups) {
  double least = std::numeric_limits<double>::infinity();
  for (const AttributeIndex attribute : clique) {
    const auto known = between_groups.find(attribute);
    least = std::min(least, known == between_groups.end() ? 0 : known->second);
  }
  return least;
}

std::vector<Measurement> ReleasedMarginals::WeightedByHeterogeneity(double total) const {
  const std::map<AttributeIndex, double> between_groups = BetweenGroups();
  std::vector<Measurement> weighted;
  for (const auto& [clique, groups] : GroupsByClique()) {
    const auto cells = static_cast<double>(groups.front().measured->values.size());
    weighted.push_back(Pool(clique, groups, BetweenGroupsOf(clique, between_groups) / cells, total));
  }
  return weighted;
}

std::vector<Measurement> ReleasedMarginals::AsMeasured() const {
  std::vector<Measurement> measurements;
  for (const ReleasedMarginal& released : released_) measurements.push_back(released.measured);
  return measurements;
}

std::vector<Measurement> ReleasedMarginals::Weighted(Weighting weighting, double total) const {
  switch (weighting) {
    case Weighting::kSameRows:
      return AsMeasured();
    case Weighting::kHeterogeneity:
      return WeightedByHeterogeneity(total);
    case Weighting::kInverseSigma:
    case Weighting::kNoisySizes:
      return WeightedBySize(weighting, total);
    case Weighting::kTrueSizes:
      break;
  }
  CHECK(false, "only an insider knows true sizes");
}

}  // namespace flaim
