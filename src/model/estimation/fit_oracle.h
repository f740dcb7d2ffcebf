#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "model/inference/belief_propagation.h"

namespace flaim {

// Inference as a fit sees it: potentials over the measured cliques are free, those of structural zeros are fixed.
// Allocates nothing after construction.
class FitOracle {
 public:
  // The free cliques come first in the layout of `propagation`; `fixed` are the potentials of the others.
  FitOracle(std::unique_ptr<BeliefPropagation> propagation, std::span<const double> fixed, Parallel& parallel);

  std::size_t free_cells() const { return free_cells_; }
  // Cancelled when the team is asked to stop.
  absl::Status StopIfAsked() { return parallel_.StopIfAsked(); }

  // Marginals over the free cliques; returns log Z.
  double Infer(std::span<const double> potentials, std::span<double> marginals);
  // The largest sum of potentials that a possible record has.
  double MaximumScore(std::span<const double> potentials);

  // After Infer: the change of the marginals when the potentials move along `direction`.
  void CovarianceTimes(std::span<const double> direction, std::span<double> product);

  // The propagation, run last on the potentials given, and all potentials.
  struct Calibrated {
    std::unique_ptr<BeliefPropagation> propagation;
    std::vector<double> potentials;
    double log_partition;
  };
  Calibrated Finish(std::span<const double> potentials) &&;

 private:
  std::unique_ptr<BeliefPropagation> propagation_;
  Parallel& parallel_;
  std::size_t free_cells_;
  std::vector<double> potentials_;
  std::vector<double> marginals_;
  std::vector<double> direction_;  // zero for the fixed cliques
};

}  // namespace flaim
