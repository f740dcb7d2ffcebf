#include "arrow/value_type.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/status.h"
#include "io/message_text.h"
#include "io/number_text.h"

namespace flaim {
namespace {

constexpr int kMaxDecimals = 38;

constexpr std::array<std::pair<std::string_view, ArrowKind>, 18> kPlainFormats = {{
    {"n", ArrowKind::kNull},
    {"b", ArrowKind::kBoolean},
    {"c", ArrowKind::kInt8},
    {"s", ArrowKind::kInt16},
    {"i", ArrowKind::kInt32},
    {"l", ArrowKind::kInt64},
    {"C", ArrowKind::kUInt8},
    {"S", ArrowKind::kUInt16},
    {"I", ArrowKind::kUInt32},
    {"L", ArrowKind::kUInt64},
    {"e", ArrowKind::kFloat16},
    {"f", ArrowKind::kFloat32},
    {"g", ArrowKind::kFloat64},
    {"u", ArrowKind::kText},
    {"U", ArrowKind::kLargeText},
    {"vu", ArrowKind::kTextView},
    {"tdD", ArrowKind::kDate32},
    {"tdm", ArrowKind::kDate64},
}};

constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kTimestampFormats = {{
    {"tss:", 1},
    {"tsm:", 1'000},
    {"tsu:", 1'000'000},
    {"tsn:", 1'000'000'000},
}};

constexpr std::array<std::string_view, 5> kNamesOfUtc = {"", "UTC", "Etc/UTC", "Z", "+00:00"};

absl::StatusOr<ArrowType> Timestamp(std::string_view zone, std::int64_t units_per_second) {
  if (std::find(kNamesOfUtc.begin(), kNamesOfUtc.end(), zone) == kNamesOfUtc.end()) {
    return InvalidArgument(
        "holds times of the time zone {}; convert them to UTC or to local times without a zone, as the schema means "
        "them",
        QuoteForMessage(zone));
  }
  return ArrowType{.kind = ArrowKind::kTimestamp, .units_per_second = units_per_second};
}

// "d:19,10" or "d:19,10,128": digits, decimals, bits.
std::optional<ArrowType> Decimal(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  std::string_view decimals = text.substr(comma + 1);
  if (const std::size_t second = decimals.find(','); second != std::string_view::npos) {
    if (decimals.substr(second + 1) != "128") return std::nullopt;
    decimals = decimals.substr(0, second);
  }
  const std::optional<std::int64_t> places = ParseInteger(decimals);
  if (!places || *places < 0 || *places > kMaxDecimals) return std::nullopt;
  return ArrowType{.kind = ArrowKind::kDecimal, .decimals = static_cast<int>(*places)};
}

}  // namespace

absl::StatusOr<ArrowType> ParseArrowFormat(std::string_view format) {
  for (const auto& [name, kind] : kPlainFormats) {
    if (format == name) return ArrowType{.kind = kind};
  }
  for (const auto& [prefix, units] : kTimestampFormats) {
    if (format.starts_with(prefix)) return Timestamp(format.substr(prefix.size()), units);
  }
  if (format.starts_with("d:")) {
    if (const std::optional<ArrowType> decimal = Decimal(format.substr(2))) return *decimal;
  }
  return InvalidArgument(
      "is of the Arrow type {}, whose values have no obvious text; cast it to a text, a number, a boolean or a date, "
      "or drop it",
      QuoteForMessage(format));
}

}  // namespace flaim
