#include "model/estimation/marginal_loss.h"

#include "base/check.h"

namespace flaim {
namespace {

std::vector<double> CliqueWeights(std::span<const Measurement> measurements, double total) {
  std::vector<double> weights;
  for (const Measurement& measurement : measurements) weights.push_back(total * total / measurement.variance);
  return weights;
}

}  // namespace

MarginalLoss::MarginalLoss(const Domain& domain, const CliqueLayout& layout, std::span<const Measurement> measurements,
                           double total)
    : layout_(layout), consistent_(domain, layout, CliqueWeights(measurements, total)) {
  CHECK(total > 0 && layout.size() == static_cast<int>(measurements.size()));
  for (const Measurement& measurement : measurements) {
    const double weight = total * total / measurement.variance;
    worst_curvature_ += weight;
    for (const double value : measurement.values) {
      target_.push_back(value / total);
      weight_.push_back(weight);
    }
  }
  const std::vector<double> measured = target_;
  consistent_.Project(target_, 1);
  inconsistency_ = Curvature(measured, target_);
}

double MarginalLoss::Loss(std::span<const double> marginals) const {
  double loss = 0;
  for (std::size_t i = 0; i < target_.size(); ++i) {
    const double residual = marginals[i] - target_[i];
    loss += weight_[i] * residual * residual;
  }
  return loss / 2 + inconsistency_;
}

void MarginalLoss::Gradient(std::span<const double> marginals, std::span<double> gradient) const {
  for (std::size_t i = 0; i < target_.size(); ++i) gradient[i] = weight_[i] * (marginals[i] - target_[i]);
}

double MarginalLoss::Curvature(std::span<const double> from, std::span<const double> to) const {
  double sum = 0;
  for (std::size_t i = 0; i < weight_.size(); ++i) sum += weight_[i] * (to[i] - from[i]) * (to[i] - from[i]);
  return sum / 2;
}

void MarginalLoss::DropGauge(std::span<double> direction) {
  for (std::size_t i = 0; i < weight_.size(); ++i) direction[i] /= weight_[i];
  consistent_.Project(direction, 0);
  for (std::size_t i = 0; i < weight_.size(); ++i) direction[i] *= weight_[i];
}

}  // namespace flaim
