#include "data/types/integer_type.h"

#include <vector>

#include "base/check.h"
#include "base/status.h"
#include "data/types/integer_bins.h"
#include "io/number_text.h"

namespace flaim {
namespace {

absl::StatusOr<std::vector<std::int64_t>> EdgesOfWidth(const IntegerSpec& spec, std::int64_t width) {
  const std::int64_t numbers = spec.max - spec.min + 1;
  if (width < 1) return InvalidArgument("has bin_width {}; it must be at least 1", width);
  const std::int64_t bins = numbers / width + (numbers % width == 0 ? 0 : 1);
  if (bins > kMaxCodesPerColumn) {
    return InvalidArgument("has bin_width {}, which makes {} bins; at most {} are allowed: widen the bins", width, bins,
                           kMaxCodesPerColumn);
  }
  std::vector<std::int64_t> edges;
  for (std::int64_t bin = 0; bin < bins; ++bin) edges.push_back(spec.min + bin * width);
  edges.push_back(spec.max + 1);
  return edges;
}

absl::StatusOr<std::vector<std::int64_t>> EdgesOf(const IntegerSpec& spec) {
  const std::int64_t numbers = spec.max - spec.min + 1;
  if (spec.bins && spec.bin_width) return InvalidArgument("has both bins and bin_width; keep one of them");
  if (spec.bin_width) return EdgesOfWidth(spec, *spec.bin_width);
  if (!spec.bins && numbers > IntegerType::kMaxNumbersWithoutBins) {
    return InvalidArgument("spans {} whole numbers; state 'bins' or 'bin_width' (needed above {})", numbers,
                           IntegerType::kMaxNumbersWithoutBins);
  }
  return EqualBinEdges({.first = spec.min, .count = numbers}, spec.bins.value_or(numbers));
}

}  // namespace

absl::StatusOr<IntegerType> IntegerType::Create(IntegerSpec spec) {
  if (spec.min < -kMaxMagnitude || spec.max > kMaxMagnitude) {
    return InvalidArgument("has bounds {} and {}; they must lie between {} and {}", spec.min, spec.max, -kMaxMagnitude,
                           kMaxMagnitude);
  }
  if (spec.min > spec.max) return InvalidArgument("has min {} above max {}; swap them", spec.min, spec.max);
  ASSIGN_OR_RETURN(std::vector<std::int64_t> edges, EdgesOf(spec));
  return IntegerType(spec, BinEdges<std::int64_t>(std::move(edges)));
}

Encoded IntegerType::Encode(std::string_view text) const {
  const auto number = ParseNumber<std::int64_t>(text);
  if (!number.is_number) return {0, EncodeOutcome::kMalformed};
  if (!number.out_of_range) return EncodeNumber(number.value);
  if (number.is_negative) return {0, EncodeOutcome::kBelow};
  return {size() - 1, EncodeOutcome::kAbove};
}

Encoded IntegerType::EncodeNumber(std::int64_t number) const {
  if (number < spec_.min) return {0, EncodeOutcome::kBelow};
  if (number > spec_.max) return {size() - 1, EncodeOutcome::kAbove};
  return {bins_.Find(number), EncodeOutcome::kExact};
}

void IntegerType::Decode(std::uint32_t code, RandomSource& random, std::string& out) const {
  CHECK(code < size());
  const auto width = static_cast<std::uint64_t>(bins_.upper(code) - bins_.lower(code));
  const std::int64_t number = bins_.lower(code) + static_cast<std::int64_t>(random.NextBelow(width));
  out += fmt::format_int(number).c_str();
}

}  // namespace flaim
