#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "model/estimation/fit_oracle.h"
#include "model/estimation/marginal_loss.h"

namespace flaim {

// Minimises f(p) + stiffness * KL(p || centre) in its dual,
//
//   minimise over theta   log Z(theta) - <theta, b> + stiffness/2 sum (theta - centre)^2 / w,
//
// which is smooth, convex and unconstrained, by Newton's method with conjugate gradients. Potentials that differ by a
// gauge (what one clique adds, another takes away) are one point: the last term is taken modulo gauge.
class NewtonStage {
 public:
  // The oracle and the loss outlive it. The centre is 0, the uniform distribution, until it is moved.
  NewtonStage(FitOracle& oracle, MarginalLoss& loss, std::vector<double> start);

  void MoveCentreHere() { centre_ = current_.potentials; }
  void ReturnToCentre() { current_.potentials = centre_; }
  // REQUIRES before anything below: called after the centre, the potentials or the stiffness was changed.
  void Evaluate(double stiffness);

  // Newton steps until one of them is enough; false if that does not come about, or so many iterations were used in
  // all. One iteration is one inference or one product with the covariance. Cancelled when the oracle is asked to stop.
  absl::StatusOr<bool> Solve(int max_iterations, absl::FunctionRef<bool()> is_enough);

  const std::vector<double>& potentials() const { return current_.potentials; }
  const std::vector<double>& marginals() const { return current_.marginals; }
  // From the centre, without gauge.
  const std::vector<double>& moved() const { return current_.moved; }
  double log_partition() const { return current_.log_partition; }
  double stiffness() const { return stiffness_; }
  int iterations() const { return iterations_; }
  // What Newton's method has left: 1/2 sum w gradient^2.
  double Residual() const;

 private:
  struct Point {
    explicit Point(std::size_t cells) : potentials(cells), marginals(cells), moved(cells), gradient(cells) {}

    std::vector<double> potentials;
    std::vector<double> marginals;
    std::vector<double> moved;
    std::vector<double> gradient;
    double log_partition = 0;
    double objective = 0;
  };

  void Evaluate(Point& point);
  absl::Status FindDirection();
  double Precondition();
  void MultiplyByHessian();
  bool TakeStep();

  FitOracle& oracle_;
  MarginalLoss& loss_;
  Point current_;
  Point next_;
  std::vector<double> centre_;
  std::vector<double> direction_;
  std::vector<double> residual_;
  std::vector<double> search_;
  std::vector<double> product_;
  std::vector<double> scratch_;
  double stiffness_ = 1;
  int iterations_ = 0;
};

// The stiffness at which no potential wants to move further than a few nats from where it stands, if it is also pulled
// back to 0 by `prior`.
double FirstStiffness(const MarginalLoss& loss, std::span<const double> potentials, std::span<const double> marginals,
                      double prior);

// How much the stiffness falls from stage to stage.
inline constexpr double kStiffnessFactor = 4;

}  // namespace flaim
