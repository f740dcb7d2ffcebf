#include "model/inference/levels.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim {
namespace {

// Adding n numbers and dividing by their sum leaves a sum that is wrong by less than n times this.
constexpr double kRounding = std::numeric_limits<double>::epsilon();

absl::Status Normalise(const Bins& bins, AttributeIndex attribute, std::vector<double>& shares) {
  const Attribute& column = bins.values()[attribute];
  if (std::ssize(shares) != (bins.HasBins(attribute) ? column.size : 0)) {
    return InvalidArgument("column {}: there are {} shares for {} values in bins", column.name, shares.size(),
                           bins.HasBins(attribute) ? column.size : 0);
  }
  if (shares.empty()) return absl::OkStatus();
  std::vector<double> sums(static_cast<std::size_t>(bins.bins()[attribute].size), 0.0);
  for (std::size_t value = 0; value < shares.size(); ++value) {
    if (!(shares[value] >= 0) || std::isinf(shares[value])) {
      return InvalidArgument("column {}: {} is no share", column.name, shares[value]);
    }
    sums[bins.Of(attribute)[value]] += shares[value];
  }
  for (double& sum : sums) {
    if (!(sum > 0) || std::isinf(sum)) {
      return InvalidArgument("column {}: the shares of a bin add up to {}", column.name, sum);
    }
    if (std::abs(sum - 1) <= kRounding * static_cast<double>(shares.size())) sum = 1;
  }
  for (std::size_t value = 0; value < shares.size(); ++value) shares[value] /= sums[bins.Of(attribute)[value]];
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Levels> Levels::Create(Bins bins, std::vector<std::vector<double>> shares) {
  if (std::ssize(shares) != bins.values().size()) {
    return InvalidArgument("there are {} columns, but shares for {}", bins.values().size(), shares.size());
  }
  for (AttributeIndex attribute = 0; attribute < bins.values().size(); ++attribute) {
    RETURN_IF_ERROR(Normalise(bins, attribute, shares[static_cast<std::size_t>(attribute)]));
  }
  return Levels(std::move(bins), std::move(shares));
}

bool Levels::IsOverBins(const Clique& clique, std::size_t cells) const {
  const auto is_of = [&](const Domain& domain) {
    return CellCount(domain, clique).value_or(-1) == static_cast<std::int64_t>(cells);
  };
  return is_of(bins_.bins()) && !is_of(bins_.values());
}

// One attribute after the other: the axis of its bins becomes one of its values.
std::vector<double> Levels::Refine(const Clique& clique, std::span<const double> of_bins) const {
  std::vector<double> cells(of_bins.begin(), of_bins.end());
  std::size_t outer = 1;  // cells of the attributes before, over values
  std::size_t inner = cells.size();
  for (const AttributeIndex attribute : clique) {
    const auto bins = static_cast<std::size_t>(bins_.bins()[attribute].size);
    const auto values = static_cast<std::size_t>(bins_.values()[attribute].size);
    CHECK(inner % bins == 0);
    inner /= bins;
    if (bins_.HasBins(attribute)) {
      std::vector<double> refined(outer * values * inner);
      for (std::size_t before = 0; before < outer; ++before) {
        for (std::size_t value = 0; value < values; ++value) {
          const double share = SharesOf(attribute)[value];
          const double* bin = &cells[(before * bins + bins_.Of(attribute)[value]) * inner];
          double* cell = &refined[(before * values + value) * inner];
          for (std::size_t after = 0; after < inner; ++after) cell[after] = share * bin[after];
        }
      }
      cells = std::move(refined);
    }
    outer *= values;
  }
  CHECK(inner == 1);
  return cells;
}

}  // namespace flaim
