#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "algorithms/federated/federated_fit.h"
#include "algorithms/federated/released_marginals.h"
#include "algorithms/federated/spending.h"
#include "base/provenance.h"

namespace flaim {

// What stays the same during a run.
struct FederatedRun {
  const Method& method;
  const FederatedOptions& options;
  Federation& federation;
  Parallel& parallel;
  const SpendingPlan& plan;

  // Whether later groups measure again what was chosen before.
  bool MeasuresAgain() const { return std::holds_alternative<ChooseThenMeasure>(method.rounds); }
};

// What a run has learnt so far. All of it is public, unless the method has an oracle.
struct FederatedState {
  FederatedState(std::int64_t clients, std::vector<WeightedQuery> completion)
      : candidates(std::move(completion)), released(clients), watched(clients) {}

  // Asks the group for noisy sums, and keeps them.
  absl::Status Measure(const CountsRequest& request, const Group& group, Federation& federation);
  absl::Status Refit(const FederatedRun& run, const EstimationOptions& fit);
  // What the model is made of: chosen marginals and the one-ways.
  std::vector<Clique> ModelCliques() const;
  void MarkChosen(const Clique& clique);
  void Stamp(const std::string& provenance_of_release);
  // Whether the marginals chosen since moved the model by more than noise alone would.
  bool Improved(const RoundSpending& spending, const Group& group, std::size_t chosen_before) const;

  std::vector<WeightedQuery> candidates;
  ReleasedMarginals released;  // what the model is fitted to
  ReleasedMarginals watched;   // of candidates that were measured to choose from
  std::optional<Model> model;
  std::optional<Model> model_before;  // the first fit of the round
  std::vector<Clique> choices;        // in the order of choice
  std::vector<Clique> chosen;         // the same without repeats
  bool nothing_left_to_choose = false;
  FitQuality quality;
  std::int64_t rounds = 0;
  std::string provenance = kSecureProvenance;
};

}  // namespace flaim
