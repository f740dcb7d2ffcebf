#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/status.h"
#include "model/estimation/descent.h"

namespace flaim {
namespace {

// How much the stiffness falls from stage to stage, how much once a stage was too hard to solve, and where it starts:
// no potential wants to move further than this in the first.
constexpr double kStiffnessFactor = 4;
constexpr double kCautiousFactor = 1.5;
constexpr double kFirstMove = 3;
// A stage is solved when what Newton's method leaves is this share of the gap.
constexpr double kInnerShare = 0.01;
constexpr int kMaxNewtonSteps = 40;
constexpr int kMaxFailures = 3;
constexpr int kMaxHalvings = 12;
// Of the decrease that the slope promises, what a step must keep: a convex function along a good step keeps half.
constexpr double kSufficientDecrease = 0.25;
// Conjugate gradients stop at a relative residual, and at one that would misplace a record's log-density by about this.
constexpr int kMaxProducts = 200;
constexpr double kRelativeResidual = 0.1;
constexpr double kResidualNats = 0.1;

struct NewtonPoint {
  explicit NewtonPoint(std::size_t cells) : potentials(cells), marginals(cells), moved(cells), gradient(cells) {}

  std::vector<double> potentials;
  std::vector<double> marginals;
  std::vector<double> moved;     // from the centre, without gauge
  std::vector<double> gradient;  // of the stage's objective
  double objective = 0;
};

class ProximalDescent {
 public:
  ProximalDescent(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start, const EstimationOptions& options)
      : oracle_(oracle),
        loss_(loss),
        options_(options),
        current_(loss.cells()),
        next_(loss.cells()),
        direction_(loss.cells()),
        residual_(loss.cells()),
        search_(loss.cells()),
        product_(loss.cells()),
        scratch_(loss.cells()) {
    current_.potentials = std::move(start);
  }

  absl::StatusOr<Descent> Run() {
    SetCentre();
    Certify();
    stiffness_ = FirstStiffness();
    while (true) {
      SetCentre();
      ASSIGN_OR_RETURN(const bool is_solved, SolveStage());
      if (result_.converged || iterations_ >= options_.max_iterations) break;
      if (is_solved) {
        stiffness_ /= failures_ == 0 ? kStiffnessFactor : kCautiousFactor;
      } else {
        if (++failures_ > kMaxFailures) break;
        current_.potentials = centre_;
        stiffness_ *= kStiffnessFactor;
      }
    }
    result_.quality.iterations = iterations_;
    return std::move(result_);
  }

 private:
  double FirstStiffness() const {
    double largest = 0;
    for (std::size_t i = 0; i < loss_.cells(); ++i) {
      largest = std::max(largest, std::abs(loss_.weight()[i] * (current_.marginals[i] - loss_.target()[i])));
    }
    return std::max(largest / kFirstMove, std::numeric_limits<double>::min());
  }

  void SetCentre() {
    centre_ = current_.potentials;
    Evaluate(current_);
  }

  void Evaluate(NewtonPoint& point) {
    point.objective = oracle_.Infer(point.potentials, point.marginals);
    ++iterations_;
    for (std::size_t i = 0; i < loss_.cells(); ++i) point.moved[i] = point.potentials[i] - centre_[i];
    loss_.DropGauge(point.moved);
    for (std::size_t i = 0; i < loss_.cells(); ++i) {
      const double pull = stiffness_ * point.moved[i] / loss_.weight()[i];
      point.objective += point.moved[i] * pull / 2 - point.potentials[i] * loss_.target()[i];
      point.gradient[i] = point.marginals[i] - loss_.target()[i] + pull;
    }
  }

  // Newton steps until what they leave no longer matters; false if that does not come about.
  absl::StatusOr<bool> SolveStage() {
    for (int step = 0; step < kMaxNewtonSteps; ++step) {
      RETURN_IF_ERROR(FindDirection());
      if (!TakeStep()) return false;
      const Gap gap = Certify();
      if (result_.converged || gap.newton <= std::max(kInnerShare * gap.duality, 0.1 * gap.allowed)) return true;
      if (iterations_ >= options_.max_iterations) return false;
    }
    return false;
  }

