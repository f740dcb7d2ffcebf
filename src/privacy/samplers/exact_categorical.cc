#include "privacy/samplers/exact_categorical.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "privacy/samplers/exp_bounds.h"
#include "privacy/samplers/lazy_uniform.h"

namespace flaim {
namespace {

UInt128 ScaleDown(UInt128 scale, UInt128 fixed_point) { return (scale * fixed_point) >> kExpFractionBits; }

// At least 2^62 times the weight of the series: 2 exp(-first) / (1 - exp(-step)), each part rounded up.
UInt128 SeriesUpperBound(const TwoSidedGeometricWeight& series) {
  const std::uint64_t ratio = BoundExp(series.step).upper;
  CHECK(ratio < kExpOne, "the step of the series is too small");
  const UInt128 numerator = (UInt128{2} * BoundExp(series.first).upper) << kExpFractionBits;
  return numerator / (kExpOne - ratio) + 1;
}

}  // namespace

ExactCategorical::ExactCategorical(ExponentialWeights weights, int total_bits) : weights_(std::move(weights)) {
  CHECK(4 <= total_bits && total_bits <= kMaxTotalBits);
  CHECK(std::find(weights_.numerators.begin(), weights_.numerators.end(), UInt128{0}) != weights_.numerators.end(),
        "no weight is 1");
  regions_ = AliasTable(LayOut(total_bits));
}

// Sets the scale and the lengths of the regions, and returns the widths of the regions in 2^-64 of the line.
//
// The certain lengths and the series take at most scale * (sum of their bounds) + 1, so dividing what the doubtful
// regions leave of the line by that sum gives a scale at which everything fits. A doubtful region must hold the
// difference of the bounds, at most 2 kExpErrorUnits before scaling, and what the two roundings take.
std::vector<std::uint64_t> ExactCategorical::LayOut(int total_bits) {
  const std::size_t count = weights_.numerators.size();
  const UInt128 line = UInt128{1} << total_bits;

  std::vector<std::uint64_t> widths(count + 1);
  UInt128 sum = 0;
  for (std::size_t index = 0; index < count; ++index) {
    widths[index] = BoundExp({weights_.numerators[index], weights_.denominator}).lower;
    sum += widths[index];
  }
  const UInt128 series_bound = weights_.series ? SeriesUpperBound(*weights_.series) : 0;
  sum += series_bound;
  CHECK(sum > 0);

  const UInt128 scale_max = (line << kExpFractionBits) / sum;
  doubtful_units_ = static_cast<std::uint64_t>(ScaleDown(scale_max, UInt128{2} * kExpErrorUnits)) + 2;
  const UInt128 doubtful_total = UInt128{doubtful_units_} * count + 1;
  CHECK(doubtful_total <= line / 2, "{} weights are too many for {} bits", count, total_bits);
  scale_ = ((line - doubtful_total) << kExpFractionBits) / sum;
  series_units_ = weights_.series ? static_cast<std::uint64_t>(ScaleDown(scale_, series_bound)) + 1 : 0;

  UInt128 leftover = line;
  for (std::size_t index = 0; index < count; ++index) {
    const UInt128 certain = ScaleDown(scale_, widths[index]);
    leftover -= certain;
    widths[index] = static_cast<std::uint64_t>(certain << (64 - total_bits));
  }
  CHECK(leftover < line, "no weight has a certain region: use more bits or a longer table");
  CHECK(leftover >= doubtful_total - 1 + series_units_);
  leftover_units_ = static_cast<std::uint64_t>(leftover);
  widths[count] = static_cast<std::uint64_t>(leftover << (64 - total_bits));
  return widths;
}

std::optional<std::size_t> ExactCategorical::ResolveDoubtful(RandomSource& random) const {
  const std::size_t count = weights_.numerators.size();
  const UInt128 doubtful_total = UInt128{doubtful_units_} * count;
  const std::uint64_t position = random.NextBelow(leftover_units_);
  if (position < doubtful_total) {
    const std::size_t index = position / doubtful_units_;
    if (AcceptsWeight(index, position % doubtful_units_, random)) return index;
  } else if (const auto unit = static_cast<std::uint64_t>(position - doubtful_total); unit < series_units_) {
    if (AcceptsSeries(unit, random)) return count;
  }
  return std::nullopt;
}

bool ExactCategorical::AcceptsWeight(std::size_t index, std::uint64_t unit, RandomSource& random) const {
  const WideRational gamma{weights_.numerators[index], weights_.denominator};
  const UInt128 certain = ScaleDown(scale_, BoundExp(gamma).lower);
  const EncloseReal scaled_weight = [&](Enclosure& result) {
    EncloseExp(gamma, result);
    MultiplyByInteger(scale_, result);
  };
  return UniformIsBelow(certain + unit, scaled_weight, random);
}

bool ExactCategorical::AcceptsSeries(std::uint64_t unit, RandomSource& random) const {
  const EncloseReal scaled_weight = [&](Enclosure& result) {
    Enclosure ratio(result.precision_bits());
    EncloseExp(weights_.series->step, ratio);
    EncloseExp(weights_.series->first, result);
    DivideByOneMinus(ratio, result);
    MultiplyByInteger(2 * scale_, result);
  };
  return UniformIsBelow(unit, scaled_weight, random);
}

}  // namespace flaim
