#include "data/schema/schema_toml.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <vector>

#include "base/status.h"
#include "io/message_text.h"
#include "io/toml_depth.h"
#include "io/toml_fields.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxDepth = 16;

constexpr std::string_view kSchemaKeys[] = {"column", "delimiter", "derived_from_private_rows",
                                            "drop",   "missing",   "trim_blanks"};

using TypeReader = absl::StatusOr<ColumnType> (*)(const TomlFields& fields);

absl::StatusOr<ColumnType> AtPlace(const TomlFields& fields, auto type) {
  if (type.ok()) return ColumnType(*std::move(type));
  return InvalidArgument("{} {}", fields.where(), std::string(type.status().message()));
}

absl::StatusOr<ColumnType> ReadCategorical(const TomlFields& fields) {
  CategoricalSpec spec;
  ASSIGN_OR_RETURN(spec.values, fields.Required("values", fields.Texts("values")));
  ASSIGN_OR_RETURN(spec.other, fields.Text("other"));
  return AtPlace(fields, CategoricalType::Create(std::move(spec)));
}

absl::StatusOr<ColumnType> ReadInteger(const TomlFields& fields) {
  IntegerSpec spec;
  ASSIGN_OR_RETURN(spec.min, fields.Required("min", fields.Integer("min")));
  ASSIGN_OR_RETURN(spec.max, fields.Required("max", fields.Integer("max")));
  ASSIGN_OR_RETURN(spec.bins, fields.Integer("bins"));
  ASSIGN_OR_RETURN(spec.bin_width, fields.Integer("bin_width"));
  return AtPlace(fields, IntegerType::Create(spec));
}

absl::StatusOr<UniformBins> ReadUniformBins(const TomlFields& fields) {
  UniformBins uniform;
  ASSIGN_OR_RETURN(uniform.min, fields.Required("min", fields.Real("min")));
  ASSIGN_OR_RETURN(uniform.max, fields.Required("max", fields.Real("max")));
  ASSIGN_OR_RETURN(const std::optional<std::int64_t> bins, fields.Integer("bins"));
  uniform.bins = bins.value_or(UniformBins::kDefaultBins);
  return uniform;
}

absl::StatusOr<ColumnType> ReadReal(const TomlFields& fields) {
  RealSpec spec;
  ASSIGN_OR_RETURN(std::optional<std::vector<double>> edges, fields.Reals("edges"));
  if (edges) {
    static constexpr std::string_view kKeysWithEdges[] = {"name",  "type",     "edges",  "decimals",
                                                          "clamp", "nullable", "missing"};
    RETURN_IF_ERROR(fields.CheckKeys(kKeysWithEdges));
    spec.bins = *std::move(edges);
  } else {
    ASSIGN_OR_RETURN(spec.bins, ReadUniformBins(fields));
  }
  ASSIGN_OR_RETURN(const std::optional<std::int64_t> decimals, fields.Integer("decimals"));
  if (decimals) spec.decimals = static_cast<int>(std::clamp<std::int64_t>(*decimals, -1, RealType::kMaxDecimals + 1));
  return AtPlace(fields, RealType::Create(std::move(spec)));
}

absl::StatusOr<ColumnType> ReadBoolean(const TomlFields& fields) {
  BooleanSpec spec;
  ASSIGN_OR_RETURN(auto true_values, fields.Texts("true_values"));
  ASSIGN_OR_RETURN(auto false_values, fields.Texts("false_values"));
  if (true_values.has_value() != false_values.has_value()) {
    return fields.Problem(true_values ? "false_values" : "true_values", "is missing; give both lists or none");
  }
  if (true_values) spec = {*std::move(true_values), *std::move(false_values)};
  return AtPlace(fields, BooleanType::Create(std::move(spec)));
}

