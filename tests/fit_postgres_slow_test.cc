// `flaim fit --postgres`, the program itself, with a server of its own.

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>
#include <tuple>

#include "base/check.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rows/open/postgres_testing.h"

namespace flaim {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Blanks, quotes, missing values, and numbers in more than one spelling.
constexpr const char* kPatients = R"sql(
DROP TABLE IF EXISTS patients CASCADE;
CREATE TABLE patients (id serial, color text, age numeric, dose double precision, smoker boolean, born date,
  admitted timestamp);
INSERT INTO patients (color, age, dose, smoker, born, admitted)
SELECT (ARRAY[' red', 'bl"ue, or so', 'green '])[1 + i % 3], i * 7 % 90, (i * 13 % 100) / 3.0::float8, i % 3 = 0,
  date '1990-01-01' + i * 5 % 9000, timestamp '2024-01-01' + i % 366 * interval '1 day 00:01:02'
FROM generate_series(1, 600) i;
UPDATE patients SET color = NULL WHERE id % 7 = 0;
UPDATE patients SET dose = '-0', smoker = NULL WHERE id % 11 = 0;
UPDATE patients SET dose = 'NaN', born = NULL WHERE id % 13 = 0;
)sql";

constexpr const char* kSchema = R"toml(
trim_blanks = true
missing = ["", "NaN"]
drop = ["id"]
[[column]]
name = "color"
type = "categorical"
values = ["red", "green", "bl\"ue, or so"]
nullable = true
[[column]]
name = "age"
type = "integer"
min = 0
max = 89
bins = 9
[[column]]
name = "dose"
type = "real"
min = 0
max = 20
bins = 5
clamp = true
nullable = true
[[column]]
name = "smoker"
type = "boolean"
true_values = ["t"]
false_values = ["f"]
nullable = true
[[column]]
name = "born"
type = "date"
min = 1990-01-01
max = 2015-12-31
bin = "year"
nullable = true
[[column]]
name = "admitted"
type = "datetime"
min = 2024-01-01T00:00:00
max = 2025-12-31T23:59:59
bin = "month"
)toml";

std::string ReadBytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

struct Done {
  int code = 0;
  std::string said;  // on standard output and standard error
};

class FitPostgres : public PostgresTest {
 protected:
  FitPostgres() {
    folder_ = testing::TempDir() + "flaim-fit-postgres-XXXXXX";
    CHECK(mkdtemp(folder_.data()) != nullptr);
    std::ofstream(Path("s.toml")) << kSchema;
    server().Execute(kPatients);
    server().Execute(
        "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD 'S3CRET'; GRANT SELECT ON patients TO reader");
  }
  ~FitPostgres() override {
    server().Execute("DROP OWNED BY reader; DROP ROLE reader");
    fs::remove_all(folder_);
  }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  // Of 'single' words. What it says never holds the password.
  Done Run(const std::string& arguments) const {
    const std::string command = fmt::format("'{}' {} 2>&1", FLAIM_PROGRAM, arguments);
    Done done;
    FILE* output = popen(command.c_str(), "r");
    CHECK(output != nullptr);
    for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) done.said += static_cast<char>(c);
    done.code = WEXITSTATUS(pclose(output));
    EXPECT_THAT(done.said, Not(HasSubstr("S3CRET")));
    return done;
  }

  Done Fit(const std::string& rows, const std::string& name) const {
    return Run(fmt::format("fit {} --schema '{}' --epsilon 1 --seed 7 --ledger '{}' -o '{}'", rows, Path("s.toml"),
                           Path(name + ".ledger"), Path(name)));
  }

  static std::string InDatabase(const std::string& table) {
    return fmt::format("--postgres \"{}\" --table {}", server().Connection("reader", "S3CRET"), table);
  }

  std::string FileOf(const std::string& table) const {
    std::ofstream(Path("patients.csv")) << server().CopyOut(
        fmt::format("COPY (SELECT * FROM {}) TO STDOUT (FORMAT csv, HEADER)", table));
    return fmt::format("'{}'", Path("patients.csv"));
  }

 private:
  std::string folder_;
};

