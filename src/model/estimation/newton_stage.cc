#include "model/estimation/newton_stage.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "base/status.h"
#include "model/estimation/descent.h"

namespace flaim {
namespace {

// In the first stage no potential wants to move further than this.
constexpr double kFirstMove = 3;
constexpr int kMaxNewtonSteps = 40;
constexpr int kMaxHalvings = 12;
// Of the decrease that the slope promises, what a step must keep: a convex function along a good step keeps half.
constexpr double kSufficientDecrease = 0.25;
// Conjugate gradients stop at a relative residual, and at one that would misplace a record's log-density by about this.
constexpr int kMaxProducts = 200;
constexpr double kRelativeResidual = 0.1;
constexpr double kResidualNats = 0.1;

}  // namespace

double FirstStiffness(const MarginalLoss& loss, std::span<const double> potentials, std::span<const double> marginals,
                      double prior) {
  double largest = 0;
  for (std::size_t i = 0; i < loss.cells(); ++i) {
    const double pull = loss.weight()[i] * (marginals[i] - loss.target()[i]) + prior * potentials[i];
    largest = std::max(largest, std::abs(pull));
  }
  return std::max(largest / kFirstMove, std::numeric_limits<double>::min());
}

NewtonStage::NewtonStage(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start)
    : oracle_(oracle),
      loss_(loss),
      current_(loss.cells()),
      next_(loss.cells()),
      centre_(loss.cells()),
      direction_(loss.cells()),
      residual_(loss.cells()),
      search_(loss.cells()),
      product_(loss.cells()),
      scratch_(loss.cells()) {
  current_.potentials = std::move(start);
}

void NewtonStage::Evaluate(double stiffness) {
  stiffness_ = stiffness;
  Evaluate(current_);
}

void NewtonStage::Evaluate(Point& point) {
  point.log_partition = oracle_.Infer(point.potentials, point.marginals);
  point.objective = point.log_partition;
  ++iterations_;
  for (std::size_t i = 0; i < loss_.cells(); ++i) point.moved[i] = point.potentials[i] - centre_[i];
  loss_.DropGauge(point.moved);
  for (std::size_t i = 0; i < loss_.cells(); ++i) {
    const double pull = stiffness_ * point.moved[i] / loss_.weight()[i];
    point.objective += point.moved[i] * pull / 2 - point.potentials[i] * loss_.target()[i];
    point.gradient[i] = point.marginals[i] - loss_.target()[i] + pull;
  }
}

double NewtonStage::Residual() const {
  double residual = 0;
  for (std::size_t i = 0; i < loss_.cells(); ++i) {
    residual += loss_.weight()[i] * current_.gradient[i] * current_.gradient[i] / 2;
  }
  return residual;
}

absl::StatusOr<bool> NewtonStage::Solve(int max_iterations, absl::FunctionRef<bool()> is_enough) {
  for (int step = 0; step < kMaxNewtonSteps; ++step) {
    RETURN_IF_ERROR(FindDirection());
    if (!TakeStep()) return false;
    if (is_enough()) return true;
    if (iterations_ >= max_iterations) return false;
  }
  return false;
}

// Preconditioned conjugate gradients for (Cov + stiffness / w) direction = -gradient.
absl::Status NewtonStage::FindDirection() {
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
double NewtonStage::Precondition() {
  double norm = 0;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    scratch_[i] = residual_[i] / (current_.marginals[i] + stiffness_ / loss_.weight()[i]);
    norm += residual_[i] * scratch_[i];
  }
  return norm;
}

void NewtonStage::MultiplyByHessian() {
  oracle_.CovarianceTimes(search_, product_);
  ++iterations_;
  scratch_ = search_;
  loss_.DropGauge(scratch_);
  for (std::size_t i = 0; i < product_.size(); ++i) product_[i] += stiffness_ * scratch_[i] / loss_.weight()[i];
}

bool NewtonStage::TakeStep() {
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

}  // namespace flaim
