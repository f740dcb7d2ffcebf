#include "data/schema/schema.h"

#include <algorithm>
#include <set>

#include "base/status.h"
#include "data/csv/csv_format.h"
#include "io/message_text.h"

namespace flaim {
namespace {

absl::Status CheckNames(const SchemaSpec& spec) {
  std::set<std::string_view> names;
  for (const ColumnSpec& column : spec.columns) {
    if (names.insert(column.name).second) continue;
    return InvalidArgument("two columns are named {}; rename or remove one", QuoteForMessage(column.name));
  }
  for (const std::string& name : spec.drop) {
    if (!IsUtf8(name) || name.find('\0') != std::string::npos) {
      return InvalidArgument("'drop' lists {}, which is not UTF-8 text", QuoteForMessage(name));
    }
    if (names.insert(name).second) continue;
    return InvalidArgument("'drop' lists {}, which is also a column or listed twice; keep it or drop it",
                           QuoteForMessage(name));
  }
  return absl::OkStatus();
}

absl::Status CheckLayout(const SchemaSpec& spec) {
  if (spec.columns.empty()) return InvalidArgument("no columns; describe at least one");
  if (spec.columns.size() > Schema::kMaxColumns) {
    return InvalidArgument("{} columns; at most {} are allowed", spec.columns.size(), Schema::kMaxColumns);
  }
  if (!IsCsvDelimiter(spec.delimiter) || static_cast<unsigned char>(spec.delimiter) >= 0x80) {
    return InvalidArgument("the delimiter must be one ASCII character other than a quote, a line end or NUL");
  }
  return absl::OkStatus();
}

void CollectTexts(const ColumnSpec& column, std::vector<std::string>& texts) {
  const auto append = [&](const std::vector<std::string>& more) {
    texts.insert(texts.end(), more.begin(), more.end());
  };
  texts.push_back(column.name);
  append(column.missing.value_or(std::vector<std::string>()));
  if (const auto* categorical = std::get_if<CategoricalType>(&column.type)) {
    append(categorical->spec().values);
    texts.push_back(categorical->spec().other.value_or(""));
  } else if (const auto* boolean = std::get_if<BooleanType>(&column.type)) {
    append(boolean->spec().true_spellings);
    append(boolean->spec().false_spellings);
  } else if (const auto* time = std::get_if<TimeType>(&column.type)) {
    texts.push_back(time->spec().format.value_or(""));
  }
}

absl::Status CheckTrimmed(const SchemaSpec& spec) {
  std::vector<std::string> texts = spec.drop;
  texts.insert(texts.end(), spec.missing.begin(), spec.missing.end());
  for (const ColumnSpec& column : spec.columns) CollectTexts(column, texts);
  for (const std::string& text : texts) {
    if (TrimBlanks(text) == text) continue;
    return InvalidArgument(
        "{} starts or ends with a blank, which trim_blanks takes off the data; remove one of the two",
        QuoteForMessage(text));
  }
  return absl::OkStatus();
}

absl::Status CheckTotalCodes(const SchemaSpec& spec) {
  std::int64_t total = 0;
  for (const ColumnSpec& column : spec.columns) total += SizeOf(column.type);
  if (total <= Schema::kMaxTotalCodes) return absl::OkStatus();
  return InvalidArgument("{} codes over all columns; at most {} are allowed: use fewer bins", total,
                         Schema::kMaxTotalCodes);
}

}  // namespace

std::string_view TrimBlanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

absl::StatusOr<Schema> Schema::Create(SchemaSpec spec) {
  RETURN_IF_ERROR(CheckLayout(spec));
  RETURN_IF_ERROR(CheckNames(spec));
  RETURN_IF_ERROR(CheckTotalCodes(spec));
  if (spec.trim_blanks) RETURN_IF_ERROR(CheckTrimmed(spec));
  for (const std::string& marker : spec.missing) {
    if (IsUtf8(marker) && marker.find('\0') == std::string::npos) continue;
    return InvalidArgument("'missing' lists {}, which is not UTF-8 text", QuoteForMessage(marker));
  }
  std::vector<Column> columns;
  std::vector<Attribute> attributes;
  for (const ColumnSpec& column_spec : spec.columns) {
    ASSIGN_OR_RETURN(Column column, Column::Create(column_spec, spec.missing));
    attributes.push_back({column.name(), column.size()});
    columns.push_back(std::move(column));
  }
  ASSIGN_OR_RETURN(Domain domain, Domain::Create(std::move(attributes)));
  return Schema(std::move(spec), std::move(columns), std::move(domain));
}

}  // namespace flaim
