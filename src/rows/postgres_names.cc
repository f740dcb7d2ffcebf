#include "rows/postgres_names.h"

#include <libpq-fe.h>

#include <algorithm>
#include <memory>

#include "base/status.h"
#include "data/message_text.h"

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

absl::Status BadConnectionString() {
  return InvalidArgument(
      "the connection string cannot be understood; write host=... dbname=... user=..., with single quotes around "
      "values "
      "that contain blanks, or postgresql://user@host:port/dbname, with special characters as %40 and the like. A "
      "password is better kept in the file ~/.pgpass");
}

// A piece of a password, or a whole connection string, in the place of something harmless.
bool IsSuspicious(const PostgresAddress& address) {
  return (address.host + address.port).find('@') != std::string::npos ||
         address.database.find_first_of("@=") != std::string::npos ||
         address.database.find("://") != std::string::npos ||
         address.port.find_first_not_of("0123456789,") != std::string::npos;
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

absl::StatusOr<PostgresAddress> ParseConnectionString(const std::string& connection) {
  if (connection.find('\0') != std::string::npos) return BadConnectionString();
  char* ignored_error = nullptr;  // it quotes the string
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      PQconninfoParse(connection.c_str(), &ignored_error), &PQconninfoFree);
  PQfreemem(ignored_error);
  if (options == nullptr) return BadConnectionString();
  PostgresAddress address;
  std::string numeric_host;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string_view keyword = option->keyword;
    if (keyword == "user") address.user = option->val;
    if (keyword == "host") address.host = option->val;
    if (keyword == "hostaddr") numeric_host = option->val;
    if (keyword == "port") address.port = option->val;
    if (keyword == "dbname") address.database = option->val;
  }
  if (address.host.empty()) address.host = numeric_host;
  if (IsSuspicious(address)) return BadConnectionString();
  return address;
}

std::string ToText(const PostgresAddress& address) {
  const std::string user = address.user.empty() ? "" : fmt::format("{}@", address.user);
  const std::string port = address.port.empty() ? "" : fmt::format(":{}", address.port);
  if (address.host.starts_with('/')) {
    return fmt::format("postgresql://{}{}/{}?host={}", user, port, address.database, address.host);
  }
  return fmt::format("postgresql://{}{}{}/{}", user, address.host, port, address.database);
}

}  // namespace flaim
