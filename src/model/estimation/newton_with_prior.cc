#include <algorithm>
#include <limits>
#include <utility>

#include "base/status.h"
#include "model/estimation/descent.h"
#include "model/estimation/newton_stage.h"

namespace flaim {
namespace {

// A stage on the way is solved when what Newton's method leaves is this share of what its stiffness costs: the next one
// is as far away again.
constexpr double kShareOnTheWay = 0.1;
constexpr int kMaxFailedStages = 3;

// One centre, the uniform distribution, and a stiffness that falls in stages to the prior's strength and stays there.
class PriorDescent {
 public:
  PriorDescent(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start, const EstimationOptions& options)
      : oracle_(oracle), loss_(loss), options_(options), stage_(oracle, loss, std::move(start)) {}

  absl::StatusOr<Descent> Run() {
    std::vector<double> marginals(loss_.cells());
    log_records_ = oracle_.Infer(std::vector<double>(loss_.cells(), 0.0), marginals);
    stage_.Evaluate(options_.prior);
    Certify();
    double stiffness =
        std::max(options_.prior, FirstStiffness(loss_, stage_.potentials(), stage_.marginals(), options_.prior));
    while (!result_.converged && stage_.iterations() < options_.max_iterations && failures_ <= kMaxFailedStages) {
      stage_.Evaluate(stiffness);
      ASSIGN_OR_RETURN(const bool is_solved, stage_.Solve(options_.max_iterations, [&] { return IsEnough(); }));
      if (is_solved) {
        stiffness = std::max(options_.prior, stiffness / kStiffnessFactor);
      } else {
        ++failures_;
      }
    }
    result_.quality.iterations = stage_.iterations();
    return std::move(result_);
  }

 private:
  bool IsEnough() {
    Certify();
    if (result_.converged) return true;
    return stage_.stiffness() > options_.prior &&
           stage_.Residual() <= kShareOnTheWay * stage_.stiffness() * Divergence();
  }

  // KL(p || uniform) over the records that can occur.
  double Divergence() const {
    return Dot(stage_.potentials(), stage_.marginals()) - stage_.log_partition() + log_records_;
  }

  // With g = -prior * moved, Young's inequality and min over p of <g, m> + k KL(p || uniform) = -k log E exp(-g / k)
  // give a lower bound on the optimum that is below the value here by 1/2 sum w (m - b + prior * moved / w)^2: nothing
  // but what Newton's method has left, once the stiffness is the prior's.
  void Certify() {
    const double value = loss_.Loss(stage_.marginals()) + options_.prior * Divergence();
    double gap = 0;
    for (std::size_t i = 0; i < loss_.cells(); ++i) {
      const double weight = loss_.weight()[i];
      const double gradient = stage_.marginals()[i] - loss_.target()[i] + options_.prior * stage_.moved()[i] / weight;
      gap += weight * gradient * gradient / 2;
    }
    lower_bound_ = std::max(lower_bound_, value - gap);
    if (result_.potentials.empty() || value < result_.quality.loss) {
      result_.potentials = stage_.potentials();
      result_.quality.loss = value;
    }
    result_.quality.gap = result_.quality.loss - lower_bound_;
    result_.converged = result_.quality.gap <= AllowedGap(loss_, result_.quality.loss, options_);
  }

  FitOracle& oracle_;
  MarginalLoss& loss_;
  const EstimationOptions& options_;
  NewtonStage stage_;
  double log_records_ = 0;  // log of the number of records that can occur
  double lower_bound_ = -std::numeric_limits<double>::infinity();
  int failures_ = 0;
  Descent result_;
};

}  // namespace

absl::StatusOr<Descent> NewtonWithPrior(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start,
                                        const EstimationOptions& options) {
  return PriorDescent(oracle, loss, std::move(start), options).Run();
}

}  // namespace flaim