absl::StatusOr<TimeSpec::Bins> ReadTimeBins(const TomlFields& fields) {
  ASSIGN_OR_RETURN(const std::optional<std::int64_t> bins, fields.Integer("bins"));
  ASSIGN_OR_RETURN(const std::optional<std::string> unit_name, fields.Text("bin"));
  if (bins && unit_name) return fields.Problem("bin", "and 'bins' are both given; keep one of them");
  if (bins) return TimeSpec::Bins(*bins);
  if (!unit_name) return TimeSpec::Bins();
  if (const std::optional<CalendarUnit> unit = CalendarUnitNamed(*unit_name)) return TimeSpec::Bins(*unit);
  return fields.Problem("bin", R"(must be "minute", "hour", "day", "week", "month" or "year")");
}

absl::StatusOr<ColumnType> ReadTime(const TomlFields& fields, TimeKind kind) {
  TimeSpec spec;
  spec.kind = kind;
  ASSIGN_OR_RETURN(spec.min, fields.Required("min", fields.Time("min")));
  ASSIGN_OR_RETURN(spec.max, fields.Required("max", fields.Time("max")));
  ASSIGN_OR_RETURN(spec.bins, ReadTimeBins(fields));
  ASSIGN_OR_RETURN(spec.format, fields.Text("format"));
  return AtPlace(fields, TimeType::Create(std::move(spec)));
}

struct TypeEntry {
  std::string_view name;
  std::vector<std::string_view> keys;
  TypeReader read;
};

const std::vector<TypeEntry>& TypeEntries() {
  static const std::vector<TypeEntry> entries = {
      {"categorical", {"values", "other"}, ReadCategorical},
      {"integer", {"min", "max", "bins", "bin_width", "clamp"}, ReadInteger},
      {"real", {"min", "max", "bins", "edges", "decimals", "clamp"}, ReadReal},
      {"boolean", {"true_values", "false_values"}, ReadBoolean},
      {"date",
       {"min", "max", "bin", "bins", "format", "clamp"},
       [](const TomlFields& fields) { return ReadTime(fields, TimeKind::kDate); }},
      {"datetime",
       {"min", "max", "bin", "bins", "format", "clamp"},
       [](const TomlFields& fields) { return ReadTime(fields, TimeKind::kDateTime); }},
  };
  return entries;
}

absl::StatusOr<const TypeEntry*> FindType(const TomlFields& fields, std::string_view type_name) {
  std::vector<std::string_view> names;
  for (const TypeEntry& entry : TypeEntries()) {
    if (entry.name == type_name) return &entry;
    names.push_back(entry.name);
  }
  return InvalidArgument("{} has the unknown type {}.{} Types are: {}", fields.where(), QuoteForMessage(type_name),
                         SuggestNearest(type_name, names), fmt::join(names, ", "));
}

absl::StatusOr<ColumnSpec> ReadColumn(const toml::table& table, std::string_view file) {
  const std::string place = fmt::format("{}:{}: column", file, table.source().begin.line);
  ASSIGN_OR_RETURN(const std::string name,
                   TomlFields(table, place).Required("name", TomlFields(table, place).Text("name")));
  const TomlFields fields(table, fmt::format("{} {}", place, QuoteForMessage(name)));
  ASSIGN_OR_RETURN(const std::string type_name, fields.Required("type", fields.Text("type")));
  ASSIGN_OR_RETURN(const TypeEntry* entry, FindType(fields, type_name));
  std::vector<std::string_view> keys = {"name", "type", "nullable", "missing"};
  keys.insert(keys.end(), entry->keys.begin(), entry->keys.end());
  RETURN_IF_ERROR(fields.CheckKeys(keys));
  ASSIGN_OR_RETURN(ColumnType type, entry->read(fields));
  ASSIGN_OR_RETURN(const std::optional<bool> nullable, fields.Boolean("nullable"));
  ASSIGN_OR_RETURN(const std::optional<bool> clamp, fields.Boolean("clamp"));
  ASSIGN_OR_RETURN(auto missing, fields.Texts("missing"));
  return ColumnSpec{name, std::move(type), nullable.value_or(false), clamp.value_or(false), std::move(missing)};
}

