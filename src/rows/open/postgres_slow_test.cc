// What a database can do to who reads it, and what a reader cannot do to the database.

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <thread>

#include "base/check.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rows/open/open_rows.h"
#include "rows/open/postgres_testing.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Rows = std::unique_ptr<PrivateRows>;

const Clique kColor({0});
const Clique kBoth({0, 1});
constexpr const char* kPatients =
    "DROP TABLE IF EXISTS patients CASCADE; CREATE TABLE patients (color text, age integer, name text);"
    "INSERT INTO patients VALUES ('red', 1, 'Ann'), ('green', 0, 'Bob'), ('green', 2, 'Cy');";

// Columns "color" and "age".
Schema ColorAndAge() {
  SchemaSpec spec;
  spec.columns.push_back({"color", *CategoricalType::Create({{"red", "green"}, std::nullopt}), false, false, {}});
  spec.columns.push_back(
      {"age", *IntegerType::Create({.min = 0, .max = 2, .bins = {}, .bin_width = {}}), false, false, {}});
  return *Schema::Create(spec);
}

absl::StatusOr<Rows> Open(const std::string& connection, const std::string& table, bool counts_in_database) {
  NoProgress progress;
  ASSIGN_OR_RETURN(OpenedRows opened, OpenRows(PostgresRows{connection, table, counts_in_database}, ColorAndAge(),
                                               UnfitRule::kRefuse, progress));
  return std::move(opened.rows);
}

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

// Calls back once, when the first rows have arrived.
class OnFirstReport final : public ProgressSink {
 public:
  explicit OnFirstReport(std::function<void()> action) : action_(std::move(action)) {}
  void Report(const Progress&) override {
    if (action_) std::exchange(action_, nullptr)();
  }

 private:
  std::function<void()> action_;
};

class PostgresRowsTest : public PostgresTest {
 protected:
  static std::string Administrator() { return server().AdministratorConnection(); }

  // The same from both ways to ask, which must refuse alike.
  static absl::Status Refusal(const std::string& connection, const std::string& table) {
    const absl::Status copied = Open(connection, table, false).status();
    const absl::Status counted = Open(connection, table, true).status();
    EXPECT_EQ(copied.code(), counted.code()) << copied << counted;
    EXPECT_FALSE(copied.ok());
    for (const absl::Status& status : {copied, counted}) {
      EXPECT_THAT(MessageOf(status), Not(HasSubstr("S3CRET")));
      EXPECT_THAT(MessageOf(status), Not(HasSubstr("\n")));
    }
    return copied;
  }
};

TEST_F(PostgresRowsTest, AreOfOneMomentAndOfAnyNameAndCannotBeWrittenTo) {
  server().Execute(kPatients);
  const Rows copied = Open(Administrator(), "patients", false).value();
  const Rows counted = Open(Administrator(), "Public.PATIENTS", true).value();
  EXPECT_THAT(server().Execute("SELECT state FROM pg_stat_activity WHERE application_name = 'flaim'"),
              ElementsAre("idle in transaction"))
      << "only counting keeps a transaction open";
  server().Execute("INSERT INTO patients VALUES ('red', 2, 'Di'); DELETE FROM patients WHERE name = 'Bob'");
  for (PrivateRows* rows : {copied.get(), counted.get()}) {
    EXPECT_THAT(rows->CountOne(kColor).value(), ElementsAre(1, 2));
    EXPECT_THAT(rows->CountOne(kBoth).value(), ElementsAre(0, 1, 0, 1, 0, 1));
    EXPECT_THAT(rows->CountOne(Clique()).value(), ElementsAre(3));
  }
  EXPECT_THAT(Open(Administrator(), "patients", true).value()->CountOne(kColor).value(), ElementsAre(2, 1))
      << "whoever opens it now sees the new rows";

  server().Execute(
      "CREATE SCHEMA \"The Clinic\"; CREATE TABLE \"The Clinic\".\"a.\"\"B\" (LIKE patients);"
      "CREATE TABLE written (i integer);"
      "CREATE FUNCTION writes() RETURNS text LANGUAGE plpgsql AS 'BEGIN INSERT INTO written VALUES (1); RETURN 1; END';"
      "CREATE FUNCTION unlocks() RETURNS text LANGUAGE plpgsql AS "
      "'BEGIN PERFORM set_config(''transaction_read_only'', ''off'', true); RETURN writes(); END';"
      "CREATE VIEW writing AS SELECT writes() AS color, 1 AS age;"
      "CREATE VIEW unlocking AS SELECT unlocks() AS color, 1 AS age");
  for (const bool counts_in_database : {false, true}) {
    const Rows empty = Open(Administrator(), "\"The Clinic\".\"a.\"\"B\"", counts_in_database).value();
    EXPECT_THAT(empty->CountOne(kBoth).value(), ElementsAre(0, 0, 0, 0, 0, 0));
    EXPECT_THAT(empty->CountOne(Clique()).value(), ElementsAre(0));
    const std::vector<double> shares = {1, 2};
    EXPECT_EQ(empty->Distance(kColor, PublicShares(shares)).value(), ShareDistance{0});
  }
  EXPECT_THAT(MessageOf(Refusal(Administrator(), "writing")), HasSubstr("cannot execute INSERT in a read-only"));
  EXPECT_THAT(MessageOf(Refusal(Administrator(), "unlocking")), HasSubstr("read-write mode"));
  EXPECT_THAT(server().Execute("SELECT count(*) FROM written"), ElementsAre("0"));
}

