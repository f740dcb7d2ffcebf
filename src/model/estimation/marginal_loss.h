#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/estimation/consistent_subspace.h"
#include "model/estimation/measurement.h"
#include "model/inference/clique_layout.h"

namespace flaim {

// How badly marginals fit noisy ones: f(m) = 1/2 sum over cells of w (m - b)^2, where m are probabilities, b = y / N
// the measured shares and w = N^2 / variance. Over the flat vector of all measured cells, clique after clique.
//
// Noisy tables disagree with each other, and that part of the loss no marginals can lower. It is taken off once: the
// target is the nearest consistent tables, and Loss adds the constant that lies between (Pythagoras).
class MarginalLoss {
 public:
  // REQUIRES: total > 0, and the layout has the cliques of the measurements in their order.
  MarginalLoss(const Domain& domain, const CliqueLayout& layout, std::span<const Measurement> measurements,
               double total);

  std::size_t cells() const { return target_.size(); }
  const CliqueLayout& layout() const { return layout_; }
  std::span<const double> target() const { return target_; }
  std::span<const double> weight() const { return weight_; }

  double Loss(std::span<const double> marginals) const;
  // w (m - b), cell by cell.
  void Gradient(std::span<const double> marginals, std::span<double> gradient) const;
  // 1/2 sum w (to - from)^2: what f rises above its tangent between two points.
  double Curvature(std::span<const double> from, std::span<const double> to) const;

  // Removes from a direction in the space of potentials what changes no distribution: the part that is orthogonal, in
  // the metric of 1/w, to w times consistent tables.
  void DropGauge(std::span<double> direction);

  // What noise alone leaves of the loss: half a unit for each cell. A fit that is better by much less fits noise.
  double NoiseFloor() const { return static_cast<double>(target_.size()) / 2; }
  // No direction of unit L1 norm is curved more: one cell of each clique moves by at most that much.
  double WorstCurvature() const { return worst_curvature_; }

 private:
  CliqueLayout layout_;
  std::vector<double> weight_;
  std::vector<double> target_;
  ConsistentSubspace consistent_;
  double inconsistency_ = 0;
  double worst_curvature_ = 0;
};

}  // namespace flaim