// What is still to be filled in, e.g. "min and max of column 'age'".
absl::Status CheckFilledIn(const toml::array& columns, std::string_view file) {
  std::vector<std::string> open;
  for (const toml::node& node : columns) {
    const toml::table* column = node.as_table();
    if (column == nullptr) continue;
    std::vector<std::string_view> keys;
    for (const auto& [key, value] : *column) {
      if (const auto* text = value.as_string(); text != nullptr && text->get() == kFillIn) keys.push_back(key.str());
    }
    if (keys.empty()) continue;
    std::reverse(keys.begin(), keys.end());
    const std::string name = (*column)["name"].value_or(std::string());
    open.push_back(fmt::format("the {} of column {}", fmt::join(keys, " and "), QuoteForMessage(name)));
  }
  if (open.empty()) return absl::OkStatus();
  constexpr std::size_t kMaxShown = 20;
  const std::size_t shown = std::min(open.size(), kMaxShown);
  return FailedPrecondition("{}: fill in {}{}", file,
                            fmt::join(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
                            open.size() > shown ? fmt::format("; and {} more columns", open.size() - shown) : "");
}

absl::StatusOr<std::vector<ColumnSpec>> ReadColumns(const toml::table& root, std::string_view file) {
  const toml::node* node = root.get("column");
  const toml::array* array = node == nullptr ? nullptr : node->as_array();
  if (array == nullptr) return InvalidArgument("{}: no columns; add a [[column]] for each column to keep", file);
  if (array->size() > Schema::kMaxColumns) {
    return InvalidArgument("{}: {} columns; at most {} are allowed", file, array->size(), Schema::kMaxColumns);
  }
  RETURN_IF_ERROR(CheckFilledIn(*array, file));
  std::vector<ColumnSpec> columns;
  std::int64_t total_codes = 0;
  for (const toml::node& element : *array) {
    if (!element.is_table()) return InvalidArgument("{}: 'column' must be written as [[column]] tables", file);
    ASSIGN_OR_RETURN(ColumnSpec column, ReadColumn(*element.as_table(), file));
    total_codes += SizeOf(column.type);
    columns.push_back(std::move(column));
    if (total_codes > Schema::kMaxTotalCodes) {
      return InvalidArgument("{}: more than {} codes over all columns; use fewer bins", file, Schema::kMaxTotalCodes);
    }
  }
  return columns;
}

absl::StatusOr<Schema> ReadSchema(const toml::table& root, std::string_view file) {
  const TomlFields fields(root, std::string(file));
  RETURN_IF_ERROR(fields.CheckKeys(kSchemaKeys));
  SchemaSpec spec;
  ASSIGN_OR_RETURN(auto drop, fields.Texts("drop"));
  ASSIGN_OR_RETURN(auto missing, fields.Texts("missing"));
  ASSIGN_OR_RETURN(const auto delimiter, fields.Text("delimiter"));
  ASSIGN_OR_RETURN(const auto trim_blanks, fields.Boolean("trim_blanks"));
  ASSIGN_OR_RETURN(const auto derived, fields.Boolean("derived_from_private_rows"));
  if (delimiter && delimiter->size() != 1) return fields.Problem("delimiter", "must be one character, e.g. \";\"");
  if (drop) spec.drop = *std::move(drop);
  if (missing) spec.missing = *std::move(missing);
  if (delimiter) spec.delimiter = delimiter->front();
  spec.trim_blanks = trim_blanks.value_or(false);
  spec.derived_from_private_rows = derived.value_or(false);
  ASSIGN_OR_RETURN(spec.columns, ReadColumns(root, file));
  absl::StatusOr<Schema> schema = Schema::Create(std::move(spec));
  if (!schema.ok()) return InvalidArgument("{}: {}", file, std::string(schema.status().message()));
  return schema;
}

}  // namespace

absl::StatusOr<Schema> ParseSchemaToml(std::string_view text, std::string_view name) {
  if (TomlDepth(text) > kMaxDepth) {
    return InvalidArgument("{}: nested more than {} levels deep; a schema needs two", name, kMaxDepth);
  }
  try {
    const toml::table root = toml::parse(text, name);
    return ReadSchema(root, name);
  } catch (const toml::parse_error& error) {
    return InvalidArgument("{}:{}: not a TOML file: {}", name, error.source().begin.line, error.description());
  } catch (const std::exception& error) {
    return InvalidArgument("{}: cannot be read as TOML: {}", name, error.what());
  }
}

}  // namespace flaim
