#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace flaim {

// A PostgreSQL server of its own for a test: the newest that is installed, in a temporary folder, on a Unix socket and
// a free port of the loopback. It ends with this object or with the test's process, however that ends. Servers refuse
// to run as root; then it runs as another user. What goes wrong stops the test program with the reason.
class PostgresServer {
 public:
  PostgresServer();
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  // On the socket, as the administrator and without a password; and over TCP, where a password is asked for.
  std::string AdministratorConnection() const;
  std::string Connection(const std::string& user, const std::string& password) const;
  int port() const { return port_; }

  // As the administrator. The first field of each row of the result; "" for NULL.
  std::vector<std::string> Execute(const std::string& statements);
  // COPY ... FROM STDIN and COPY ... TO STDOUT.
  void CopyIn(const std::string& statement, const std::string& content);
  std::string CopyOut(const std::string& statement);

  // As a power failure does. Then StartAgain works on the same data.
  void Kill();
  void StartAgain();

 private:
  void Initialise();
  std::string LogText() const;
  bool IsReady() const;

  std::string folder_;
  int port_ = 0;
  pid_t process_ = 0;
};

// One server for all tests of a suite that run in one process.
class PostgresTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<PostgresServer>(); }
  static void TearDownTestSuite() { server_.reset(); }

  static PostgresServer& server() { return *server_; }

 private:
  static inline std::unique_ptr<PostgresServer> server_;
};

}  // namespace flaim
