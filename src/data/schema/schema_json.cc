#include "data/schema/schema_json.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "io/message_text.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

using Json = nlohmann::json;

absl::StatusOr<std::string> RequiredText(const Json& column, const char* key, std::string_view where) {
  const auto found = column.find(key);
  if (found == column.end() || !found->is_string()) return InvalidArgument("{}: needs a text \"{}\"", where, key);
  return found->get<std::string>();
}

absl::StatusOr<std::optional<double>> OptionalNumber(const Json& column, const char* key, std::string_view where) {
  const auto found = column.find(key);
  if (found == column.end()) return std::nullopt;
  if (!found->is_number()) return InvalidArgument("{}: \"{}\" must be a number", where, key);
  return found->get<double>();
}

absl::Status CheckKeys(const Json& column, std::span<const std::string_view> allowed, std::string_view where) {
  for (const auto& item : column.items()) {
    if (std::find(allowed.begin(), allowed.end(), item.key()) != allowed.end()) continue;
    return InvalidArgument("{}: unknown key {}.{} Allowed are: {}", where, QuoteForMessage(item.key()),
                           SuggestNearest(item.key(), allowed), fmt::join(allowed, ", "));
  }
  return absl::OkStatus();
}

absl::StatusOr<double> Bound(const Json& column, const char* key, const char* full_key, std::string_view where) {
  ASSIGN_OR_RETURN(const std::optional<double> full, OptionalNumber(column, full_key, where));
  ASSIGN_OR_RETURN(const std::optional<double> bound, OptionalNumber(column, key, where));
  if (!bound) return InvalidArgument("{}: needs a number \"{}\"", where, key);
  return full.value_or(*bound);
}

absl::StatusOr<std::int64_t> Bins(const Json& column, std::string_view where) {
  const auto found = column.find("bins");
  if (found == column.end()) return UniformBins::kDefaultBins;
  if (!found->is_number_integer()) return InvalidArgument("{}: \"bins\" must be a whole number", where);
  return found->is_number_unsigned()
             ? static_cast<std::int64_t>(std::min<std::uint64_t>(found->get<std::uint64_t>(), kMaxCodesPerColumn + 1))
             : found->get<std::int64_t>();
}

absl::StatusOr<ColumnSpec> ReadNumeric(const Json& column, const std::string& name, std::string_view where) {
  static constexpr std::string_view kKeys[] = {"name", "type", "min", "max", "full_min", "full_max", "bins"};
  RETURN_IF_ERROR(CheckKeys(column, kKeys, where));
  UniformBins uniform;
  ASSIGN_OR_RETURN(uniform.min, Bound(column, "min", "full_min", where));
  ASSIGN_OR_RETURN(uniform.max, Bound(column, "max", "full_max", where));
  ASSIGN_OR_RETURN(uniform.bins, Bins(column, where));
  constexpr double kLargestExactInteger = 0x1p53;
  const bool is_whole = std::abs(uniform.min) <= kLargestExactInteger && std::trunc(uniform.min) == uniform.min;
  if (uniform.min == uniform.max && is_whole) {
    const auto constant = static_cast<std::int64_t>(uniform.min);
    ASSIGN_OR_RETURN(IntegerType type,
                     IntegerType::Create({.min = constant, .max = constant, .bins = {}, .bin_width = {}}));
    return ColumnSpec{name, std::move(type), false, true, std::nullopt};
  }
  absl::StatusOr<RealType> type = RealType::Create({uniform, std::nullopt});
  if (!type.ok()) return InvalidArgument("{} {}", where, std::string(type.status().message()));
  return ColumnSpec{name, *std::move(type), false, true, std::nullopt};
}

absl::StatusOr<ColumnSpec> ReadCategorical(const Json& column, const std::string& name, std::string_view where) {
  static constexpr std::string_view kKeys[] = {"name", "type", "values"};
  RETURN_IF_ERROR(CheckKeys(column, kKeys, where));
  const auto values = column.find("values");
  if (values == column.end() || !values->is_array()) return InvalidArgument("{}: needs a list \"values\"", where);
  CategoricalSpec spec;
  for (const Json& value : *values) {
    if (!value.is_string()) return InvalidArgument("{}: put each of the \"values\" in quotes", where);
    spec.values.push_back(value.get<std::string>());
  }
  absl::StatusOr<CategoricalType> type = CategoricalType::Create(std::move(spec));
  if (!type.ok()) return InvalidArgument("{} {}", where, std::string(type.status().message()));
  return ColumnSpec{name, *std::move(type), false, false, std::nullopt};
}