TEST_F(PostgresRowsTest, ThatCannotBeReachedFoundOrReadAreRefusedWithWhatToDo) {
  server().Execute(kPatients);
  server().Execute(
      "CREATE ROLE reader LOGIN PASSWORD 'S3CRET'; CREATE SCHEMA hidden; CREATE TABLE hidden.patients (color text);"
      "CREATE TABLE forbidden (LIKE patients); CREATE SEQUENCE numbers;"
      "CREATE VIEW zoned AS SELECT color, now() AS age FROM patients;"
      "GRANT SELECT (color, age) ON patients TO reader; CREATE TABLE lacking (colour text, \"Age\" integer)");
  const std::string reader = server().Connection("reader", "S3CRET");
  EXPECT_TRUE(Open(reader, "patients", false).ok()) << "the columns of the schema are enough";
  EXPECT_TRUE(Open(reader, "patients", true).ok());

  EXPECT_THAT(MessageOf(Refusal(reader, "forbidden")), StartsWith("forbidden: permission denied for table forbidden"));
  EXPECT_THAT(MessageOf(Refusal(reader, "hidden.patients")), HasSubstr("permission denied for schema hidden"));
  EXPECT_THAT(MessageOf(Refusal(reader, "\"Patients\"")), StartsWith("\"Patients\": there is no such table or view"));
  EXPECT_THAT(MessageOf(Refusal(reader, "no_schema.patients")), HasSubstr("there is no such table or view"));
  EXPECT_THAT(MessageOf(Refusal(reader, "numbers")), HasSubstr("neither a table nor a view"));
  EXPECT_THAT(MessageOf(Refusal(reader, "pati\"ents")), HasSubstr("is not the name of a table"));
  EXPECT_THAT(MessageOf(Refusal(reader, "lacking")), HasSubstr("lacks: 'color', 'age'"));
  server().Execute("ALTER TABLE lacking RENAME \"Age\" TO age");
  EXPECT_THAT(MessageOf(Refusal(reader, "lacking")), AllOf(HasSubstr("lacks: 'color'"), HasSubstr("mean 'colour'")));

  const std::string wrong_password = server().Connection("reader", "not-S3CRET");
  EXPECT_THAT(MessageOf(Refusal(wrong_password, "patients")), HasSubstr("password authentication failed"));
  EXPECT_THAT(MessageOf(Refusal(reader + " dbname=nowhere", "patients")), HasSubstr("\"nowhere\" does not exist"));
  const absl::Status refused = Refusal("host=127.0.0.1 port=1 user=reader password=S3CRET dbname=clinic", "patients");
  EXPECT_THAT(MessageOf(refused), StartsWith("postgresql://reader@127.0.0.1:1/clinic: cannot connect: "));
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(IsForOwnerOnly(refused));

  NoProgress progress;
  SchemaSpec spec;
  spec.columns.push_back({"age", *TimeType::Create({TimeKind::kDate, 0, kSecondsPerDay, {}, {}}), false, false, {}});
  const absl::Status zone =
      OpenRows(PostgresRows{Administrator(), "zoned"}, *Schema::Create(spec), UnfitRule::kRefuse, progress).status();
  EXPECT_THAT(MessageOf(zone), HasSubstr("AT TIME ZONE"));
}

