#include "rows/open/libpq_snapshot.h"

#include <libpq-fe.h>
#include <poll.h>

#include <array>

#include "base/status.h"
#include "rows/open/connection_string.h"
#include "rows/open/postgres_error.h"

namespace flaim {
namespace {

constexpr int kLookUpMs = 50;

void DropNotice(void*, const PGresult*) {}

// What comes before `dbname` gives way to the connection string, what comes after it does not.
PGconn* Connect(const std::string& connection) {
  constexpr std::size_t kOptions = 8;
  const std::array<const char*, kOptions + 1> keywords = {"connect_timeout",  "keepalives_idle",  "keepalives_interval",
                                                          "keepalives_count", "tcp_user_timeout", "dbname",
                                                          "application_name", "client_encoding",  nullptr};
  const std::array<const char*, kOptions + 1> values = {"10",    "60",   "10",   "6", "120000", connection.c_str(),
                                                        "flaim", "UTF8", nullptr};
  constexpr int kExpandConnectionString = 1;
  return PQconnectdbParams(keywords.data(), values.data(), kExpandConnectionString);
}

std::string_view OrEmpty(const char* text) { return text == nullptr ? std::string_view() : text; }

// Only the primary message: details and context may quote rows where the message does not.
absl::Status ErrorOf(const PGresult* result, const PGconn* connection) {
  const std::string_view sql_state = OrEmpty(PQresultErrorField(result, PG_DIAG_SQLSTATE));
  if (sql_state.empty()) return PostgresError("", PQerrorMessage(connection));
  return PostgresError(sql_state, OrEmpty(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY)));
}

absl::Status Disconnected() { return Unavailable("the connection to the database was closed after an error"); }

}  // namespace

void LibpqSnapshot::Closer::operator()(pg_conn* connection) const {
  if (PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_ACTIVE) {
    const std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> cancel(PQgetCancel(connection), &PQfreeCancel);
    std::array<char, 256> ignored_error;
    if (cancel != nullptr) PQcancel(cancel.get(), ignored_error.data(), static_cast<int>(ignored_error.size()));
  }
  PQfinish(connection);
}

void LibpqSnapshot::Freer::operator()(char* line) const { PQfreemem(line); }

void LibpqSnapshot::Clearer::operator()(pg_result* result) const { PQclear(result); }

absl::StatusOr<std::unique_ptr<LibpqSnapshot>> LibpqSnapshot::Open(const std::string& connection, GoOn go_on) {
  ASSIGN_OR_RETURN(const PostgresAddress address, ParseConnectionString(connection));
  std::unique_ptr<LibpqSnapshot> snapshot(new LibpqSnapshot(Connection(Connect(connection)), std::move(go_on)));
  PGconn* const made = snapshot->connection_.get();
  if (PQstatus(made) != CONNECTION_OK) {
    return Unavailable("{}: cannot connect: {}", ToText(address), OneLine(PQerrorMessage(made)));
  }
  PQsetNoticeReceiver(made, &DropNotice, nullptr);
  RETURN_IF_ERROR(snapshot->Begin());
  return snapshot;
}

absl::Status LibpqSnapshot::Begin() {
  RETURN_IF_ERROR(Query("SET default_transaction_read_only = on", std::nullopt).status());
  for (const char* statement : kOpeningStatements) RETURN_IF_ERROR(Query(statement, std::nullopt).status());
  return absl::OkStatus();
}

absl::StatusOr<std::vector<LibpqSnapshot::Fields>> LibpqSnapshot::Query(const std::string& statement,
                                                                        const std::optional<std::string>& parameter) {
  if (connection_ == nullptr) return Disconnected();
  const char* const value = parameter ? parameter->c_str() : nullptr;
  (void)PQsendQueryParams(connection_.get(), statement.c_str(), parameter ? 1 : 0, nullptr, &value, nullptr, nullptr,
                          /*resultFormat=*/0);
  ASSIGN_OR_RETURN(const Result result, LastResult());
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
    return Failed(ErrorOf(result.get(), connection_.get()));
  }
  std::vector<Fields> rows(static_cast<std::size_t>(PQntuples(result.get())));
  for (int row = 0; row < PQntuples(result.get()); ++row) {
    for (int field = 0; field < PQnfields(result.get()); ++field) {
      Fields& fields = rows[static_cast<std::size_t>(row)];
      if (PQgetisnull(result.get(), row, field) != 0) {
        fields.emplace_back();
      } else {
        fields.emplace_back(PQgetvalue(result.get(), row, field));
      }
    }
  }
  return rows;
}

absl::Status LibpqSnapshot::StartCopy(const std::string& statement, GoOn go_on) {
  if (connection_ == nullptr) return Disconnected();
  go_on_ = std::move(go_on);
  (void)PQsendQuery(connection_.get(), statement.c_str());
  ASSIGN_OR_RETURN(const Result result, LastResult());
  if (PQresultStatus(result.get()) == PGRES_COPY_OUT) return absl::OkStatus();
  return Failed(ErrorOf(result.get(), connection_.get()));
}

absl::StatusOr<std::string_view> LibpqSnapshot::NextCopiedLine() {
  constexpr int kNothingYet = 0;
  if (connection_ == nullptr) return Disconnected();
  char* line = nullptr;
  bool more_may_come = true;
  int length = kNothingYet;
  while (true) {
    length = PQgetCopyData(connection_.get(), &line, /*async=*/more_may_come ? 1 : 0);
    if (length != kNothingYet) break;
    ASSIGN_OR_RETURN(more_may_come, WaitForMore());
  }
  line_.reset(line);
  if (length > 0) return std::string_view(line, static_cast<std::size_t>(length));
  constexpr int kFailed = -2;
  if (length == kFailed) return Failed(PostgresError("", PQerrorMessage(connection_.get())));
  ASSIGN_OR_RETURN(const Result end, LastResult());
  if (PQresultStatus(end.get()) != PGRES_COMMAND_OK) return Failed(ErrorOf(end.get(), connection_.get()));
  if (PQstatus(connection_.get()) != CONNECTION_OK) return Failed(PostgresError("", PQerrorMessage(connection_.get())));
  return std::string_view();
}

absl::StatusOr<bool> LibpqSnapshot::WaitForMore() {
  if (const absl::Status wanted = go_on_(); !wanted.ok()) return Failed(wanted);
  pollfd socket{.fd = PQsocket(connection_.get()), .events = POLLIN, .revents = 0};
  (void)poll(&socket, 1, kLookUpMs);
  return PQconsumeInput(connection_.get()) != 0;
}

absl::StatusOr<LibpqSnapshot::Result> LibpqSnapshot::NextResult() {
  bool more_may_come = true;
  while (more_may_come && PQisBusy(connection_.get()) != 0) {
    ASSIGN_OR_RETURN(more_may_come, WaitForMore());
  }
  return Result(PQgetResult(connection_.get()));  // of a connection that broke, why
}

absl::StatusOr<LibpqSnapshot::Result> LibpqSnapshot::LastResult() {
  Result last;
  while (true) {
    ASSIGN_OR_RETURN(Result next, NextResult());
    if (next == nullptr) return last;
    last = std::move(next);
    if (PQresultStatus(last.get()) == PGRES_COPY_OUT) return last;
  }
}

void LibpqSnapshot::Close() { connection_.reset(); }

absl::Status LibpqSnapshot::Failed(absl::Status status) {
  Close();
  return status;
}

}  // namespace flaim
