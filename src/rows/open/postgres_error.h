#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace flaim {

// A server's message as a status. Where the class of the error says that the message is about the connection, the
// names in the statement or the state of the server, the code is one of Unavailable, PermissionDenied, NotFound,
// ResourceExhausted and FailedPrecondition. Any other message may quote a value of a row (a cast in a view, an
// exception that a function raises): InvalidArgument, so for the owner of the rows only. `sql_state` is empty when the
// connection was lost.
absl::Status PostgresError(std::string_view sql_state, std::string_view message);

// On one line, without blanks at the ends.
std::string OneLine(std::string_view message);

}  // namespace flaim
