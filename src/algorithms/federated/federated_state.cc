#include "algorithms/federated/federated_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/expected_noise.h"
#include "base/provenance.h"
#include "base/status.h"

namespace flaim {

absl::Status FederatedState::Measure(const CountsRequest& request, const Group& group, Federation& federation) {
  ASSIGN_OR_RETURN(const NoisyMarginals noisy, federation.SumCounts(request));
  Stamp(noisy.provenance);
  released.Add(noisy, request.sigma_squared.ToDouble(), group, request.contributors);
  return absl::OkStatus();
}

void FederatedState::Stamp(const std::string& provenance_of_release) {
  if (provenance_of_release.empty() || IsSecureProvenance(provenance_of_release)) return;
  provenance = provenance_of_release;
}

std::vector<Clique> FederatedState::ModelCliques() const {
  std::vector<Clique> cliques = chosen;
  for (AttributeIndex attribute = 0; attribute < model->domain().size(); ++attribute) {
    cliques.push_back(Clique({attribute}));
  }
  return cliques;
}

void FederatedState::MarkChosen(const Clique& clique) {
  choices.push_back(clique);
  if (std::find(chosen.begin(), chosen.end(), clique) == chosen.end()) chosen.push_back(clique);
}

absl::Status FederatedState::Refit(const FederatedRun& run, const EstimationOptions& fit) {
  double total = released.Total();
  if (run.method.as_published) {
    ASSIGN_OR_RETURN(const std::int64_t rows, run.federation.TrueRows());
    total = static_cast<double>(std::max<std::int64_t>(rows, 1));
  }
  const EstimationProblem problem{
      run.federation.domain(), released.Weighted(run.method, total), {}, total, run.options.max_model_cells};
  const bool is_warm = fit.method == EstimationMethod::kMirrorDescent && model.has_value();
  ASSIGN_OR_RETURN(Estimate estimate, EstimateModel(problem, is_warm ? &*model : nullptr, fit, run.parallel));
  std::optional<Model> replaced = std::exchange(model, std::move(estimate.model));
  if (!model_before) model_before = std::move(replaced);
  quality = estimate.quality;
  return absl::OkStatus();
}

bool FederatedState::Improved(const RoundSpending& spending, const Group& group, std::size_t chosen_before) const {
  if (!model_before || chosen_before == choices.size()) return true;
  MarginalQuery before = model_before->Query();
  MarginalQuery after = model->Query();
  double change = 0;
  double noise = 0;
  for (std::size_t i = chosen_before; i < choices.size(); ++i) {
    const std::vector<double> old_shares = before.Answer(choices[i]);
    const std::vector<double> new_shares = after.Answer(choices[i]);
    for (std::size_t cell = 0; cell < new_shares.size(); ++cell) {
      change += std::abs(model->total() * new_shares[cell] - model_before->total() * old_shares[cell]);
    }
    noise += ExpectedNoise(spending.Sigma(), new_shares.size());
  }
  // The noise is in the sum of a group, the change in the records of all.
  return change > noise * model->total() / released.RowsOf(group);
}

}  // namespace flaim
