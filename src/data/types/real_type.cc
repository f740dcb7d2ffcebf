#include "data/types/real_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/status.h"
#include "io/number_text.h"

namespace flaim {
namespace {

constexpr double kLargestExactInteger = 0x1p53;
constexpr std::uint32_t kMaxKeptGrids = 4096;

double PowerOfTen(int exponent) {
  static constexpr std::array<double, RealType::kMaxDecimals + 1> kPowers = {
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  return kPowers[static_cast<std::size_t>(exponent)];
}

absl::StatusOr<std::vector<double>> UniformEdges(const UniformBins& uniform) {
  if (!std::isfinite(uniform.min) || !std::isfinite(uniform.max)) return InvalidArgument("needs a finite min and max");
  if (uniform.min >= uniform.max) {
    return InvalidArgument("has min {} and max {}; min must be below max", uniform.min, uniform.max);
  }
  if (uniform.bins < 1 || uniform.bins > kMaxCodesPerColumn) {
    return InvalidArgument("has {} bins; choose between 1 and {}", uniform.bins, kMaxCodesPerColumn);
  }
  std::vector<double> edges;
  edges.reserve(static_cast<std::size_t>(uniform.bins) + 1);
  for (std::int64_t bin = 0; bin <= uniform.bins; ++bin) {
    const double share = static_cast<double>(bin) / static_cast<double>(uniform.bins);
    edges.push_back(std::lerp(uniform.min, uniform.max, share));
  }
  return edges;
}

absl::StatusOr<std::vector<double>> EdgesOf(const RealSpec& spec) {
  if (const auto* uniform = std::get_if<UniformBins>(&spec.bins)) return UniformEdges(*uniform);
  return std::get<std::vector<double>>(spec.bins);
}

absl::Status CheckEdges(const RealSpec& spec, const std::vector<double>& edges) {
  if (edges.size() < 2) return InvalidArgument("needs at least two edges");
  if (static_cast<std::int64_t>(edges.size()) - 1 > kMaxCodesPerColumn) {
    return InvalidArgument("has {} bins; at most {} are allowed", edges.size() - 1, kMaxCodesPerColumn);
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!std::isfinite(edges[i])) return InvalidArgument("has an edge that is not a finite number");
    if (i == 0 || edges[i - 1] < edges[i]) continue;
    if (std::holds_alternative<UniformBins>(spec.bins)) {
      return InvalidArgument("has more bins than double precision can tell apart; use fewer bins");
    }
    return InvalidArgument("has edge {} after {}; edges must increase", edges[i], edges[i - 1]);
  }
  return absl::OkStatus();
}

// Digits left of the point and right of it, from a whole number of units 10^-decimals.
void AppendDecimal(std::int64_t units, int decimals, std::string& out) {
  const fmt::format_int digits(units < 0 ? -units : units);
  const auto places = static_cast<std::size_t>(decimals);
  const std::size_t zeros = digits.size() > places ? 0 : places + 1 - digits.size();
  std::array<char, 2 * std::numeric_limits<std::int64_t>::digits10> text;
  char* end = text.data();
  if (units < 0) *end++ = '-';
  end = std::fill_n(end, zeros, '0');
  end = std::copy_n(digits.data(), digits.size(), end);
  if (places > 0) {
    std::copy_backward(end - places, end, end + 1);
    *(end - places) = '.';
    ++end;
  }
  out.append(text.data(), end);
}

}  // namespace

RealType::RealType(RealSpec spec, BinEdges<double> bins) : spec_(std::move(spec)), bins_(std::move(bins)) {
  std::vector<std::optional<DecimalGrid>> grids;
  if (size() <= kMaxKeptGrids) {
    for (std::uint32_t bin = 0; bin < size(); ++bin) grids.push_back(FindGrid(bin));
  }
  grids_ = std::make_shared<const std::vector<std::optional<DecimalGrid>>>(std::move(grids));
}

absl::StatusOr<RealType> RealType::Create(RealSpec spec) {
  ASSIGN_OR_RETURN(std::vector<double> edges, EdgesOf(spec));
  RETURN_IF_ERROR(CheckEdges(spec, edges));
  if (spec.decimals && (*spec.decimals < 0 || *spec.decimals > kMaxDecimals)) {
    return InvalidArgument("has {} decimals; choose between 0 and {}", *spec.decimals, kMaxDecimals);
  }
  RealType type(std::move(spec), BinEdges<double>(std::move(edges)));
  if (!type.spec_.decimals) return type;
  for (std::uint32_t bin = 0; bin < type.size(); ++bin) {
    if (type.GridOf(bin)) continue;
    return InvalidArgument(
        "has {} decimals, and its bin from {} to {} contains no such number (or one with more than 15 digits); use "
        "wider bins or other decimals",
        *type.spec_.decimals, type.bins_.lower(bin), type.bins_.upper(bin));
  }
  return type;
}

Encoded RealType::Encode(std::string_view text) const {
  const std::optional<double> number = ParseReal(text);
  if (!number) return {0, EncodeOutcome::kMalformed};
  return EncodeNumber(*number);
}

Encoded RealType::EncodeNumber(double number) const {
  if (!std::isfinite(number)) return {0, EncodeOutcome::kMalformed};
  if (number < bins_.front()) return {0, EncodeOutcome::kBelow};
  if (number > bins_.back()) return {size() - 1, EncodeOutcome::kAbove};
  return {bins_.Find(number), EncodeOutcome::kExact};
}

void RealType::Decode(std::uint32_t code, RandomSource& random, std::string& out) const {
  CHECK(code < size());
  if (const std::optional<DecimalGrid> grid = GridOf(code)) {
    const auto choices = static_cast<std::uint64_t>(grid->last - grid->first + 1);
    const std::int64_t units = grid->first + static_cast<std::int64_t>(random.NextBelow(choices));
    AppendDecimal(units, grid->decimals, out);
  } else {
    fmt::format_to(std::back_inserter(out), "{}", DrawAnywhere(code, random));
  }
}

bool RealType::IsInBin(double value, std::uint32_t bin) const {
  return value >= bins_.lower(bin) && (value < bins_.upper(bin) || (bin + 1 == size() && value == bins_.upper(bin)));
}

// units / 10^decimals is a correctly rounded division of exact numbers, hence the very double that a reader of the
// printed digits gets; checking the two ends is therefore enough.
std::optional<RealType::DecimalGrid> RealType::FindGrid(std::uint32_t bin) const {
  const double width = bins_.upper(bin) - bins_.lower(bin);
  if (!std::isfinite(width)) return std::nullopt;
  const double wanted = std::ceil(-std::log10(width)) + 2;
  const int decimals =
      spec_.decimals ? *spec_.decimals : static_cast<int>(std::clamp(wanted, 0.0, double{kMaxDecimals}));
  const double power = PowerOfTen(decimals);
  double first = std::ceil(bins_.lower(bin) * power);
  double last = std::floor(bins_.upper(bin) * power);
  if (!(std::max(std::abs(first), std::abs(last)) < kLargestExactInteger)) return std::nullopt;
  if (!IsInBin(first / power, bin)) ++first;
  if (!IsInBin(last / power, bin)) --last;
  if (first > last || !IsInBin(first / power, bin) || !IsInBin(last / power, bin)) return std::nullopt;
  return DecimalGrid{static_cast<std::int64_t>(first), static_cast<std::int64_t>(last), decimals};
}

std::optional<RealType::DecimalGrid> RealType::GridOf(std::uint32_t bin) const {
  return grids_->empty() ? FindGrid(bin) : (*grids_)[bin];
}

double RealType::DrawAnywhere(std::uint32_t bin, RandomSource& random) const {
  const double lower = bins_.lower(bin);
  const double upper = bins_.upper(bin);
  const double value = std::lerp(lower, upper, random.NextUnit());
  return std::clamp(value, lower, std::nextafter(upper, lower));
}

}  // namespace flaim
