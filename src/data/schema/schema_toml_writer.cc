#include <iterator>
#include <vector>

#include "data/schema/schema_toml.h"
#include "fmt/format.h"

namespace flaim {
namespace {

template <typename... Args>
void AppendLine(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  out += '\n';
}

std::string IsoText(CalendarSeconds seconds, TimeKind kind) {
  std::string text;
  CalendarFormat::Create(kind, std::nullopt)->Format(seconds, text);
  return text;
}

void AppendType(const CategoricalType& type, std::string& out) {
  AppendLine(out, "values = {}", TomlList(type.spec().values));
  if (type.spec().other) AppendLine(out, "other = {}", TomlQuote(*type.spec().other));
}

void AppendType(const IntegerType& type, std::string& out) {
  const IntegerSpec& spec = type.spec();
  AppendLine(out, "min = {}", spec.min);
  AppendLine(out, "max = {}", spec.max);
  if (spec.bins) AppendLine(out, "bins = {}", *spec.bins);
  if (spec.bin_width) AppendLine(out, "bin_width = {}", *spec.bin_width);
}

void AppendType(const RealType& type, std::string& out) {
  const RealSpec& spec = type.spec();
  if (const auto* uniform = std::get_if<UniformBins>(&spec.bins)) {
    AppendLine(out, "min = {}", uniform->min);
    AppendLine(out, "max = {}", uniform->max);
    AppendLine(out, "bins = {}", uniform->bins);
  } else {
    AppendLine(out, "edges = [{}]", fmt::join(std::get<std::vector<double>>(spec.bins), ", "));
  }
  if (spec.decimals) AppendLine(out, "decimals = {}", *spec.decimals);
}

void AppendType(const BooleanType& type, std::string& out) {
  if (type.spec() == BooleanSpec()) return;
  AppendLine(out, "true_values = {}", TomlList(type.spec().true_spellings));
  AppendLine(out, "false_values = {}", TomlList(type.spec().false_spellings));
}

void AppendType(const TimeType& type, std::string& out) {
  const TimeSpec& spec = type.spec();
  AppendLine(out, "min = \"{}\"", IsoText(spec.min, spec.kind));
  AppendLine(out, "max = \"{}\"", IsoText(spec.max, spec.kind));
  if (const auto* bins = std::get_if<std::int64_t>(&spec.bins)) AppendLine(out, "bins = {}", *bins);
  if (const auto* unit = std::get_if<CalendarUnit>(&spec.bins)) AppendLine(out, "bin = \"{}\"", NameOf(*unit));
  if (spec.format) AppendLine(out, "format = {}", TomlQuote(*spec.format));
}

void AppendColumn(const ColumnSpec& column, std::string& out) {
  AppendLine(out, "\n[[column]]");
  AppendLine(out, "name = {}", TomlQuote(column.name));
  AppendLine(out, "type = \"{}\"", NameOf(column.type));
  std::visit([&](const auto& type) { AppendType(type, out); }, column.type);
  if (column.clamp) AppendLine(out, "clamp = true");
  if (column.nullable) AppendLine(out, "nullable = true");
  if (column.missing) AppendLine(out, "missing = {}", TomlList(*column.missing));
}

}  // namespace

std::string FormatSchemaToml(const Schema& schema, std::string_view comment) {
  const SchemaSpec& spec = schema.spec();
  std::string out = TomlComment(comment);
  if (spec.derived_from_private_rows) AppendLine(out, "derived_from_private_rows = true");
  AppendLine(out, "delimiter = {}", TomlQuote(std::string_view(&spec.delimiter, 1)));
  if (spec.trim_blanks) AppendLine(out, "trim_blanks = true");
  AppendLine(out, "missing = {}", TomlList(spec.missing));
  AppendLine(out, "drop = {}", TomlList(spec.drop));
  for (const ColumnSpec& column : spec.columns) AppendColumn(column, out);
  return out;
}

std::string TomlComment(std::string_view comment) {
  std::string out;
  while (!comment.empty()) {
    const std::size_t end = std::min(comment.find('\n'), comment.size());
    AppendLine(out, "# {}", comment.substr(0, end));
    comment.remove_prefix(std::min(end + 1, comment.size()));
  }
  return out;
}

std::string TomlQuote(std::string_view text) {
  std::string out = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      out += '\\';
      out += character;
    } else if (byte < 0x20 || byte == 0x7F) {
      fmt::format_to(std::back_inserter(out), "\\u{:04X}", byte);
    } else {
      out += character;
    }
  }
  return out + "\"";
}

std::string TomlList(std::span<const std::string> texts) {
  constexpr std::size_t kLineLength = 110;
  std::string out = "[";
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string quoted = TomlQuote(texts[i]);
    if (i > 0) out += ",";
    if (i > 0 && out.size() - line_start + quoted.size() > kLineLength) {
      out += "\n  ";
      line_start = out.size() - 2;
    } else if (i > 0) {
      out += ' ';
    }
    out += quoted;
  }
  return out + "]";
}

}  // namespace flaim
