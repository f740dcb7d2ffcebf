#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/aim/aim.h"
#include "algorithms/federated/method.h"
#include "base/parallel.h"
#include "federation/federation.h"
#include "marginal/completion.h"
#include "marginal/workload.h"

namespace flaim {

struct FederatedOptions {
  PrivacyBudget budget;
  WeightBase weights = WeightBase::kOriginals;
  std::int64_t max_model_cells = AimOptions::kDefaultModelCells;
  bool model_grows_with_budget = false;
  EstimationOptions round_fit = {.max_iterations = 1000, .relative_gap = 0.5};
  EstimationOptions last_fit = {.max_iterations = 1500, .relative_gap = 0.05};
  std::string run = "federated";  // names the releases
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
};

// Where a run says what it did. The model is lent for the call.
class RoundSink {
 public:
  virtual ~RoundSink() = default;
  virtual void Report(const RoundReport& report, const Model& model) = 0;
  // Whether the run is to stop after this round: Cancelled is then what comes of it.
  virtual bool ShouldStop() { return false; }
};

struct FederatedModel {
  Model model;
  FitReport report;
  std::vector<Clique> chosen;  // in the order of choice, repeats left out
};

// Runs a method on a federation: gather a group; select marginals that the model approximates badly; measure them as
// noisy sums; fit the model again (Algorithms 1 and 3 of the paper, and FLAIM-Once). Which of these happens how is the
// method's affair; what it may cost a client, the spending plan's, which the client's account enforces.
//
// A group that is empty is skipped. FailedPrecondition if nobody ever came. A central method is run on a federation of
// one client that holds everything.
absl::StatusOr<FederatedModel> RunFederated(const Method& method, const FederatedOptions& options,
                                            const Workload& workload, Federation& federation, Parallel& parallel,
                                            RoundSink& rounds);

}  // namespace flaim
