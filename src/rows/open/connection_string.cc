#include "rows/open/connection_string.h"

#include <libpq-fe.h>

#include <memory>
#include <string_view>

#include "base/status.h"

namespace flaim {
namespace {

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
