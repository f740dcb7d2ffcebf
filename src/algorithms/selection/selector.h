#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/loop/state.h"

namespace flaim {

// The marginals that a selection came up with.
struct Choices {
  std::vector<Clique> cliques;  // distinct
  Contributors contributors = Contributors::kEverybody;
};

// How a run comes to the marginals that it measures: one file for each way. Candidates, penalties and what the model
// expects are public; what depends on rows is released by the federation, under the name given. One object serves one
// run, and may remember what it has seen.
class Selector {
 public:
  virtual ~Selector() = default;

  // Candidates that the next group measures in addition, to choose from what it finds. Most ways need none.
  virtual std::vector<Clique> ToWatch(const Domain&, const RunState&) const { return {}; }
  // What a group found.
  virtual void Watch(const NoisyMarginals&, const Group&) {}

  // One selection of a round.
  virtual absl::StatusOr<Choices> Select(const RoundSpending& spending, const ReleaseName& name, const Group& group,
                                         const MethodRun& run, RunState& state) = 0;

  // Called when no further group watches; more than once at the end of a run. Marks what it chooses.
  virtual absl::Status Finish(const MethodRun&, RunState&) { return absl::OkStatus(); }
};

std::unique_ptr<Selector> MakeSelector(const Method& method);

// The ways, by the algorithm that has them.
std::unique_ptr<Selector> SelectLocally();          // Algorithm 1: each client, from its own rows
std::unique_ptr<Selector> SelectAtRandom();         // each client, blindly
std::unique_ptr<Selector> SelectByScoreOfCounts();  // Algorithms 2 and 3: one mechanism on the counts of all
std::unique_ptr<Selector> SelectBySummedScores();   // everybody, from the noisy sum of the clients' scores
std::unique_ptr<Selector> SelectFromNoisySums();    // FLAIM-Once: from sums of the pairs themselves

}  // namespace flaim
