#pragma once

#include <span>
#include <vector>

#include "model/estimation/estimation.h"
#include "model/estimation/fit_oracle.h"
#include "model/estimation/marginal_loss.h"

namespace flaim {

// What a method of estimation returns: the potentials of the best point it saw, and the certificate.
struct Descent {
  std::vector<double> potentials;
  FitQuality quality;
  bool converged = false;
};

// The gap at which a method may stop.
double AllowedGap(const MarginalLoss& loss, double value, const EstimationOptions& options);

double Dot(std::span<const double> a, std::span<const double> b);

// The methods. Cancelled when the oracle is asked to stop. REQUIRES: something was measured.
absl::StatusOr<Descent> MirrorDescent(FitOracle& oracle, const MarginalLoss& loss, std::vector<double> start,
                                      const EstimationOptions& options);

// The proximal point method with the Kullback-Leibler divergence: stage after stage, minimises
//
//   f(p) + stiffness * KL(p || centre),
//
// the centre being the answer of the stage before and the stiffness falling. Every stage brings the gap down to at most
// stiffness * KL(optimum || centre), however flat f is. A stage is solved in its dual: newton_stage.h.
absl::StatusOr<Descent> ProximalNewton(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start,
                                       const EstimationOptions& options);

// The distribution that minimises f(p) + options.prior * KL(p || uniform): one such stage, with the uniform
// distribution as its centre and the prior as its stiffness, reached by way of stiffer ones. REQUIRES: a positive
// prior.
absl::StatusOr<Descent> NewtonWithPrior(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start,
                                        const EstimationOptions& options);

}  // namespace flaim
