#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/loop/pooling.h"
#include "algorithms/methods/method.h"
#include "federation/federation.h"
#include "model/estimation/measurement.h"

namespace flaim {

// A noisy sum of counts, and whose it is.
struct ReleasedMarginal {
  Measurement measured;  // noisy counts
  Group group;           // its members are those in the sum
  Contributors contributors = Contributors::kEverybody;

  double Sum() const;  // over the cells
};

// What a group released, marginal by marginal.
std::vector<ReleasedMarginal> ReleasedOf(const NoisyMarginals& noisy, Group group, Contributors contributors);

// The counts of `rows` records as those of `total`.
Measurement ScaledTo(double total, double rows, Measurement measurement);

// All noisy sums of a run, and what can be concluded from them. Groups have different sizes, and nobody knows them;
// everything here is computed from released numbers.
class ReleasedMarginals {
 public:
  explicit ReleasedMarginals(std::int64_t clients) : clients_(clients) {}

  void Add(ReleasedMarginal released);

  // By least squares over all sums to which whole groups contributed. At least one row for all clients together.
  double RowsPerClient() const;
  // The rows of one round's group: from its own one-way marginals if it measured them, otherwise by its members. Where
  // not all members are in a sum, each is taken to have as many rows as the others.
  double RowsOf(const Group& group) const;
  // The rows of all clients.
  double Total() const { return RowsPerClient() * static_cast<double>(clients_); }

  // How much the shares of each attribute differ from group to group beyond their noise: a variance, summed over the
  // cells. Attributes that were not measured are absent; 0 as long as they were not measured twice.
  std::map<AttributeIndex, double> BetweenGroups() const;

  // In the order of their release.
  std::span<const ReleasedMarginal> all() const { return released_; }
  // The last of a marginal. REQUIRES: it was released.
  const ReleasedMarginal& Latest(const Clique& clique) const;
  std::vector<Measurement> AsMeasured() const;
  // Without repeats, sorted.
  std::vector<Clique> Cliques() const;
  // What a model of `total` records is fitted to. REQUIRES: a weighting that needs no insider.
  std::vector<Measurement> Weighted(Weighting weighting, double total) const;

 private:
  // An inverse-variance mean in the making.
  struct RowsEstimate {
    double weighted_sum = 0;
    double weight = 0;
    double members = 0;  // whose rows these are
  };

  std::map<Clique, Groups> GroupsByClique() const;
  double RowsIn(const ReleasedMarginal& released) const;
  std::vector<Measurement> WeightedBySize(Weighting weighting, double total) const;
  std::vector<Measurement> WeightedByHeterogeneity(double total) const;

  std::int64_t clients_;
  std::vector<ReleasedMarginal> released_;
  RowsEstimate rows_per_client_;
  std::map<std::int64_t, RowsEstimate> rows_of_round_;
};

// That of a larger marginal is taken to be the least of its attributes'.
double BetweenGroupsOf(const Clique& clique, const std::map<AttributeIndex, double>& between_groups);

}  // namespace flaim
