#include "algorithms/loop/released_marginals.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "base/check.h"

namespace flaim {

double ReleasedMarginal::Sum() const { return std::accumulate(measured.values.begin(), measured.values.end(), 0.0); }

std::vector<ReleasedMarginal> ReleasedOf(const NoisyMarginals& noisy, Group group, Contributors contributors) {
  CHECK(noisy.variance > 0 && noisy.contributors > 0, "variance {} of {} contributors", noisy.variance,
        noisy.contributors);
  group.members = noisy.contributors;
  std::vector<ReleasedMarginal> released;
  for (const NoisyMarginal& marginal : noisy.marginals) {
    released.push_back(
        {{marginal.clique, {marginal.counts.begin(), marginal.counts.end()}, noisy.variance}, group, contributors});
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
      if (rows.members == 0) rows.members = members;
      const double part = members / rows.members;
      rows.weighted_sum += weight * part * sum;
      rows.weight += weight * part * part;
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
  if (own != rows_of_round_.end()) {
    const double part = static_cast<double>(group.members) / own->second.members;
    return std::max(1.0, own->second.weighted_sum / own->second.weight * part);
  }
  return RowsPerClient() * static_cast<double>(group.members);
}

const ReleasedMarginal& ReleasedMarginals::Latest(const Clique& clique) const {
  const auto latest = std::find_if(released_.rbegin(), released_.rend(), [&](const ReleasedMarginal& released) {
    return released.measured.clique == clique;
  });
  CHECK(latest != released_.rend(), "nothing was released of this marginal");
  return *latest;
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

std::vector<Clique> ReleasedMarginals::Cliques() const {
  std::set<Clique> cliques;
  for (const ReleasedMarginal& released : released_) cliques.insert(released.measured.clique);
  return {cliques.begin(), cliques.end()};
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
