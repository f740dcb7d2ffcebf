#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace flaim {

// What people may see of a connection string. Empty: libpq's default.
struct PostgresAddress {
  std::string user;
  std::string host;
  std::string port;
  std::string database;
};

// Understands what libpq does. Neither the address nor an error contains a password, also where a special character in
// a password makes libpq take a piece of it for something else: such strings are refused.
absl::StatusOr<PostgresAddress> ParseConnectionString(const std::string& connection);
// "postgresql://reader@db.example.org:5432/clinic".
std::string ToText(const PostgresAddress& address);

}  // namespace flaim
