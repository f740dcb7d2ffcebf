#include "algorithms/loop/state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/loop/expected_noise.h"
#include "base/provenance.h"
#include "base/status.h"

namespace flaim {

absl::Status RunState::Measure(const CountsRequest& request, const Group& group, Federation& federation) {
  ASSIGN_OR_RETURN(const NoisyMarginals noisy, federation.SumCounts(request));
  Stamp(noisy.provenance);
  surplus = noisy.variance / request.sigma_squared.ToDouble();
  for (ReleasedMarginal& marginal : ReleasedOf(noisy, group, request.contributors)) {
    Add(std::move(marginal));
  }
  return absl::OkStatus();
}

void RunState::Add(ReleasedMarginal marginal) {
  released.Add(std::move(marginal));
  fitted_with_.reset();
}

void RunState::Stamp(const std::string& provenance_of_release) {
  if (provenance_of_release.empty() || IsSecureProvenance(provenance_of_release)) return;
  provenance = provenance_of_release;
}

void RunState::StartRound() {
  ++rounds;
  model_before.reset();
  model_replaced.reset();
}

void RunState::GiveUpRound() {
  --rounds;
  last_selection.reset();
}

std::vector<Clique> RunState::ModelCliques() const {
  std::vector<Clique> cliques = released.Cliques();
  for (const StructuralZeros& impossible : zeros) cliques.push_back(impossible.clique);
  return cliques;
}

void RunState::MarkChosen(const Clique& clique) {
  choices.push_back(clique);
  if (std::find(chosen.begin(), chosen.end(), clique) == chosen.end()) chosen.push_back(clique);
}

double RunState::Total(const MethodRun& run) const {
  const std::optional<double> known = run.insider != nullptr ? run.insider->Rows() : std::nullopt;
  return known.value_or(released.Total());
}

std::vector<Measurement> RunState::Weighted(const MethodRun& run, Weighting weighting, double total) const {
  if (run.insider != nullptr) {
    if (std::optional<std::vector<Measurement>> known = run.insider->Weighted(released, weighting, total))
      return *known;
  }
  return released.Weighted(weighting, total);
}

absl::Status RunState::Refit(const MethodRun& run, const EstimationOptions& fit) {
  // Mirror descent goes on from where it stopped; the proximal method starts afresh: a cell that noise had made
  // negative may lie hundreds of nats deep, and if a new measurement brings it back, climbing out takes longer than
  // starting at zero.
  const bool goes_on = fit.method == EstimationMethod::kMirrorDescent;
  if (model && !goes_on && fitted_with_ == fit) return absl::OkStatus();
  const double total = Total(run);
  const EstimationProblem problem{run.federation.domain(), Weighted(run, run.method.weighting, total), zeros, total,
                                  run.options.max_model_cells};
  const Model* start = goes_on && model ? &*model : nullptr;
  ASSIGN_OR_RETURN(Estimate estimate, EstimateFromWhatFits(problem, start, fit, run.parallel));
  std::optional<Model>& before = model_before ? model_replaced : model_before;
  before = std::exchange(model, std::move(estimate.model));
  quality = estimate.quality;
  fitted_with_ = fit;
  return absl::OkStatus();
}

bool RunState::Improved(const Group& group, std::size_t chosen_before, const Method& method) const {
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
    const ReleasedMarginal& measured = released.Latest(choices[i]);
    const double group_for_sum = static_cast<double>(group.members) / static_cast<double>(measured.group.members);
    noise += ExpectedNoise(std::sqrt(measured.measured.variance), new_shares.size()) * group_for_sum;
  }
  // The noise is in a sum of the group, the change in the records of all.
  return change > method.improvement_threshold * noise * model->total() / released.RowsOf(group);
}

}  // namespace flaim
