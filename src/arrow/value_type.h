#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace flaim {

enum class ArrowKind : std::uint8_t {
  kNull,
  kBoolean,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kText,
  kLargeText,
  kTextView,
  kDate32,
  kDate64,
  kTimestamp,
  kDecimal,
};

// What the values of an Arrow column are: those types whose values have an obvious text.
struct ArrowType {
  ArrowKind kind = ArrowKind::kNull;
  std::int64_t units_per_second = 1;  // of a timestamp
  int decimals = 0;                   // of a decimal number

  bool IsInteger() const { return kind >= ArrowKind::kInt8 && kind <= ArrowKind::kUInt64; }
  bool operator==(const ArrowType&) const = default;
};

// Reads a format string of the C data interface. Refuses other types with what to do; a timestamp with a time zone
// other than UTC is refused as the CSV reader refuses one, because there is no right way to drop it.
absl::StatusOr<ArrowType> ParseArrowFormat(std::string_view format);

}  // namespace flaim
