#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/methods/method.h"
#include "base/parallel.h"
#include "federation/federation.h"
#include "marginal/completion.h"
#include "marginal/workload.h"
#include "model/estimation/estimation.h"
#include "model/estimation/fit_report.h"
#include "privacy/budget/budget.h"

namespace flaim {

class Insider;
class SpendingPlan;

struct RunOptions {
  PrivacyBudget budget;
  WeightBase weights = WeightBase::kOriginals;
  // The junction tree may have this many cells. Larger models are slower and, on the tables measured, hardly better:
  // docs/METHODS.md. The paper has 10 Mi cells, of which a share may be used that grows with the budget spent.
  static constexpr std::int64_t kDefaultModelCells = std::int64_t{1} << 17;
  std::int64_t max_model_cells = kDefaultModelCells;
  bool model_grows_with_budget = false;
  std::vector<StructuralZeros> zeros = {};
  // The true distance to the optimum is some hundred times smaller than the certified one on the models measured.
  EstimationOptions round_fit = {.max_iterations = 1000, .relative_gap = 0.5};
  EstimationOptions last_fit = {.max_iterations = 1500, .relative_gap = 0.05};
  double confidence = 0.95;  // of each error bound, where a method can give them
  // Names the releases: where a ledger keeps them, a run that is repeated under its name gets its recorded values back,
  // pays nothing, and gives the same model.
  std::string run = "federated";
};

// What a round did: public.
struct RoundReport {
  std::int64_t round = 0;   // 0: the initialisation
  std::int64_t rounds = 0;  // planned; 0 when that is open
  std::int64_t members = 0;
  std::vector<Clique> chosen;
  double sigma = 0;  // of a chosen marginal; of the one-ways where nothing was chosen
  double total = 0;  // estimated records of all clients
  std::int64_t model_cells = 0;
  double share_spent = 0;  // of the whole plan
};

// Where a run says what it did. The model is lent for the call.
class RoundSink {
 public:
  virtual ~RoundSink() = default;
  virtual void Report(const RoundReport& report, const Model& model) = 0;
  // Whether the sink cannot go on: the run then ends after this round, with Cancelled.
  virtual bool ShouldStop() { return false; }
};

class NoRounds final : public RoundSink {
 public:
  void Report(const RoundReport&, const Model&) override {}
};

struct FittedModel {
  Model model;
  FitReport report;
  std::vector<Clique> chosen;  // in the order of choice, repeats left out
};

// Runs a method: gather a group; select marginals that the model approximates badly; measure them as noisy sums; fit
// the model again (Algorithms 1, 2 and 3 of the paper, and FLAIM-Once; docs/ARCHITECTURE.md has them line by line).
// Which of these happens how is the method's affair; what it may cost whoever has the rows, the spending plan's, of
// which the run takes a copy. AIM is this on a federation of one: one_table/one_table.h.
//
// Promise: everything that depends on rows comes through the port, which has it paid for first. The number of rows is
// not used: it is estimated from noisy sums. Refuses, before anything is asked for, a domain whose one-way marginals do
// not fit the model, and a method that is not private where there is no insider. A group that is empty is skipped.
// FailedPrecondition if nobody ever came. Cancelled, wherever that loses nothing that was paid for, when the team is
// asked to stop; between two rounds, when the sink asks for it.
//
// What a round may choose, the next fit can take in: both ask the same triangulation of the same cliques. And where the
// account runs out, because others pay from it, the rounds are over. So a run that has its one-way marginals ends with
// a model.
absl::StatusOr<FittedModel> RunMethod(const Method& method, const RunOptions& options, const SpendingPlan& planned,
                                      const Workload& workload, Federation& federation, Parallel& parallel,
                                      RoundSink& rounds, const Insider* insider = nullptr);

}  // namespace flaim
