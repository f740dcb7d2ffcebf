#include "privacy/accountants/privacy_profile.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "privacy/accountants/rounding.h"

namespace flaim {
namespace {

constexpr double kProfileSlack = 0x1p-32;
constexpr double kUnderflowSlack = 1e-290;

// V(x_i - shift), bounded by the chord through the lattice points around it: weight_upper V[i - index] +
// weight_lower V[i - index - 1].
struct ChordPoint {
  std::int64_t index = 0;
  double weight_upper = 1;
  double weight_lower = 0;
};

// The lower point has the larger value, so its weight also covers the rounding of the shift.
ChordPoint OnChord(double shift, double step) {
  const auto index = static_cast<std::int64_t>(std::floor(shift / step));
  const double offset = std::clamp(shift - static_cast<double>(index) * step, 0.0, step);
  const double slack = 8 * kRounding * (1 + std::abs(shift) / step);
  const double whole = std::expm1(step);
  return {index, std::expm1(step - offset) / whole, std::exp(step - offset) * std::expm1(offset) / whole + slack};
}

// One end of a cell of shifts t, on which both chords are straight lines in u = e^-t.
struct CellEnd {
  double shift = 0;
  ChordPoint high;  // V(x - t)
  ChordPoint low;   // V(x - t + epsilon)
  double probability_high = 0;
  double probability_low = 0;
  // On the cell that ends here, the objective is a + b u + c / u. It exceeds its own chord by at most 4 s (1 - s) times
  // level_weight (V - W) + slope_weight (change of V - change of W), where V and W are the high and the low value.
  double level_weight = 0;
  double slope_weight = 0;
};

// The shifts at which one of the two losses meets a lattice point, in ascending order.
std::vector<CellEnd> CellEnds(double epsilon, double step) {
  const auto whole_steps = static_cast<std::int64_t>(std::ceil(epsilon / step));
  std::vector<CellEnd> ends;
  const bool aligned = epsilon == static_cast<double>(whole_steps) * step;
  for (std::int64_t index = 0; index < whole_steps + (aligned ? 1 : 0); ++index) {
    const double shift = static_cast<double>(index) * step;
    const ChordPoint low = aligned ? ChordPoint{index - whole_steps} : OnChord(shift - epsilon, step);
    ends.push_back({.shift = shift, .high = {index}, .low = low});
    if (!aligned) ends.push_back({.shift = epsilon - shift, .high = OnChord(epsilon - shift, step), .low = {-index}});
  }
  std::sort(ends.begin(), ends.end(), [](const auto& left, const auto& right) { return left.shift < right.shift; });
  return ends;
}

std::vector<CellEnd> WeightedCellEnds(double epsilon, double step) {
  std::vector<CellEnd> ends = CellEnds(epsilon, step);
  const double whole = std::expm1(epsilon);
  const double slack = 8 * kRounding * (1 + epsilon);
  double previous = 0;
  for (CellEnd& end : ends) {
    end.probability_high = std::exp(end.shift) * std::expm1(epsilon - end.shift) / whole + slack;
    end.probability_low = std::expm1(end.shift) / whole + slack;
    const double width = std::expm1(end.shift - previous);
    end.level_weight = width * width * std::exp(previous) / (4 * whole);
    end.slope_weight = width * std::exp(end.shift) / (4 * whole);
    previous = end.shift;
  }
  return ends;
}

// A range that falls short of a whole number of steps by a rounding error is taken as that number.
double Aligned(double epsilon, double step) {
  const double above = std::ceil(epsilon / step) * step;
  return above >= epsilon && above - epsilon < 1e-9 * step ? above : epsilon;
}

// The maximum over s in [0, 1] of the line from `first` to `second` plus 4 bulge s (1 - s).
double MaximumOnCell(double first, double second, double bulge) {
  const double difference = std::abs(second - first);
  if (difference >= 4 * bulge) return std::max(first, second);
  return 0.5 * (first + second) + bulge + difference * difference / (16 * bulge);
}

}  // namespace

PrivacyProfile::PrivacyProfile(const Lattice& lattice) : lattice_(lattice), values_(lattice.size()) {
  CHECK(lattice.step > 0 && lattice.lowest < lattice.highest, "lattice step {}", lattice.step);
  for (std::size_t index = 0; index < values_.size(); ++index) {
    const double x = lattice.step * static_cast<double>(lattice.lowest + static_cast<std::int64_t>(index));
    values_[index] = std::max(0.0, -std::expm1(x));
  }
  RoundUp();
}

std::vector<double> PrivacyProfile::After(const LossDistribution& loss) const {
  CHECK(loss.lattice_step == lattice_.step, "lattice steps {} and {}", loss.lattice_step, lattice_.step);
  const std::int64_t highest_loss = loss.lowest + static_cast<std::int64_t>(loss.mass.size()) - 1;
  const std::int64_t below = std::max<std::int64_t>(highest_loss, 0);
  const std::vector<double> before = Padded(below, std::max<std::int64_t>(-loss.lowest, 0));
  std::vector<double> after(values_.size(), loss.infinite_mass);
  for (std::size_t term = 0; term < loss.mass.size(); ++term) {
    const double mass = loss.mass[term];
    const double* shifted = before.data() + (below - loss.lowest - static_cast<std::int64_t>(term));
    for (std::size_t index = 0; index < after.size(); ++index) after[index] += mass * shifted[index];
  }
  return after;
}

void PrivacyProfile::ApplyLoss(const LossDistribution& loss) {
  values_ = After(loss);
  RoundUp();
}

void PrivacyProfile::ApplyWorstLoss(std::span<const LossDistribution> losses) {
  CHECK(!losses.empty());
  std::vector<double> worst(values_.size(), 0.0);
  for (const LossDistribution& loss : losses) {
    const std::vector<double> after = After(loss);
    for (std::size_t index = 0; index < worst.size(); ++index) worst[index] = std::max(worst[index], after[index]);
  }
  values_ = std::move(worst);
  RoundUp();
}

void PrivacyProfile::ApplyBoundedRange(double epsilon) {
  CHECK(epsilon > 0 && epsilon <= 200, "bounded range {}", epsilon);
  const auto reach = static_cast<std::int64_t>(std::ceil(epsilon / lattice_.step)) + 2;
  const std::vector<double> before = Padded(reach, reach);
  const auto on_chord = [&](const ChordPoint& point, std::size_t index) {
    const double* upper = before.data() + (reach - point.index) + index;
    return point.weight_upper * upper[0] + point.weight_lower * upper[-1];
  };

  // At t = 0 the loss is certainly 0.
  std::vector<double> high = values_;
  std::vector<double> low = values_;
  std::vector<double> mean = values_;
  for (const CellEnd& end : WeightedCellEnds(Aligned(epsilon, lattice_.step), lattice_.step)) {
    for (std::size_t index = 0; index < values_.size(); ++index) {
      const double next_high = on_chord(end.high, index);
      const double next_low = on_chord(end.low, index);
      const double next_mean = end.probability_high * next_high + end.probability_low * next_low;
      const double rise = (next_high - high[index]) - (next_low - low[index]) + 8 * kRounding * next_high;
      const double bulge = end.level_weight * (high[index] - low[index]) + end.slope_weight * rise;
      values_[index] = std::max(values_[index], MaximumOnCell(mean[index], next_mean, std::max(bulge, 0.0)));
      high[index] = next_high;
      low[index] = next_low;
      mean[index] = next_mean;
    }
  }
  RoundUp();
}

double PrivacyProfile::DeltaAt(double epsilon) const {
  if (epsilon < lattice_.step * static_cast<double>(lattice_.lowest)) return 1;
  if (epsilon > lattice_.step * static_cast<double>(lattice_.highest)) return values_.back();
  const ChordPoint point = OnChord(-epsilon, lattice_.step);
  const double upper = point.weight_upper * ValueAt(-point.index);
  const double lower = point.weight_lower * ValueAt(-point.index - 1);
  return std::min(1.0, (upper + lower) * (1 + kProfileSlack));
}

double PrivacyProfile::EpsilonAt(double delta) const {
  if (DeltaAt(0) <= delta) return 0;
  const double end = lattice_.step * static_cast<double>(lattice_.highest);
  if (!(end > 0 && DeltaAt(end) <= delta)) return std::numeric_limits<double>::infinity();
  double low = 0;
  double high = end;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double middle = 0.5 * (low + high);
    (DeltaAt(middle) <= delta ? high : low) = middle;
  }
  return high;
}

double PrivacyProfile::ValueAt(std::int64_t index) const {
  if (index < lattice_.lowest) return 1;
  return values_[static_cast<std::size_t>(std::min(index, lattice_.highest) - lattice_.lowest)];
}

std::vector<double> PrivacyProfile::Padded(std::int64_t below, std::int64_t above) const {
  std::vector<double> padded(static_cast<std::size_t>(below), 1.0);
  padded.insert(padded.end(), values_.begin(), values_.end());
  padded.insert(padded.end(), static_cast<std::size_t>(above), values_.back());
  return padded;
}

void PrivacyProfile::RoundUp() {
  for (double& value : values_) value = std::min(1.0, value * (1 + kProfileSlack) + kUnderflowSlack);
}

}  // namespace flaim
