#include "model/estimation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"

namespace flaim {
namespace {

// The loss over the flat vector of all measured cells, in probabilities: the residual of a cell is N p - y.
class LeastSquares {
 public:
  LeastSquares(const CliqueLayout& layout, std::span<const Measurement> measurements, double total) {
    CHECK(layout.size() == static_cast<int>(measurements.size()));
    for (int i = 0; i < layout.size(); ++i) {
      CHECK(measurements[i].clique == layout.cliques()[i]);
      worst_curvature_ += total * total / measurements[i].variance;
      for (const double value : measurements[i].values) {
        target_.push_back(value / total);
        weight_.push_back(total * total / measurements[i].variance);
      }
    }
  }

  double Loss(std::span<const double> marginals) const {
    double loss = 0;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      const double residual = marginals[i] - target_[i];
      loss += weight_[i] * residual * residual;
    }
    return loss / 2;
  }

  void Gradient(std::span<const double> marginals, std::span<double> gradient) const {
    for (std::size_t i = 0; i < target_.size(); ++i) gradient[i] = weight_[i] * (marginals[i] - target_[i]);
  }

  // 1/2 of the squared distance in the norm of the loss: what f rises above its tangent between two points.
  double Curvature(std::span<const double> from, std::span<const double> to) const {
    double sum = 0;
    for (std::size_t i = 0; i < weight_.size(); ++i) sum += weight_[i] * (to[i] - from[i]) * (to[i] - from[i]);
    return sum / 2;
  }

  // No direction of unit L1 norm is curved more: one measured cell of each clique moves by at most that much.
  double WorstCurvature() const { return worst_curvature_; }
  double NoiseFloor() const { return static_cast<double>(target_.size()) / 2; }
  std::size_t cells() const { return target_.size(); }

 private:
  double worst_curvature_ = 0;
  std::vector<double> target_;
  std::vector<double> weight_;
};

double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Potentials and what inference makes of them.
struct Point {
  std::vector<double> potentials;
  std::vector<double> marginals;
  double log_partition = 0;
  double loss = 0;
};

// Iterates y_0, y_1, ... of accelerated mirror descent (or plain, without momentum). x_{k+1} = y_k - step *
// gradient(y_k) and y_{k+1} = x_{k+1} + momentum * (x_{k+1} - x_k); inference happens at the y only.
class Descent {
 public:
  Descent(BeliefPropagation& oracle, const LeastSquares& loss, std::vector<double> initial,
          const EstimationOptions& options, Parallel& parallel)
      : oracle_(oracle), loss_(loss), options_(options), parallel_(parallel), gradient_(loss.cells()) {
    current_.potentials = std::move(initial);
    Infer(current_);
    best_ = next_ = current_;
    stepped_ = next_stepped_ = current_.potentials;
    step_ = 1 / loss.WorstCurvature();
  }

  Estimate Run() {
    EstimationSummary summary;
    while (true) {
      const bool is_last = summary.iterations >= options_.max_iterations || is_stalled_;
      if (is_last || summary.iterations % options_.iterations_between_gaps == 0) {
        UpdateBound();
        const double floor = options_.ignore_noise_floor ? 0 : loss_.NoiseFloor();
        summary.converged = best_.loss - lower_bound_ <= options_.relative_gap * std::max(best_.loss, floor);
        if (summary.converged || is_last) break;
      }
      Advance();
      ++summary.iterations;
    }
    Infer(best_);
    summary.loss = best_.loss;
    summary.gap = best_.loss - lower_bound_;
    return {std::move(best_.potentials), std::move(best_.marginals), best_.log_partition, summary};
  }

 private:
  void Infer(Point& point) {
    point.marginals.resize(loss_.cells());
    point.log_partition = oracle_.Run(point.potentials, point.marginals, parallel_);
    point.loss = loss_.Loss(point.marginals);
  }

  // f(v) >= f(p) + <gradient, v - p> for all v: the least right side, at the best point so far.
  void UpdateBound() {
    loss_.Gradient(best_.marginals, gradient_);
    const double here = Dot(gradient_, best_.marginals);
    for (double& value : gradient_) value = -value;
    lower_bound_ = std::max(lower_bound_, best_.loss - here - oracle_.MaximumScore(gradient_, parallel_));
  }

  // From y_k to y_{k+1}, trying again without momentum, and then with smaller steps, until the loss falls.
  void Advance() {
    loss_.Gradient(current_.marginals, gradient_);
    while (true) {
      const double following = (1 + std::sqrt(1 + 4 * momentum_ * momentum_)) / 2;
      const double extrapolation = (momentum_ - 1) / following;
      for (std::size_t i = 0; i < gradient_.size(); ++i) {
        next_stepped_[i] = current_.potentials[i] - step_ * gradient_[i];
        next_.potentials[i] = next_stepped_[i] + extrapolation * (next_stepped_[i] - stepped_[i]);
      }
      Infer(next_);
      if (extrapolation > 0 ? next_.loss <= current_.loss : IsSafeStep()) {
        if (options_.method == EstimationMethod::kAccelerated) momentum_ = following;
        break;
      }
      if (extrapolation > 0) {
        momentum_ = 1;
      } else if (step_ /= 2; step_ < std::numeric_limits<double>::min()) {
        is_stalled_ = true;
        return;
      }
    }
    std::swap(current_, next_);
    std::swap(stepped_, next_stepped_);
    if (current_.loss < best_.loss) best_ = current_;
  }

  // Whether a step without momentum keeps the descent guarantee; one that keeps it easily lengthens the next.
  bool IsSafeStep() {
    double divergence = current_.log_partition - next_.log_partition;
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      divergence += (next_.potentials[i] - current_.potentials[i]) * next_.marginals[i];
    }
    const double curvature = step_ * loss_.Curvature(current_.marginals, next_.marginals);
    if (curvature > divergence) return false;
    if (4 * curvature < divergence) step_ *= 2;
    return true;
  }

  BeliefPropagation& oracle_;
  const LeastSquares& loss_;
  const EstimationOptions& options_;
  Parallel& parallel_;
  Point current_;
  Point next_;
  Point best_;
  std::vector<double> stepped_;  // x_k
  std::vector<double> next_stepped_;
  std::vector<double> gradient_;
  double step_ = 0;
  double momentum_ = 1;
  double lower_bound_ = -std::numeric_limits<double>::infinity();
  bool is_stalled_ = false;
};

}  // namespace

Estimate EstimatePotentials(BeliefPropagation& oracle, std::span<const Measurement> measurements, double total,
                            std::vector<double> initial, const EstimationOptions& options, Parallel& parallel) {
  CHECK(std::ssize(initial) == oracle.layout().cells());
  const LeastSquares loss(oracle.layout(), measurements, total);
  return Descent(oracle, loss, std::move(initial), options, parallel).Run();
}

}  // namespace flaim
