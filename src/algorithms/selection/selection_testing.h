#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/loop/state.h"
#include "algorithms/selection/selector.h"

namespace flaim {

// The port as a selector sees it: without rows, it remembers what it was asked and answers as it was told.
class RecordingFederation final : public Federation {
 public:
  RecordingFederation(Domain domain, std::int64_t clients) : domain_(std::move(domain)), clients_(clients) {}

  const Domain& domain() const override { return domain_; }
  std::int64_t clients() const override { return clients_; }
  absl::StatusOr<Group> Gather(const GroupRequest& request) override;
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override;
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) override;
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) override;

  // What it answers.
  std::vector<std::int64_t> scores;    // for SumScores
  std::int64_t contributors = 50;      // to those
  std::optional<std::size_t> choice;   // for ChooseBySum
  std::vector<std::int64_t> choosers;  // for ChooseLocally and ChooseAtRandom
  std::string provenance = "as recorded";

  // What it was last asked.
  std::optional<ScoresRequest> asked_for_scores;
  std::optional<SumSelection> asked_for_choice;
  std::vector<std::vector<double>> expected;  // of each candidate of that choice
  std::optional<LocalSelection> asked_clients;
  std::optional<RandomSelection> asked_at_random;

 private:
  Domain domain_;
  std::int64_t clients_;
};

// What a selector works with: a run of a method among these candidates, and a state that tests write to.
class SelectionBench {
 public:
  // At epsilon 1. 100 clients.
  SelectionBench(const Domain& domain, Method run_method, std::vector<WeightedQuery> candidates);

  MethodRun Run() { return {method, options, federation, *parallel, *plan}; }
  // A group that releases its one-way marginals, under noise of variance 1 that happens to be 0. Value v of an
  // attribute has v + 1 rows for each of its first.
  void MeasureOneWays(const Group& group, double rows);
  // The model of what was released.
  void Fit();

  Method method;
  RunOptions options;
  RecordingFederation federation;
  std::unique_ptr<Parallel> parallel = std::make_unique<Parallel>(1);
  std::unique_ptr<SpendingPlan> plan;
  RunState state;
};

// The shares of the values of an attribute, as a bench measures them.
std::vector<double> BenchShares(std::int64_t values);

// Attributes of so many values, named a, b, c, ...
Domain DomainOfSizes(const std::vector<std::int64_t>& sizes);

// All pairs, with these weights in lexicographic order; 1 where there are no more.
std::vector<WeightedQuery> PairsWeighing(const Domain& domain, const std::vector<std::int64_t>& weights = {});

}  // namespace flaim