  // Preconditioned conjugate gradients for (Cov + stiffness / w) direction = -gradient.
  absl::Status FindDirection() {
    std::fill(direction_.begin(), direction_.end(), 0.0);
    std::transform(current_.gradient.begin(), current_.gradient.end(), residual_.begin(), std::negate<>());
    double norm = Precondition();
    search_ = scratch_;
    const double enough = std::min(kRelativeResidual * kRelativeResidual * norm, kResidualNats * kResidualNats);
    for (int products = 0; products < kMaxProducts && norm > enough; ++products) {
      RETURN_IF_ERROR(oracle_.StopIfAsked());
      MultiplyByHessian();
      const double curvature = Dot(search_, product_);
      if (!(curvature > 0)) break;
      const double length = norm / curvature;
      for (std::size_t i = 0; i < direction_.size(); ++i) {
        direction_[i] += length * search_[i];
        residual_[i] -= length * product_[i];
      }
      const double next_norm = Precondition();
      for (std::size_t i = 0; i < search_.size(); ++i) search_[i] = scratch_[i] + next_norm / norm * search_[i];
      norm = next_norm;
    }
    return oracle_.StopIfAsked();
  }

  // scratch = residual / diagonal of the Hessian; returns their product.
  double Precondition() {
    double norm = 0;
    for (std::size_t i = 0; i < residual_.size(); ++i) {
      scratch_[i] = residual_[i] / (current_.marginals[i] + stiffness_ / loss_.weight()[i]);
      norm += residual_[i] * scratch_[i];
    }
    return norm;
  }

  void MultiplyByHessian() {
    oracle_.CovarianceTimes(search_, product_);
    ++iterations_;
    scratch_ = search_;
    loss_.DropGauge(scratch_);
    for (std::size_t i = 0; i < product_.size(); ++i) product_[i] += stiffness_ * scratch_[i] / loss_.weight()[i];
  }

  bool TakeStep() {
    const double slope = Dot(direction_, current_.gradient);
    const double rounding = 1e-13 * (1 + std::abs(current_.objective));
    double length = 1;
    for (int halving = 0; halving <= kMaxHalvings; ++halving, length /= 2) {
      for (std::size_t i = 0; i < direction_.size(); ++i) {
        next_.potentials[i] = current_.potentials[i] + length * direction_[i];
      }
      Evaluate(next_);
      if (next_.objective <= current_.objective + kSufficientDecrease * length * slope + rounding) {
        std::swap(current_, next_);
        return true;
      }
    }
    return false;
  }

  struct Gap {
    double newton;   // what the stage's gradient leaves
    double duality;  // what the stiffness leaves
    double allowed;
  };

  // With g = -stiffness * moved, f(p) - bound(g) splits into 1/2 sum w gradient^2 and <g, p> - min over v of <g, v>.
  Gap Certify() {
    const double value = loss_.Loss(current_.marginals);
    double newton = 0;
    for (std::size_t i = 0; i < scratch_.size(); ++i) {
      newton += loss_.weight()[i] * current_.gradient[i] * current_.gradient[i] / 2;
      scratch_[i] = stiffness_ * current_.moved[i];
    }
    const double duality = oracle_.MaximumScore(scratch_) - Dot(scratch_, current_.marginals);
    lower_bound_ = std::max(lower_bound_, value - newton - duality);
    if (result_.potentials.empty() || value < result_.quality.loss) {
      result_.potentials = current_.potentials;
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
  NewtonPoint current_;
  NewtonPoint next_;
  std::vector<double> centre_;
  std::vector<double> direction_;
  std::vector<double> residual_;
  std::vector<double> search_;
  std::vector<double> product_;
  std::vector<double> scratch_;
  double stiffness_ = 1;
  double lower_bound_ = -std::numeric_limits<double>::infinity();
  int iterations_ = 0;
  int failures_ = 0;
  Descent result_;
};

}  // namespace

absl::StatusOr<Descent> ProximalNewton(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start,
                                       const EstimationOptions& options) {
  return ProximalDescent(oracle, loss, std::move(start), options).Run();
}

}  // namespace flaim
