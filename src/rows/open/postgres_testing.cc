#include "rows/open/postgres_testing.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/check.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

void DropNotice(void*, const PGresult*) {}

// Debian keeps each version in a folder of its own.
fs::path ProgramFolder() {
  const fs::path versions = "/usr/lib/postgresql";
  int newest = 0;
  std::error_code no_such_folder;
  for (const fs::directory_entry& entry : fs::directory_iterator(versions, no_such_folder)) {
    if (fs::exists(entry.path() / "bin/initdb")) newest = std::max(newest, std::atoi(entry.path().filename().c_str()));
  }
  CHECK(newest > 0, "no PostgreSQL server under {}: run scripts/setup test", versions.string());
  return versions / fmt::format("{}", newest) / "bin";
}

// Whom the server runs as: us, unless we are root.
const passwd* ServerUser() {
  if (geteuid() != 0) return nullptr;
  const passwd* user = getpwnam("postgres");
  if (user == nullptr) user = getpwnam("nobody");
  CHECK(user != nullptr, "there is neither a user postgres nor a user nobody");
  return user;
}

// Starts a program that dies with this process, with its output in `log`.
pid_t Spawn(const std::vector<std::string>& command, const std::string& log) {
  const passwd* user = ServerUser();
  const uid_t uid = user == nullptr ? 0 : user->pw_uid;
  const gid_t gid = user == nullptr ? 0 : user->pw_gid;
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child > 0) return child;
  if (user != nullptr && (setgroups(0, nullptr) != 0 || setgid(gid) != 0 || setuid(uid) != 0)) _exit(126);
  const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (getppid() != parent) _exit(126);
  execv(arguments[0], arguments.data());
  _exit(127);
}

int FreePort() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  CHECK(bind(listener, reinterpret_cast<sockaddr*>(&address), length) == 0);
  CHECK(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  close(listener);
  return ntohs(address.sin_port);
}

Connection Connect(const std::string& where) {
  Connection connection(PQconnectdb(where.c_str()), &PQfinish);
  CHECK(PQstatus(connection.get()) == CONNECTION_OK, "{}", PQerrorMessage(connection.get()));
  PQsetNoticeReceiver(connection.get(), &DropNotice, nullptr);
  return connection;
}

Result Run(PGconn* connection, const std::string& statements, ExecStatusType expected) {
  Result result(PQexec(connection, statements.c_str()), &PQclear);
  CHECK(PQresultStatus(result.get()) == expected, "{}: {}", statements, PQerrorMessage(connection));
  return result;
}

}  // namespace

PostgresServer::PostgresServer() {
  folder_ = testing::TempDir() + "flaim-pg-XXXXXX";
  CHECK(mkdtemp(folder_.data()) != nullptr, "{}", folder_);
  if (const passwd* user = ServerUser(); user != nullptr) {
    CHECK(chown(folder_.c_str(), user->pw_uid, user->pw_gid) == 0);
  }
  Initialise();
  StartAgain();
}

PostgresServer::~PostgresServer() {
  Kill();
  std::error_code left_behind;
  fs::remove_all(folder_, left_behind);
}

void PostgresServer::Initialise() {
  const pid_t initdb = Spawn({ProgramFolder() / "initdb", "-D", folder_ + "/data", "-U", "administrator", "-E", "UTF8",
                              "--locale=C", "--no-sync", "--auth-local=trust", "--auth-host=scram-sha-256"},
                             folder_ + "/log");
  int status = 0;
  CHECK(waitpid(initdb, &status, 0) == initdb && status == 0, "initdb failed:\n{}", LogText());
}

std::string PostgresServer::LogText() const {
  std::ifstream file(folder_ + "/log");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void PostgresServer::StartAgain() {
  port_ = FreePort();
  process_ =
      Spawn({ProgramFolder() / "postgres", "-D", folder_ + "/data", "-k", folder_, "-p", fmt::format("{}", port_), "-c",
             "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "shared_buffers=16MB", "-c", "max_connections=20",
             "-c", "autovacuum=off", "-c", "temp_file_limit=256MB"},
            folder_ + "/log");
  constexpr int kAttempts = 600;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    CHECK(waitpid(process_, nullptr, WNOHANG) == 0, "the server ended at once:\n{}", LogText());
    if (IsReady()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK(false, "the server does not answer:\n{}", LogText());
}

bool PostgresServer::IsReady() const { return PQping(AdministratorConnection().c_str()) == PQPING_OK; }

void PostgresServer::Kill() {
  if (process_ == 0) return;
  kill(process_, SIGQUIT);
  waitpid(process_, nullptr, 0);
  process_ = 0;
}

std::string PostgresServer::AdministratorConnection() const {
  return fmt::format("host={} port={} user=administrator dbname=postgres", folder_, port_);
}

std::string PostgresServer::Connection(const std::string& user, const std::string& password) const {
  return fmt::format("host=127.0.0.1 port={} user={} password={} dbname=postgres", port_, user, password);
}

std::vector<std::string> PostgresServer::Execute(const std::string& statements) {
  const auto connection = Connect(AdministratorConnection());
  const Result result(PQexec(connection.get(), statements.c_str()), &PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  CHECK(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK, "{}: {}", statements,
        PQerrorMessage(connection.get()));
  std::vector<std::string> rows;
  for (int row = 0; row < PQntuples(result.get()); ++row) rows.emplace_back(PQgetvalue(result.get(), row, 0));
  return rows;
}

void PostgresServer::CopyIn(const std::string& statement, const std::string& content) {
  const auto connection = Connect(AdministratorConnection());
  Run(connection.get(), statement, PGRES_COPY_IN);
  CHECK(PQputCopyData(connection.get(), content.data(), static_cast<int>(content.size())) == 1);
  CHECK(PQputCopyEnd(connection.get(), nullptr) == 1);
  const Result result(PQgetResult(connection.get()), &PQclear);
  CHECK(PQresultStatus(result.get()) == PGRES_COMMAND_OK, "{}", PQerrorMessage(connection.get()));
}

std::string PostgresServer::CopyOut(const std::string& statement) {
  const auto connection = Connect(AdministratorConnection());
  Run(connection.get(), statement, PGRES_COPY_OUT);
  std::string content;
  char* line = nullptr;
  for (int length = 0; (length = PQgetCopyData(connection.get(), &line, 0)) > 0; PQfreemem(line)) {
    content.append(line, static_cast<std::size_t>(length));
  }
  const Result result(PQgetResult(connection.get()), &PQclear);
  CHECK(PQresultStatus(result.get()) == PGRES_COMMAND_OK, "{}", PQerrorMessage(connection.get()));
  return content;
}

}  // namespace flaim
