#include "data/rows/header_match.h"

#include <functional>
#include <map>
#include <set>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

using FieldOfName = std::map<std::string, std::size_t, std::less<>>;

absl::StatusOr<FieldOfName> IndexHeader(std::span<const std::string_view> header, bool trim_blanks,
                                        std::string_view place) {
  FieldOfName field_of_name;
  for (std::size_t field = 0; field < header.size(); ++field) {
    const std::string name(trim_blanks ? TrimBlanks(header[field]) : header[field]);
    const auto [found, is_new] = field_of_name.emplace(name, field);
    if (is_new) continue;
    return InvalidArgument("{}: columns {} and {} are both named {}; rename one of them in the file", place,
                           found->second + 1, field + 1, QuoteForMessage(name));
  }
  return field_of_name;
}

// Column names of the file that nothing accounts for.
std::vector<std::string> UnexpectedNames(const FieldOfName& field_of_name, const Schema& schema,
                                         const HeaderMatchOptions& options) {
  std::set<std::string_view> expected(schema.spec().drop.begin(), schema.spec().drop.end());
  for (const Column& column : schema.columns()) expected.insert(column.name());
  if (options.number_column) expected.insert(*options.number_column);
  std::vector<std::string> unexpected;
  for (const auto& [name, field] : field_of_name) {
    if (!expected.contains(name)) unexpected.push_back(name);
  }
  return unexpected;
}

absl::Status Mismatch(std::span<const std::string> missing, std::span<const std::string> unexpected,
                      const FieldOfName& field_of_name, char delimiter, std::string_view place) {
  std::string message = fmt::format("{}: the header does not match the schema.", place);
  if (!missing.empty())
    message += fmt::format(" Columns of the schema that it lacks: {}.", QuoteListForMessage(missing));
  if (!unexpected.empty()) {
    message += fmt::format(
        " Columns that the schema does not mention: {}; describe them in the schema, or list them under 'drop'.",
        QuoteListForMessage(unexpected));
  }
  if (field_of_name.size() == 1 && missing.size() > 1) {
    message += fmt::format(" The header has only one field: is {} the delimiter of the file?",
                           QuoteForMessage(std::string_view(&delimiter, 1)));
  }
  return absl::InvalidArgumentError(message);
}

}  // namespace

absl::Status CheckNumberColumn(const Schema& schema, const std::string& number_column) {
  if (!schema.domain().Find(number_column)) return absl::OkStatus();
  return InvalidArgument("column {} is kept by the schema, so it cannot be read alongside; remove it from the schema",
                         QuoteForMessage(number_column));
}

absl::StatusOr<HeaderMatch> MatchHeader(std::span<const std::string_view> header, const Schema& schema,
                                        const HeaderMatchOptions& options, std::string_view place) {
  ASSIGN_OR_RETURN(const FieldOfName field_of_name, IndexHeader(header, schema.spec().trim_blanks, place));
  HeaderMatch match;
  match.fields = header.size();
  std::vector<std::string> missing;
  const auto find = [&](const std::string& name) -> std::size_t {
    const auto found = field_of_name.find(name);
    if (found != field_of_name.end()) return found->second;
    missing.push_back(name);
    return 0;
  };
  for (const Column& column : schema.columns()) match.field_of_column.push_back(find(column.name()));
  if (options.number_column) match.number_field = find(*options.number_column);
  std::vector<std::string> unexpected;
  if (!options.ignore_extra_columns) unexpected = UnexpectedNames(field_of_name, schema, options);
  if (!missing.empty() || !unexpected.empty()) {
    return Mismatch(missing, unexpected, field_of_name, schema.spec().delimiter, place);
  }
  return match;
}

}  // namespace flaim
