#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/loop/state.h"
#include "algorithms/selection/selector.h"
#include "marginal/workload.h"

namespace flaim {

// C_t: the positions of the candidates that the model can take in without its junction tree growing beyond max_cells,
// or beyond what it has already. Each is asked of the triangulation that a fit with it would use, so what is chosen can
// be fitted. Depends on public values only. Cancelled when the team is asked to stop.
absl::StatusOr<std::vector<std::size_t>> AffordableCandidates(std::span<const WeightedQuery> candidates,
                                                              const Domain& domain,
                                                              const std::vector<Clique>& model_cliques,
                                                              std::int64_t max_cells, Parallel& parallel);

// A candidate of one selection, and what measuring it would add.
struct Candidate {
  std::size_t position;  // among those of the run
  WeightedQuery query;
  double penalty_records = 0;
};

// What a round may choose from: what the model can take in within its share of the memory, and what is worth its noise.
absl::StatusOr<std::vector<Candidate>> FindCandidates(const RoundSpending& spending, const Group& group,
                                                      const MethodRun& run, const RunState& state);

std::vector<WeightedQuery> QueriesOf(const std::vector<Candidate>& candidates);
std::vector<double> PenaltiesOf(const std::vector<Candidate>& candidates);
// Those that at least one client chose.
Choices ChosenByClients(const std::vector<Candidate>& candidates, const LocalChoices& tally);

// A way to choose among affordable candidates. Each of them fits the model, but several at once may not: those that
// come too late are left out.
class SelectorAmongCandidates : public Selector {
 public:
  absl::StatusOr<Choices> Select(const RoundSpending& spending, const ReleaseName& name, const Group& group,
                                 const MethodRun& run, RunState& state) final;

 private:
  virtual absl::StatusOr<Choices> SelectAmong(const std::vector<Candidate>& candidates, const RoundSpending& spending,
                                              const ReleaseName& name, const Group& group, const MethodRun& run,
                                              RunState& state) = 0;
};

}  // namespace flaim
