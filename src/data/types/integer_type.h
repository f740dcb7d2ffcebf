#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/types/bin_edges.h"
#include "data/types/encoded.h"

namespace flaim {

// Whole numbers from min to max, both included. At most one of `bins` and `bin_width` is given.
struct IntegerSpec {
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::optional<std::int64_t> bins;       // that many bins, whose widths differ by at most 1
  std::optional<std::int64_t> bin_width;  // bins of this width from min; the last may be narrower

  bool operator==(const IntegerSpec&) const = default;
};

// Bins cover the range exactly. Without bins every number is a code of its own.
class IntegerType {
 public:
  // A range with more numbers than this must say how it is cut into bins.
  static constexpr std::int64_t kMaxNumbersWithoutBins = 256;
  static constexpr std::int64_t kMaxMagnitude = std::int64_t{1} << 61;

  static absl::StatusOr<IntegerType> Create(IntegerSpec spec);

  const IntegerSpec& spec() const { return spec_; }
  std::uint32_t size() const { return bins_.size(); }
  Encoded Encode(std::string_view text) const;
  // What Encode gives for the number's digits.
  Encoded EncodeNumber(std::int64_t number) const;
  // Appends a number that is uniform within the bin.
  void Decode(std::uint32_t code, RandomSource& random, std::string& out) const;

  bool operator==(const IntegerType& that) const { return spec_ == that.spec_; }

 private:
  IntegerType(IntegerSpec spec, BinEdges<std::int64_t> bins) : spec_(spec), bins_(std::move(bins)) {}

  IntegerSpec spec_;
  BinEdges<std::int64_t> bins_;
};

}  // namespace flaim
