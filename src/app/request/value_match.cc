#include "app/request/value_match.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <variant>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

constexpr std::string_view kRange = "..";

bool HasOrder(const Column& column) {
  const ColumnType& type = column.spec().type;
  return !std::holds_alternative<CategoricalType>(type) && !std::holds_alternative<BooleanType>(type);
}

Encoded EncodeBound(const Column& column, std::string_view text) {
  return std::visit([&](const auto& type) { return type.Encode(text); }, column.spec().type);
}

std::string WhatThereIs(const Column& column) {
  const ColumnType& type = column.spec().type;
  if (const auto* categorical = std::get_if<CategoricalType>(&type)) {
    return fmt::format("it has {}", QuoteListForMessage(categorical->spec().values));
  }
  if (const auto* boolean = std::get_if<BooleanType>(&type)) {
    return fmt::format("it has {} and {}", QuoteForMessage(boolean->spec().true_spellings.front()),
                       QuoteForMessage(boolean->spec().false_spellings.front()));
  }
  if (const auto* integer = std::get_if<IntegerType>(&type)) {
    return fmt::format("it has whole numbers from {} to {}; a range is written like {}..{}", integer->spec().min,
                       integer->spec().max, integer->spec().min, integer->spec().max);
  }
  if (const auto* real = std::get_if<RealType>(&type)) {
    const auto* uniform = std::get_if<UniformBins>(&real->spec().bins);
    const auto* edges = std::get_if<std::vector<double>>(&real->spec().bins);
    const double min = uniform != nullptr ? uniform->min : edges->front();
    const double max = uniform != nullptr ? uniform->max : edges->back();
    return fmt::format("it has numbers from {} to {}; a range is written like {}..{}", min, max, min, max);
  }
  return "it has dates within the bounds of the schema; a range is written like 2024-01-01..2024-06-30";
}

absl::Status NotAValue(const Column& column, const std::string& text) {
  return InvalidArgument("column {} has no value {}: {}", QuoteForMessage(column.name()), QuoteForMessage(text),
                         WhatThereIs(column));
}

std::vector<std::uint32_t> CodesBetween(std::uint32_t first, std::uint32_t last) {
  std::vector<std::uint32_t> codes(last - first + 1);
  std::iota(codes.begin(), codes.end(), first);
  return codes;
}

// The ends of LOW..HIGH as codes; nothing if the text is no range of this column, or an empty one.
std::optional<std::vector<std::uint32_t>> CodesInRange(const Column& column, std::string_view text) {
  const std::size_t dots = text.find(kRange);
  if (dots == std::string_view::npos || !HasOrder(column)) return std::nullopt;
  const std::string_view low = text.substr(0, dots);
  const std::string_view high = text.substr(dots + kRange.size());
  if (low.empty() && high.empty()) return std::nullopt;
  const std::uint32_t last_code = SizeOf(column.spec().type) - 1;
  const Encoded from = low.empty() ? Encoded{0} : EncodeBound(column, low);
  const Encoded to = high.empty() ? Encoded{last_code} : EncodeBound(column, high);
  if (from.outcome == EncodeOutcome::kMalformed || to.outcome == EncodeOutcome::kMalformed) return std::nullopt;
  if (from.outcome == EncodeOutcome::kAbove || to.outcome == EncodeOutcome::kBelow) return std::nullopt;
  if (from.code > to.code) return std::nullopt;
  return CodesBetween(from.code, to.code);
}

// A name may contain '=' itself, so the longest column name that fits counts.
std::optional<AttributeIndex> ColumnOf(const Schema& schema, std::string_view condition) {
  std::optional<AttributeIndex> found;
  for (std::size_t i = 0; i < schema.columns().size(); ++i) {
    const std::string& name = schema.columns()[i].name();
    if (!condition.starts_with(name + "=")) continue;
    const auto attribute = static_cast<AttributeIndex>(i);
    if (!found || name.size() > schema.domain()[*found].name.size()) found = attribute;
  }
  return found;
}

absl::Status UnknownColumn(const Schema& schema, const std::string& condition) {
  const std::size_t equals = condition.find('=');
  if (equals == std::string::npos) {
    return InvalidArgument("{} is not a condition; write it like COLUMN=VALUE", QuoteForMessage(condition));
  }
  std::vector<std::string> names;
  for (const Column& column : schema.columns()) names.push_back(column.name());
  const std::string name = condition.substr(0, equals);
  const std::vector<std::string_view> options(names.begin(), names.end());
  return InvalidArgument("the condition {}: the model has no column {}.{} It has {}", QuoteForMessage(condition),
                         QuoteForMessage(name), SuggestNearest(name, options), QuoteListForMessage(names));
}

}  // namespace

absl::StatusOr<std::vector<std::uint32_t>> CodesMeantBy(const Column& column, const std::string& text) {
  const Encoded value = column.Encode(text);
  if (value.outcome == EncodeOutcome::kExact) return std::vector<std::uint32_t>{value.code};
  if (std::optional<std::vector<std::uint32_t>> codes = CodesInRange(column, text)) return *std::move(codes);
  return NotAValue(column, text);
}

bool HasBins(const Column& column) {
  const ColumnType& type = column.spec().type;
  if (const auto* integer = std::get_if<IntegerType>(&type)) {
    return integer->spec().max - integer->spec().min + 1 > std::int64_t{integer->size()};
  }
  if (const auto* time = std::get_if<TimeType>(&type)) {
    return !std::holds_alternative<std::monostate>(time->spec().bins);
  }
  return std::holds_alternative<RealType>(type);
}

absl::StatusOr<std::vector<Evidence>> ParseConditions(const Schema& schema,
                                                      const std::vector<std::string>& conditions) {
  std::map<AttributeIndex, std::set<std::uint32_t>> allowed;
  for (const std::string& condition : conditions) {
    const std::optional<AttributeIndex> attribute = ColumnOf(schema, condition);
    if (!attribute) return UnknownColumn(schema, condition);
    const Column& column = schema.columns()[static_cast<std::size_t>(*attribute)];
    ASSIGN_OR_RETURN(const std::vector<std::uint32_t> codes,
                     CodesMeantBy(column, condition.substr(column.name().size() + 1)));
    allowed[*attribute].insert(codes.begin(), codes.end());
  }
  std::vector<Evidence> evidence;
  for (const auto& [attribute, codes] : allowed) evidence.push_back({attribute, {codes.begin(), codes.end()}});
  return evidence;
}

}  // namespace flaim
