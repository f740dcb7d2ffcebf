#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/loop/insider.h"
#include "algorithms/loop/released_marginals.h"
#include "algorithms/loop/run.h"
#include "algorithms/spending/spending.h"
#include "base/provenance.h"

namespace flaim {

// What stays the same during a run.
struct MethodRun {
  const Method& method;
  const RunOptions& options;
  Federation& federation;
  Parallel& parallel;
  const SpendingPlan& plan;
  const Insider* insider = nullptr;

  // Whether later groups measure again what was chosen before.
  bool MeasuresAgain() const { return std::holds_alternative<ChooseThenMeasure>(method.rounds); }
};

// The choice of a last round, as the bounds on the model's error need it (error_bounds.h).
struct LastSelection {
  std::vector<std::size_t> affordable;  // positions of the candidates
  std::size_t selected = 0;
  double penalty_records_per_cell = 0;
  double score_noise_records = 0;
};

// What a run has learnt so far. All of it is public, unless an insider helped.
struct RunState {
  RunState(std::int64_t clients, std::vector<WeightedQuery> completion, std::vector<StructuralZeros> impossible)
      : candidates(std::move(completion)), zeros(std::move(impossible)), released(clients) {}

  // Asks the group for noisy sums, and keeps them.
  absl::Status Measure(const CountsRequest& request, const Group& group, Federation& federation);
  void Add(ReleasedMarginal marginal);
  // Fits the model to all that was released; nothing is done where that would give the same model again.
  absl::Status Refit(const MethodRun& run, const EstimationOptions& fit);
  // The records of all clients, as far as they are known.
  double Total(const MethodRun& run) const;
  // What a model of `total` records is fitted to.
  std::vector<Measurement> Weighted(const MethodRun& run, Weighting weighting, double total) const;
  // What the model is made of: what was released of the marginals that it is fitted to, and what cannot occur. Whether
  // one more fits is asked of the very cliques that the next fit builds its tree from.
  std::vector<Clique> ModelCliques() const;
  void MarkChosen(const Clique& clique);
  void Stamp(const std::string& provenance_of_release);
  void StartRound();
  // Takes back that a round was started, which has measured nothing.
  void GiveUpRound();
  // The model that the last fit replaced, from which the last choice was made.
  const Model& ModelAtChoice() const { return model_replaced ? *model_replaced : *model_before; }
  // Whether the marginals chosen since moved the model by more than noise alone would.
  bool Improved(const Group& group, std::size_t chosen_before, const Method& method) const;

  std::vector<WeightedQuery> candidates;
  std::vector<StructuralZeros> zeros;
  ReleasedMarginals released;  // what the model is fitted to
  std::optional<Model> model;
  std::optional<Model> model_before;    // what the first fit of the round replaced
  std::optional<Model> model_replaced;  // what later ones of the round replaced
  std::vector<Clique> choices;          // in the order of choice
  std::vector<Clique> chosen;           // the same without repeats
  bool nothing_left_to_choose = false;
  std::optional<LastSelection> last_selection;
  FitQuality quality;
  double surplus = 1;  // the variance of the latest sum, over what was paid for
  std::int64_t rounds = 0;
  std::string provenance = kSecureProvenance;

 private:
  std::optional<EstimationOptions> fitted_with_;  // none if something was measured since
};

}  // namespace flaim
