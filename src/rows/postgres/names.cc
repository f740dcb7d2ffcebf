#include "rows/postgres/names.h"

#include <algorithm>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

// Servers cut longer names off, and may then find another table.
constexpr std::size_t kMaxNameBytes = 63;

std::string WithDoubled(std::string_view text, std::string_view doubled) {
  std::string out;
  for (const char c : text) {
    if (doubled.find(c) != std::string_view::npos) out += c;
    out += c;
  }
  return out;
}

absl::Status BadTableName(std::string_view text) {
  return InvalidArgument(
      "{} is not the name of a table; write table or schema.table, with double quotes around a part that has "
      "upper-case "
      "letters, dots or quotes",
      QuoteForMessage(text));
}

// Takes one part off the front of `rest`, up to the dot or the end. Nothing if it is not well-formed.
std::optional<std::string> TakePart(std::string_view& rest) {
  std::string part;
  if (!rest.starts_with('"')) {
    const std::size_t length = std::min(rest.find_first_of(".\""), rest.size());
    for (const char c : rest.substr(0, length)) part += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    rest.remove_prefix(length);
    return part;
  }
  rest.remove_prefix(1);
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c == '"') {
      if (!rest.starts_with('"')) return part;
      rest.remove_prefix(1);
    }
    part += c;
  }
  return std::nullopt;
}

bool IsName(const std::string& part) {
  return !part.empty() && part.size() <= kMaxNameBytes && part.find('\0') == std::string::npos && IsUtf8(part);
}

}  // namespace

std::string QuoteIdentifier(std::string_view name) { return fmt::format("\"{}\"", WithDoubled(name, "\"")); }

std::string QuoteLiteral(std::string_view text) {
  const bool has_backslash = text.find('\\') != std::string_view::npos;
  return fmt::format("{}'{}'", has_backslash ? "E" : "", WithDoubled(text, "'\\"));
}

absl::StatusOr<PostgresTableName> ParseTableName(std::string_view text) {
  std::string_view rest = text;
  std::optional<std::string> first = TakePart(rest);
  if (!first || !IsName(*first)) return BadTableName(text);
  if (rest.empty()) return PostgresTableName{std::nullopt, *std::move(first)};
  if (!rest.starts_with('.')) return BadTableName(text);
  rest.remove_prefix(1);
  std::optional<std::string> second = TakePart(rest);
  if (!second || !IsName(*second) || !rest.empty()) return BadTableName(text);
  return PostgresTableName{std::move(first), *std::move(second)};
}

std::string ToSql(const PostgresTableName& name) {
  if (!name.schema) return QuoteIdentifier(name.table);
  return fmt::format("{}.{}", QuoteIdentifier(*name.schema), QuoteIdentifier(name.table));
}

}  // namespace flaim
