#include "model/estimation/estimation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/status.h"
#include "model/estimation/descent.h"
#include "model/estimation/fit_oracle.h"
#include "model/estimation/marginal_loss.h"
#include "model/inference/triangulation.h"

namespace flaim {
namespace {

// -infinity in the cells that cannot occur, clique after clique.
absl::StatusOr<std::vector<double>> FixedPotentials(const Domain& domain, std::span<const StructuralZeros> zeros) {
  std::vector<double> potentials;
  for (const auto& [clique, impossible] : zeros) {
    ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, clique));
    std::vector<double> mask(cells, 0.0);
    for (const std::int64_t cell : impossible) {
      if (cell < 0 || cell >= cells) {
        return InvalidArgument("structural zeros over {}: there is no cell {}", CliqueName(domain, clique), cell);
      }
      mask[cell] = -std::numeric_limits<double>::infinity();
    }
    potentials.insert(potentials.end(), mask.begin(), mask.end());
  }
  return potentials;
}

// The potentials of `start` for the cliques that it shares with the measurements, 0 for the others and for its
// structural zeros, which are none of the measurements' business.
std::vector<double> StartingPotentials(const CliqueLayout& layout, std::size_t free_cells, const Model* start) {
  std::vector<double> potentials(free_cells, 0.0);
  if (start == nullptr) return potentials;
  std::map<Clique, int> known;
  for (int clique = 0; clique < start->layout().size(); ++clique) {
    known.try_emplace(start->layout().cliques()[clique], clique);
  }
  for (int clique = 0; clique < layout.size(); ++clique) {
    if (layout.offset(clique) >= std::ssize(potentials)) break;
    const auto found = known.find(layout.cliques()[clique]);
    if (found == known.end()) continue;
    const std::span<const double> old = start->layout().Slice(start->potentials(), found->second);
    std::transform(old.begin(), old.end(), potentials.begin() + layout.offset(clique),
                   [](double potential) { return std::isinf(potential) ? 0 : potential; });
  }
  return potentials;
}

// Without the measurements whose cliques make the tree too large together with those before them.
absl::Status LeaveOutTooLarge(EstimationProblem& problem, Parallel& parallel) {
  std::vector<Clique> kept;
  for (const StructuralZeros& zeros : problem.zeros) kept.push_back(zeros.clique);
  std::vector<Measurement> fitting;
  for (Measurement& measurement : problem.measurements) {
    RETURN_IF_ERROR(parallel.StopIfAsked());
    const HypotheticalSize size(problem.domain, kept);
    if (size.CellsWith(measurement.clique) > static_cast<double>(problem.max_cells)) continue;
    kept.push_back(measurement.clique);
    fitting.push_back(std::move(measurement));
  }
  problem.measurements = std::move(fitting);
  return absl::OkStatus();
}

absl::StatusOr<Descent> Descend(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start,
                                const EstimationOptions& options) {
  if (!(options.prior >= 0) || std::isinf(options.prior)) {
    return InvalidArgument("{} is no strength of a prior; give 0 for none, or a positive number", options.prior);
  }
  switch (options.method) {
    case EstimationMethod::kMirrorDescent:
      if (options.prior > 0) return InvalidArgument("mirror descent knows no prior: choose the proximal Newton method");
      return MirrorDescent(oracle, loss, std::move(start), options);
    case EstimationMethod::kProximalNewton:
      if (options.prior > 0) return NewtonWithPrior(oracle, loss, std::move(start), options);
      return ProximalNewton(oracle, loss, std::move(start), options);
  }
  CHECK(false, "an unknown method of estimation");
}

}  // namespace

double AllowedGap(const MarginalLoss& loss, double value, const EstimationOptions& options) {
  return options.relative_gap * (options.ignore_noise_floor ? value : std::max(value, loss.NoiseFloor()));
}

double Dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

absl::StatusOr<Estimate> EstimateModel(const EstimationProblem& problem, const Model* start,
                                       const EstimationOptions& options, Parallel& parallel) {
  const std::vector<Measurement> measurements = MergeMeasurements(problem.measurements);
  ASSIGN_OR_RETURN(const std::vector<double> fixed, FixedPotentials(problem.domain, problem.zeros));
  std::vector<Clique> cliques;
  for (const Measurement& measurement : measurements) cliques.push_back(measurement.clique);
  for (const StructuralZeros& zeros : problem.zeros) cliques.push_back(zeros.clique);

  ASSIGN_OR_RETURN(JunctionTree tree, JunctionTree::Build(problem.domain, cliques, problem.max_cells));
  CliqueLayout layout(problem.domain, cliques);
  std::vector<double> potentials = StartingPotentials(layout, layout.cells() - fixed.size(), start);
  cliques.resize(measurements.size());
  MarginalLoss loss(problem.domain, CliqueLayout(problem.domain, std::move(cliques)), measurements, problem.total);
  FitOracle oracle(std::make_unique<BeliefPropagation>(std::move(tree), std::move(layout)), fixed, parallel);
  if (!problem.zeros.empty() && std::isinf(oracle.MaximumScore(potentials))) {
    return InvalidArgument("the structural zeros leave no record that could occur. Take some of them back");
  }
  Descent descent{.potentials = {}, .quality = {}, .converged = true};
  if (!measurements.empty()) {
    ASSIGN_OR_RETURN(descent, Descend(oracle, loss, std::move(potentials), options));
  }
  auto [propagation, all_potentials, log_partition] = std::move(oracle).Finish(descent.potentials);
  return Estimate{Model(std::move(propagation), std::move(all_potentials), log_partition, problem.total),
                  descent.quality, descent.converged};
}

absl::StatusOr<Estimate> EstimateFromWhatFits(EstimationProblem problem, const Model* start,
                                              const EstimationOptions& options, Parallel& parallel) {
  absl::StatusOr<Estimate> estimate = EstimateModel(problem, start, options, parallel);
  if (!absl::IsResourceExhausted(estimate.status())) return estimate;
  RETURN_IF_ERROR(LeaveOutTooLarge(problem, parallel));
  return EstimateModel(problem, start, options, parallel);
}

}  // namespace flaim
