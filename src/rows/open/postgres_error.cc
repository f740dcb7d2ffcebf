#include "rows/open/postgres_error.h"

#include "base/status.h"

namespace flaim {
namespace {

constexpr std::string_view kCancelled = "57014";
constexpr std::string_view kIdleInTransaction = "25P03";

absl::StatusCode CodeOf(std::string_view sql_state) {
  const std::string_view error_class = sql_state.substr(0, 2);
  if (sql_state.empty() || error_class == "08" || error_class == "57" || sql_state == kIdleInTransaction) {
    return absl::StatusCode::kUnavailable;
  }
  if (error_class == "53") return absl::StatusCode::kResourceExhausted;
  if (error_class == "28" || sql_state == "42501") return absl::StatusCode::kPermissionDenied;
  if (error_class == "3D" || error_class == "3F" || sql_state == "42P01" || sql_state == "42703") {
    return absl::StatusCode::kNotFound;
  }
  if (error_class == "25" || error_class == "40" || error_class == "55" || error_class == "58") {
    return absl::StatusCode::kFailedPrecondition;
  }
  return absl::StatusCode::kInvalidArgument;
}

std::string_view WhatToDo(std::string_view sql_state) {
  if (sql_state == "42501") return "; grant the role what is missing";
  if (sql_state == kCancelled) {
    return "; if the server's statement_timeout is too short, set another for the role with ALTER ROLE ... SET";
  }
  if (sql_state == kIdleInTransaction) {
    return "; counting in the database keeps a transaction open: set idle_in_transaction_session_timeout = 0 for the "
           "role with ALTER ROLE ... SET";
  }
  return "";
}

}  // namespace

absl::Status PostgresError(std::string_view sql_state, std::string_view message) {
  const std::string text = message.empty() ? "the connection was lost" : OneLine(message);
  return {CodeOf(sql_state), fmt::format("{}{}", text, WhatToDo(sql_state))};
}

std::string OneLine(std::string_view message) {
  std::string line;
  for (const char c : message) {
    const bool is_blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!is_blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace flaim
