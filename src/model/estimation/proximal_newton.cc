#include <algorithm>
#include <limits>
#include <utility>

#include "base/status.h"
#include "model/estimation/descent.h"
#include "model/estimation/newton_stage.h"

namespace flaim {
namespace {

// How much the stiffness falls once a stage was too hard to solve.
constexpr double kCautiousFactor = 1.5;
// A stage is solved when what Newton's method leaves is this share of the gap.
constexpr double kInnerShare = 0.01;
constexpr int kMaxFailures = 3;

class ProximalDescent {
 public:
  ProximalDescent(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start, const EstimationOptions& options)
      : oracle_(oracle), loss_(loss), options_(options), stage_(oracle, loss, std::move(start)), pull_(loss.cells()) {}

  absl::StatusOr<Descent> Run() {
    stage_.MoveCentreHere();
    stage_.Evaluate(1);
    Certify();
    double stiffness = FirstStiffness(loss_, stage_.potentials(), stage_.marginals(), 0);
    while (true) {
      stage_.MoveCentreHere();
      stage_.Evaluate(stiffness);
      ASSIGN_OR_RETURN(const bool is_solved, stage_.Solve(options_.max_iterations, [&] {
        const Gap gap = Certify();
        return result_.converged || gap.newton <= std::max(kInnerShare * gap.duality, 0.1 * gap.allowed);
      }));
      if (result_.converged || stage_.iterations() >= options_.max_iterations) break;
      if (is_solved) {
        stiffness /= failures_ == 0 ? kStiffnessFactor : kCautiousFactor;
      } else {
        if (++failures_ > kMaxFailures) break;
        stage_.ReturnToCentre();
        stiffness *= kStiffnessFactor;
      }
    }
    result_.quality.iterations = stage_.iterations();
    return std::move(result_);
  }

 private:
  struct Gap {
    double newton;   // what the stage's gradient leaves
    double duality;  // what the stiffness leaves
    double allowed;
  };

  // With g = -stiffness * moved, f(p) - bound(g) splits into 1/2 sum w gradient^2 and <g, p> - min over v of <g, v>.
  Gap Certify() {
    const double value = loss_.Loss(stage_.marginals());
    const double newton = stage_.Residual();
    for (std::size_t i = 0; i < pull_.size(); ++i) pull_[i] = stage_.stiffness() * stage_.moved()[i];
    const double duality = oracle_.MaximumScore(pull_) - Dot(pull_, stage_.marginals());
    lower_bound_ = std::max(lower_bound_, value - newton - duality);
    if (result_.potentials.empty() || value < result_.quality.loss) {
      result_.potentials = stage_.potentials();
      result_.quality.loss = value;
    }
    const double allowed = AllowedGap(loss_, result_.quality.loss, options_);
    result_.quality.gap = result_.quality.loss - lower_bound_;
    result_.converged = result_.quality.gap <= allowed;
    return {newton, duality, allowed};
  }

  FitOracle& oracle_;
  MarginalLoss& loss_;
  const EstimationOptions& options_;
  NewtonStage stage_;
  std::vector<double> pull_;
  double lower_bound_ = -std::numeric_limits<double>::infinity();
  int failures_ = 0;
  Descent result_;
};

}  // namespace

absl::StatusOr<Descent> ProximalNewton(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start,
                                       const EstimationOptions& options) {
  return ProximalDescent(oracle, loss, std::move(start), options).Run();
}

}  // namespace flaim
