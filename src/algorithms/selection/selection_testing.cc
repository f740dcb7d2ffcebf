#include "algorithms/selection/selection_testing.h"

#include <utility>

#include "algorithms/spending/spending.h"
#include "base/check.h"
#include "base/status.h"

namespace flaim {

absl::StatusOr<Group> RecordingFederation::Gather(const GroupRequest&) {
  return absl::UnimplementedError("no groups here");
}
absl::StatusOr<NoisyMarginals> RecordingFederation::SumCounts(const CountsRequest&) {
  return absl::UnimplementedError("no rows here");
}

absl::StatusOr<NoisyCounts> RecordingFederation::SumScores(const ScoresRequest& request) {
  asked_for_scores = request;
  return NoisyCounts{.values = scores, .provenance = provenance, .contributors = contributors};
}

absl::StatusOr<SumChoice> RecordingFederation::ChooseBySum(const SumSelection& request) {
  asked_for_choice = request;
  expected.clear();
  for (std::size_t i = 0; i < request.candidates.size(); ++i) expected.push_back(request.expected(i));
  return SumChoice{choice, provenance};
}

absl::StatusOr<LocalChoices> RecordingFederation::ChooseLocally(const LocalSelection& request) {
  asked_clients = request;
  return LocalChoices{choosers, provenance};
}

absl::StatusOr<LocalChoices> RecordingFederation::ChooseAtRandom(const RandomSelection& request) {
  asked_at_random = request;
  return LocalChoices{choosers, provenance};
}

SelectionBench::SelectionBench(const Domain& domain, Method run_method, std::vector<WeightedQuery> candidates)
    : method(std::move(run_method)),
      options{.budget = PrivacyBudget::Create(1, 1e-5).value()},
      federation(domain, 100),
      plan(MakeSpendingPlan(method, options.budget, domain.size()).value()),
      state(100, std::move(candidates), {}) {}

void SelectionBench::MeasureOneWays(const Group& group, double rows) {
  for (AttributeIndex attribute = 0; attribute < federation.domain().size(); ++attribute) {
    std::vector<double> counts = BenchShares(federation.domain()[attribute].size);
    for (double& count : counts) count *= rows;
    ReleasedMarginal released;
    released.measured = {Clique({attribute}), std::move(counts), 1};
    released.group = group;
    state.Add(std::move(released));
  }
}

void SelectionBench::Fit() { CHECK(state.Refit(Run(), {.relative_gap = 1e-6}).ok(), "no model of these marginals"); }

std::vector<double> BenchShares(std::int64_t values) {
  std::vector<double> shares;
  for (std::int64_t value = 1; value <= values; ++value) {
    shares.push_back(2.0 * static_cast<double>(value) / static_cast<double>(values * (values + 1)));
  }
  return shares;
}

Domain DomainOfSizes(const std::vector<std::int64_t>& sizes) {
  std::vector<Attribute> attributes;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    attributes.push_back({std::string(1, static_cast<char>('a' + i)), sizes[i]});
  }
  return Domain::Create(std::move(attributes)).value();
}

std::vector<WeightedQuery> PairsWeighing(const Domain& domain, const std::vector<std::int64_t>& weights) {
  std::vector<WeightedQuery> pairs;
  for (AttributeIndex one = 0; one < domain.size(); ++one) {
    for (AttributeIndex other = one + 1; other < domain.size(); ++other) {
      pairs.push_back({Clique({one, other}), pairs.size() < weights.size() ? weights[pairs.size()] : 1});
    }
  }
  return pairs;
}

}  // namespace flaim