absl::StatusOr<ColumnSpec> ReadColumn(const Json& column, std::size_t position, std::string_view file) {
  const std::string place = fmt::format("{}: entry {}", file, position + 1);
  if (!column.is_object()) return InvalidArgument("{}: must be an object that describes a column", place);
  ASSIGN_OR_RETURN(const std::string name, RequiredText(column, "name", place));
  const std::string where = fmt::format("{}: column {}", file, QuoteForMessage(name));
  ASSIGN_OR_RETURN(const std::string type, RequiredText(column, "type", where));
  if (type == "numeric") return ReadNumeric(column, name, where);
  if (type == "categorical") return ReadCategorical(column, name, where);
  return InvalidArgument(R"({}: unknown type {}; allowed are "numeric" and "categorical")", where,
                         QuoteForMessage(type));
}

absl::StatusOr<ColumnSpec> ReadCodeColumn(const std::string& name, const Json& codes, std::string_view file) {
  const bool is_count = codes.is_number_unsigned() && codes.get<std::uint64_t>() >= 1 &&
                        codes.get<std::uint64_t>() <= static_cast<std::uint64_t>(kMaxCodesPerColumn);
  if (!is_count) {
    return InvalidArgument("{}: column {} needs a whole number of codes between 1 and {}", file, QuoteForMessage(name),
                           kMaxCodesPerColumn);
  }
  const auto size = codes.get<std::int64_t>();
  ASSIGN_OR_RETURN(IntegerType type, IntegerType::Create({.min = 0, .max = size - 1, .bins = size, .bin_width = {}}));
  return ColumnSpec{name, std::move(type), false, false, std::nullopt};
}

absl::StatusOr<std::vector<ColumnSpec>> ReadColumns(const Json& root, const std::vector<std::string>& keys_in_order,
                                                    std::string_view file) {
  const std::size_t count = root.is_array() ? root.size() : keys_in_order.size();
  if (count > Schema::kMaxColumns) {
    return InvalidArgument("{}: {} columns; at most {} are allowed", file, count, Schema::kMaxColumns);
  }
  std::vector<ColumnSpec> columns;
  std::int64_t total_codes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    absl::StatusOr<ColumnSpec> column = root.is_array()
                                            ? ReadColumn(root[i], i, file)
                                            : ReadCodeColumn(keys_in_order[i], root.at(keys_in_order[i]), file);
    if (!column.ok()) return column.status();
    total_codes += SizeOf(column->type);
    columns.push_back(*std::move(column));
    if (total_codes > Schema::kMaxTotalCodes) {
      return InvalidArgument("{}: more than {} codes over all columns", file, Schema::kMaxTotalCodes);
    }
  }
  return columns;
}

}  // namespace

absl::StatusOr<Schema> ParseSchemaJson(std::string_view text, std::string_view name) {
  try {
    std::vector<std::string> keys_in_order;
    const auto note_key = [&](int depth, Json::parse_event_t event, Json& parsed) {
      if (event == Json::parse_event_t::key && depth == 1) keys_in_order.push_back(parsed.get<std::string>());
      return true;
    };
    const Json root = Json::parse(text.begin(), text.end(), note_key);
    if (!root.is_array() && !root.is_object()) {
      return InvalidArgument("{}: must be a JSON array of columns, or an object of column names and numbers of codes",
                             name);
    }
    SchemaSpec spec;
    ASSIGN_OR_RETURN(spec.columns, ReadColumns(root, keys_in_order, name));
    absl::StatusOr<Schema> schema = Schema::Create(std::move(spec));
    if (!schema.ok()) return InvalidArgument("{}: {}", name, std::string(schema.status().message()));
    return schema;
  } catch (const std::exception& error) {
    return InvalidArgument("{}: not a JSON file: {}", name, QuoteForMessage(error.what()));
  }
}

}  // namespace flaim
