#include "data/guess/schema_init.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "base/status.h"
#include "data/csv/csv_reader.h"
#include "data/guess/column_profile.h"
#include "data/guess/delimiter_guess.h"
#include "data/guess/type_guess.h"
#include "data/schema/schema.h"
#include "data/schema/schema_toml.h"
#include "io/message_text.h"

namespace flaim {
namespace {

constexpr std::string_view kTypesOnlyComment =
    "Made by 'flaim schema init'. Read from the data: the header, and from at most its first 1000 rows a guess at the\n"
    "type of each column. No value, bound or count was taken from the rows. But a type is a statement about all of\n"
    "them, so the next key takes the promise back: remove it once you know each type from elsewhere.\n"
    "A schema is public. Fill in each \"FILL IN\" from what is publicly known about the column (a codebook, a\n"
    "questionnaire, physical limits), never by looking at the rows. Check the types, set nullable where values may be\n"
    "missing, and move columns that are not needed to 'drop'. docs/SCHEMA.md describes every key.";

constexpr std::string_view kFromRowsComment =
    "NOT PRIVATE. Made by 'flaim schema init' from the rows: values, bounds and missing-value markers were taken from\n"
    "them. Whoever sees this file, or anything made with it, learns them, and no privacy guarantee covers that.\n"
    "Use it for public data, or replace every value and bound by what is publicly known and remove the next key.";

constexpr std::uint64_t kRowsPerReport = 1 << 16;

struct Header {
  std::vector<std::string> names;
  bool trim_blanks = false;
};

absl::StatusOr<Header> ReadHeader(CsvReader& reader) {
  ASSIGN_OR_RETURN(const bool has_header, reader.Next());
  if (!has_header) return InvalidArgument("{}: empty file; the first line must name the columns", reader.name());
  Header header;
  std::set<std::string_view> seen;
  for (const std::string_view field : reader.fields()) {
    header.trim_blanks = header.trim_blanks || TrimBlanks(field) != field;
  }
  for (const std::string_view field : reader.fields()) {
    const std::string_view name = TrimBlanks(field);
    if (name.empty() || !IsUtf8(name) || !seen.insert(name).second) {
      return InvalidArgument(
          "{}:{}: the column name {} is empty, repeated or not UTF-8; the first line must name each column",
          reader.name(), reader.line(), QuoteForMessage(name));
    }
    header.names.emplace_back(name);
  }
  return header;
}

// Calls observe(column, text) for each field of at most max_rows rows, and returns how many rows there were.
template <typename Observe>
absl::StatusOr<std::uint64_t> ForEachField(CsvReader& reader, const Header& header, std::uint64_t max_rows,
                                           ProgressSink* progress, const Observe& observe) {
  std::uint64_t rows = 0;
  while (rows < max_rows) {
    ASSIGN_OR_RETURN(const bool has_row, reader.Next());
    if (!has_row) break;
    const std::span<const std::string_view> fields = reader.fields();
    if (fields.size() != header.names.size()) {
      return InvalidArgument(
          "{}:{}: {} fields where the header has {}; put fields that contain the delimiter in quotes", reader.name(),
          reader.line(), fields.size(), header.names.size());
    }
    for (std::size_t i = 0; i < fields.size(); ++i) {
      observe(i, header.trim_blanks ? TrimBlanks(fields[i]) : fields[i]);
    }
    if (++rows % kRowsPerReport == 0 && progress != nullptr) {
      progress->Report({.step = "reading rows", .done = rows, .total = std::nullopt, .detail = ""});
    }
  }
  return rows;
}

std::string ColumnToFillIn(const std::string& name, GuessedType type) {
  std::string out = fmt::format("\n[[column]]\nname = {}\ntype = \"{}\"\n", TomlQuote(name), NameOf(type));
  switch (type) {
    case GuessedType::kCategorical:
      out += fmt::format("values = \"{}\"  # a list, e.g. [\"red\", \"green\"]\n# other = \"other\"\n", kFillIn);
      break;
    case GuessedType::kBoolean:
      break;
    case GuessedType::kInteger:
    case GuessedType::kReal:
      out += fmt::format("min = \"{0}\"  # a number, without quotes\nmax = \"{0}\"\n# bins = 32\n# clamp = true\n",
                         kFillIn);
      break;
    case GuessedType::kDate:
    case GuessedType::kDateTime:
      out +=
          fmt::format("min = \"{0}\"  # e.g. 2024-02-29\nmax = \"{0}\"\n# bin = \"month\"\n# clamp = true\n", kFillIn);
      break;
  }
  return out + "# nullable = true\n";
}

absl::StatusOr<InitialSchema> InitTypesOnly(CsvReader& reader, const Header& header, char delimiter) {
  std::vector<TypeGuess> guesses(header.names.size());
  ASSIGN_OR_RETURN(const std::uint64_t rows,
                   ForEachField(reader, header, kRowsForTypes, nullptr,
                                [&](std::size_t column, std::string_view text) { guesses[column].Observe(text); }));
  static_cast<void>(rows);
  InitialSchema initial;
  initial.toml = TomlComment(kTypesOnlyComment);
  initial.toml += "derived_from_private_rows = true\n";
  initial.toml += fmt::format("delimiter = {}\n", TomlQuote(std::string_view(&delimiter, 1)));
  if (header.trim_blanks) initial.toml += "trim_blanks = true\n";
  initial.toml += "missing = [\"\"]\ndrop = []\n";
  for (std::size_t i = 0; i < guesses.size(); ++i) {
    const GuessedType type = guesses[i].Best();
    initial.toml += ColumnToFillIn(header.names[i], type);
    initial.report.columns.push_back(
        {header.names[i], std::string(NameOf(type)), type != GuessedType::kBoolean, std::string()});
  }
  return initial;
}

absl::StatusOr<InitialSchema> InitFromRows(CsvReader& reader, const Header& header, char delimiter,
                                           ProgressSink* progress) {
  std::vector<ColumnProfile> profiles(header.names.size());
  InitialSchema initial;
  ASSIGN_OR_RETURN(initial.report.rows_read,
                   ForEachField(reader, header, UINT64_MAX, progress,
                                [&](std::size_t column, std::string_view text) { profiles[column].Observe(text); }));
  SchemaSpec spec;
  spec.delimiter = delimiter;
  spec.trim_blanks = header.trim_blanks;
  spec.derived_from_private_rows = true;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const std::string& name = header.names[i];
    ASSIGN_OR_RETURN(std::optional<ColumnSpec> column, profiles[i].Describe(name));
    if (column) {
      initial.report.columns.push_back({name, std::string(NameOf(column->type)), false, std::string()});
      spec.columns.push_back(*std::move(column));
    } else {
      const std::string note = fmt::format(
          "dropped: empty, or more than {} different texts (an identifier or free text)", ColumnProfile::kMaxValues);
      initial.report.columns.push_back({name, std::string(), false, note});
      spec.drop.push_back(name);
    }
  }
  if (spec.columns.empty()) {
    return InvalidArgument("{}: no column that values or bounds could be taken for; make a schema without from-data",
                           reader.name());
  }
  const absl::StatusOr<Schema> schema = Schema::Create(std::move(spec));
  if (!schema.ok()) return InvalidArgument("{}: {}", reader.name(), std::string(schema.status().message()));
  initial.toml = FormatSchemaToml(*schema, kFromRowsComment);
  return initial;
}

}  // namespace

absl::StatusOr<InitialSchema> InitSchema(std::unique_ptr<ByteSource> source, SchemaInitMode mode,
                                         ProgressSink* progress) {
  ASSIGN_OR_RETURN(DelimitedSource delimited, GuessDelimiter(std::move(source)));
  CsvOptions options;
  options.delimiter = delimited.delimiter;
  CsvReader reader(std::move(delimited.source), options);
  ASSIGN_OR_RETURN(const Header header, ReadHeader(reader));
  absl::StatusOr<InitialSchema> initial = mode == SchemaInitMode::kTypesOnly
                                              ? InitTypesOnly(reader, header, options.delimiter)
                                              : InitFromRows(reader, header, options.delimiter, progress);
  if (!initial.ok()) return initial.status();
  initial->report.delimiter = options.delimiter;
  return initial;
}

}  // namespace flaim