TEST_F(PostgresRowsTest, WithUnfitValuesAreRefusedInTheWordsOfTheFileAndForTheOwnerOnly) {
  const std::string path = fmt::format("{}flaim-postgres-unfit-{}.csv", testing::TempDir(), getpid());
  for (const std::string values : {"'mauve', 1", "NULL, 1", "'', 1", "'red', 3", "'red', -1", "'red', NULL"}) {
    server().Execute(kPatients);
    server().Execute(fmt::format("INSERT INTO patients VALUES ({})", values));
    std::ofstream(path) << server().CopyOut("COPY (SELECT color, age FROM patients) TO STDOUT (FORMAT csv, HEADER)");
    NoProgress progress;
    const std::string in_file =
        MessageOf(OpenRows(CsvRows{path}, ColorAndAge(), UnfitRule::kRefuse, progress).status());
    const std::string words = in_file.substr(path.size() + std::string(":5").size());
    const absl::Status copied = Open(Administrator(), "patients", false).status();
    const absl::Status counted = Open(Administrator(), "patients", true).status();
    EXPECT_EQ(MessageOf(copied), "patients:5" + words);
    EXPECT_EQ(MessageOf(counted), "patients" + words);
    EXPECT_TRUE(IsForOwnerOnly(copied) && IsForOwnerOnly(counted));
  }

  // The server's own messages may quote a value too, and so may its notices.
  server().Execute(
      "CREATE VIEW casting AS SELECT color, name::integer AS age FROM patients;"
      "CREATE FUNCTION chatters(text) RETURNS text LANGUAGE plpgsql AS 'BEGIN RAISE WARNING ''%'', $1; RETURN $1; END';"
      "CREATE VIEW chatting AS SELECT chatters(color) AS color, 1 AS age FROM patients");
  const absl::Status cast = Refusal(Administrator(), "casting");
  EXPECT_THAT(MessageOf(cast), HasSubstr("invalid input syntax for type integer: \"Ann\""));
  EXPECT_TRUE(IsForOwnerOnly(cast));
  testing::internal::CaptureStderr();
  EXPECT_TRUE(Open(Administrator(), "chatting", true).ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(PostgresRowsTest, OfAServerThatDiesGiveNoPartOfATableAndNoOtherMoment) {
  server().Execute(kPatients);
  server().Execute("CREATE VIEW long AS SELECT 'red' AS color, 1 AS age, generate_series(1, 20000000)");
  OnFirstReport kill([] { server().Kill(); });
  const absl::Status died =
      OpenRows(PostgresRows{Administrator(), "long"}, ColorAndAge(), UnfitRule::kRefuse, kill).status();
  EXPECT_EQ(died.code(), absl::StatusCode::kUnavailable) << died;
  EXPECT_THAT(MessageOf(died), StartsWith("long: "));
  EXPECT_FALSE(IsForOwnerOnly(died));
  server().StartAgain();

  OnFirstReport terminate([] {
    server().Execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'flaim'");
  });
  const absl::Status terminated =
      OpenRows(PostgresRows{Administrator(), "long"}, ColorAndAge(), UnfitRule::kRefuse, terminate).status();
  EXPECT_EQ(terminated.code(), absl::StatusCode::kUnavailable) << terminated;

  const Rows counted = Open(Administrator(), "patients", true).value();
  server().Kill();
  server().StartAgain();
  EXPECT_THAT(counted->CountOne(kColor).value(), ElementsAre(1, 2)) << "counts that were kept are still of that moment";
  for (int attempt = 0; attempt < 2; ++attempt) {
    const absl::Status lost = counted->CountOne(kBoth).status();
    EXPECT_EQ(lost.code(), absl::StatusCode::kUnavailable) << lost;
    EXPECT_THAT(MessageOf(lost), AllOf(StartsWith("patients: "), EndsWith("start again")));
    EXPECT_FALSE(IsForOwnerOnly(lost));
  }
}

std::int64_t PeakMemoryBytes() {
  rusage usage{};
  CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

// A gigabyte of text passes by; the table in memory is 100 kilobytes, and the counts are two numbers. The limit leaves
// room for what a sanitizer keeps of freed memory.
TEST_F(PostgresRowsTest, TakeTheMemoryOfTheCodesAndNotOfTheText) {
  constexpr std::int64_t kLimit = std::int64_t{400} << 20;
  server().Execute("CREATE VIEW wide AS SELECT repeat('x', 10000) AS color FROM generate_series(1, 100000)");
  SchemaSpec spec;
  spec.columns.push_back({"color", *CategoricalType::Create({{"red"}, "other"}), false, false, {}});
  const Schema schema = *Schema::Create(spec);
  for (const bool counts_in_database : {false, true}) {
    const std::int64_t before = PeakMemoryBytes();
    NoProgress progress;
    const auto rows =
        OpenRows(PostgresRows{Administrator(), "wide", counts_in_database}, schema, UnfitRule::kRefuse, progress);
    ASSERT_TRUE(rows.ok()) << rows.status();
    EXPECT_THAT(rows->rows->CountOne(kColor).value(), ElementsAre(0, 100'000));
    EXPECT_LT(PeakMemoryBytes() - before, kLimit);
  }
}

TEST_F(PostgresRowsTest, ThatAreRefusedHalfwayLeaveNoStatementRunning) {
  server().Execute(
      "CREATE VIEW endless AS SELECT 'mauve' || i AS color, 1 AS age "
      "FROM (SELECT generate_series(1, 1e12::bigint) AS i) AS numbers");
  EXPECT_THAT(MessageOf(Open(Administrator(), "endless", false).status()), HasSubstr("'mauve1' is not one of"));
  std::vector<std::string> sessions;
  for (int attempt = 0; attempt < 600; ++attempt) {
    sessions = server().Execute("SELECT state FROM pg_stat_activity WHERE application_name = 'flaim'");
    if (sessions.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(sessions.empty());
}

// Whether a site comes to its study is seen by everybody, so no value may be too long.
TEST_F(PostgresRowsTest, OfAnyLengthAreRead) {
  server().Execute(std::string(kPatients) + "INSERT INTO patients VALUES (repeat('r', 17 * 1024 * 1024), 1, 'Ed')");
  for (const bool counts_in_database : {false, true}) {
    NoProgress progress;
    const absl::StatusOr<OpenedRows> opened = OpenRows(PostgresRows{Administrator(), "patients", counts_in_database},
                                                       ColorAndAge(), UnfitRule::kDrop, progress);
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(opened->unfit_rows, 1);
    EXPECT_THAT(opened->rows->CountOne(kColor).value(), ElementsAre(1, 2));
  }
}

class StopsAt final : public ProgressSink {
 public:
  explicit StopsAt(std::chrono::steady_clock::time_point end) : end_(end) {}
  void Report(const Progress&) override {}
  bool ShouldStop() override { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_;
};

// A statement alone can take hours. Here it sleeps, as soon as a sequence, which snapshots do not keep, says so.
TEST_F(PostgresRowsTest, AreAskedNoLongerSoonAfterTheWorkIsToStop) {
  using std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPatience{300};
  server().Execute(std::string(kPatients) +
                   "CREATE SEQUENCE nap MINVALUE 0 START 0;"
                   "CREATE VIEW drowsy AS SELECT patients.* FROM patients, pg_sleep((SELECT last_value FROM nap))");
  const Rows counted = Open(Administrator(), "drowsy", true).value();
  server().Execute("SELECT setval('nap', 600)");
  const steady_clock::time_point begin = steady_clock::now();
  Parallel parallel(1, [&] { return steady_clock::now() > begin + kPatience; });
  const absl::Status stopped = counted->Count(std::span(&kBoth, 1), parallel).status();
  EXPECT_TRUE(absl::IsCancelled(stopped)) << stopped;
  for (const bool counts_in_database : {false, true}) {
    StopsAt progress(steady_clock::now() + kPatience);
    const absl::Status unread = OpenRows(PostgresRows{Administrator(), "drowsy", counts_in_database}, ColorAndAge(),
                                         UnfitRule::kRefuse, progress)
                                    .status();
    EXPECT_TRUE(absl::IsCancelled(unread)) << unread;
  }
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(60)) << "three statements of 600 s each";
  std::vector<std::string> sessions;
  for (int wait = 0; wait < 200; ++wait) {
    sessions = server().Execute("SELECT state FROM pg_stat_activity WHERE application_name = 'flaim'");
    if (sessions.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(sessions.empty()) << "the server goes on with nothing";
}

}  // namespace
}  // namespace flaim