TEST_F(FitPostgres, GivesTheModelOfTheFileByteForByteAndNoPassword) {
  const Done in_file = Fit(FileOf("patients"), "file");
  ASSERT_EQ(in_file.code, 0) << in_file.said;
  const Done in_database = Fit(InDatabase("patients"), "database");
  ASSERT_EQ(in_database.code, 0) << in_database.said;
  EXPECT_EQ(ReadBytes(Path("database")), ReadBytes(Path("file")));
  EXPECT_THAT(ReadBytes(Path("database.ledger")), Not(HasSubstr("S3CRET")));
  EXPECT_THAT(Run(fmt::format("ledger show '{}'", Path("database.ledger"))).said,
              HasSubstr(fmt::format("postgresql://reader@127.0.0.1:{}/postgres table=patients", server().port())));
}

TEST_F(FitPostgres, OfADatabaseThatIsAwayFailsClearlyAndCostsNothing) {
  const Done away = Fit("--postgres 'host=127.0.0.1 port=1 user=reader password=S3CRET dbname=clinic' --table t", "m");
  EXPECT_EQ(away.code, 1);
  EXPECT_THAT(away.said, HasSubstr("postgresql://reader@127.0.0.1:1/clinic: cannot connect"));
  server().Execute("INSERT INTO patients (color) VALUES ('mauve')");
  const Done unfit = Fit(InDatabase("patients"), "m");
  EXPECT_EQ(unfit.code, 3);
  EXPECT_THAT(unfit.said, HasSubstr("patients: column 'color': 'mauve' is not one of the listed values"));
  EXPECT_FALSE(fs::exists(Path("m")));
  EXPECT_FALSE(fs::exists(Path("m.ledger")));
}

TEST_F(FitPostgres, NeedsAPlaceATableAndALedger) {
  const std::string rest = fmt::format("--schema '{}' --epsilon 1 -o '{}'", Path("s.toml"), Path("m"));
  for (const auto& [rows, code, word] : std::vector<std::tuple<std::string, int, std::string>>{
           {"", 2, "say where the rows are"},
           {"rows.csv " + InDatabase("patients"), 2, "say where the rows are"},
           {"--postgres 'password=S3CRET'", 2, "belong together"},
           {"rows.csv --table patients", 2, "belong together"},
           {"--postgres 'host=db passwordS3CRET' --table t --ledger l", 3, "cannot be understood"},
           {InDatabase("patients"), 3, "name a ledger"}}) {
    const Done refused = Run(fmt::format("fit {} {}", rows, rest));
    EXPECT_EQ(refused.code, code) << refused.said;
    EXPECT_THAT(refused.said, HasSubstr(word));
  }
}

// Ends the connection of the program once it has counted all columns and is at the pairs.
void EndItAtThePairs(PostgresServer& server) {
  for (int attempt = 0; attempt < 1200; ++attempt) {
    const std::vector<std::string> ended = server.Execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'flaim' AND state = 'active' "
        "AND query LIKE 'COPY (SELECT c0, c1%'");
    if (!ended.empty()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "no pair was counted";
}

TEST_F(FitPostgres, OfADatabaseThatGoesAwayPaysForNothingThatWasNotAnsweredAndGoesOnLater) {
  server().Execute(
      "CREATE VIEW slow AS SELECT patients.* FROM patients, (SELECT pg_sleep(0.1)) AS pause; "
      "GRANT SELECT ON slow TO reader");
  const Done undisturbed = Fit(FileOf("patients"), "undisturbed");
  ASSERT_EQ(undisturbed.code, 0) << undisturbed.said;
  std::thread ender([] { EndItAtThePairs(server()); });
  const Done lost = Fit(InDatabase("slow"), "m");
  ender.join();
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.said, AllOf(HasSubstr("slow: "), HasSubstr("start again")));
  EXPECT_FALSE(fs::exists(Path("m")));
  const std::string account = Run(fmt::format("ledger show '{}'", Path("m.ledger"))).said;
  EXPECT_TRUE(std::regex_search(account, std::regex("entries +([0-9]+) debits, \\1 releases"))) << account;

  const Done resumed = Fit(InDatabase("slow"), "m");
  ASSERT_EQ(resumed.code, 0) << resumed.said;
  EXPECT_EQ(ReadBytes(Path("m")), ReadBytes(Path("undisturbed")));
}

}  // namespace
}  // namespace flaim
