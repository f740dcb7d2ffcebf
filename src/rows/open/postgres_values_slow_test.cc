// Whether a table gives the same answers from a CSV file, through COPY and through GROUP BY.

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/seeded_random_source.h"
#include "data/schema/random_schema_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"
#include "rows/open/open_rows.h"
#include "rows/open/postgres_testing.h"
#include "rows/postgres/names.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing_tables::RandomClique;
using Rows = std::unique_ptr<PrivateRows>;

struct ThreeWays {
  Rows file;
  Rows copied;
  Rows counted;
};

OpenedRows OpenByRule(const RowsLocation& location, const Schema& schema, UnfitRule unfit) {
  NoProgress progress;
  absl::StatusOr<OpenedRows> rows = OpenRows(location, schema, unfit, progress);
  CHECK(rows.ok(), "{}", std::string(rows.status().message()));
  return *std::move(rows);
}

Rows OpenOrFail(const RowsLocation& location, const Schema& schema) {
  return OpenByRule(location, schema, UnfitRule::kRefuse).rows;
}

ThreeWays OpenThreeWays(const PostgresServer& server, const std::string& table, const std::string& csv,
                        const Schema& schema, UnfitRule unfit = UnfitRule::kRefuse) {
  const std::string path = fmt::format("{}flaim-postgres-values-{}.csv", testing::TempDir(), getpid());
  std::ofstream(path, std::ios::binary) << csv;
  const std::string connection = server.AdministratorConnection();
  OpenedRows file = OpenByRule(CsvRows{path}, schema, unfit);
  OpenedRows copied = OpenByRule(PostgresRows{connection, table, false}, schema, unfit);
  OpenedRows counted = OpenByRule(PostgresRows{connection, table, true}, schema, unfit);
  EXPECT_EQ(copied.unfit_rows, file.unfit_rows);
  EXPECT_EQ(counted.unfit_rows, file.unfit_rows);
  return {std::move(file.rows), std::move(copied.rows), std::move(counted.rows)};
}

PublicShares RandomShares(std::size_t cells, RandomSource& random) {
  std::vector<double> shares(cells);
  for (double& share : shares) share = random.NextBelow(3) == 0 ? 0 : random.NextUnit();
  shares.front() += 1e-3;
  return PublicShares(shares);
}

std::vector<Clique> RandomCliques(const Domain& domain, std::size_t number, RandomSource& random) {
  std::vector<Clique> cliques;
  while (cliques.size() < number) {
    Clique clique = RandomClique(domain, random);
    if (clique.size() > 4 || CellCount(domain, clique).value_or(1 << 30) > 200'000) continue;
    cliques.push_back(std::move(clique));
  }
  return cliques;
}

void ExpectSameCountsAtOnce(const ThreeWays& rows, std::vector<Clique> cliques) {
  cliques.push_back(cliques.front());
  cliques.emplace_back();
  Parallel parallel(1);
  const CliqueCounts counts = rows.file->Count(cliques, parallel).value();
  for (PrivateRows* other : {rows.copied.get(), rows.counted.get()}) {
    const CliqueCounts others = other->Count(cliques, parallel).value();
    for (std::size_t i = 0; i < cliques.size(); ++i) ASSERT_THAT(others[i], ElementsAreArray(counts[i]));
  }
}

void ExpectSameAnswers(const ThreeWays& rows, std::size_t number, RandomSource& random) {
  const Domain& domain = rows.file->domain();
  const std::vector<Clique> cliques = RandomCliques(domain, number, random);
  ASSERT_NO_FATAL_FAILURE(
      ExpectSameCountsAtOnce(rows, std::vector<Clique>(cliques.begin(), cliques.begin() + std::ssize(cliques) / 2)));
  for (const Clique& clique : cliques) {
    const std::int64_t cells = CellCount(domain, clique).value();
    const std::vector<std::int64_t> counts = rows.file->CountOne(clique).value();
    ASSERT_EQ(rows.copied->CountOne(clique).value(), counts) << CliqueName(domain, clique);
    ASSERT_EQ(rows.counted->CountOne(clique).value(), counts) << CliqueName(domain, clique);
    const PublicShares shares = RandomShares(static_cast<std::size_t>(cells), random);
    const ShareDistance distance = rows.file->Distance(clique, shares).value();
    ASSERT_EQ(rows.copied->Distance(clique, shares).value(), distance) << CliqueName(domain, clique);
    ASSERT_EQ(rows.counted->Distance(clique, shares).value(), distance) << CliqueName(domain, clique);
  }
}

// A text that the column accepts: an ordinary one, or a missing, clamped or other one if it takes such. One in `unfit`
// is taken as it comes.
std::string RandomValue(const Column& column, bool trim_blanks, std::uint64_t unfit, RandomSource& random) {
  const std::vector<std::string> odd = {"",  "-1e300",     "99999999999999999999", "NA",
                                        "?", "9999-12-31", RandomText(random)};
  std::string text = odd[random.NextBelow(odd.size())];
  if (unfit > 0 && random.NextBelow(unfit) == 0) return text;
  if (random.NextBelow(3) != 0 ||
      column.Encode(trim_blanks ? TrimBlanks(text) : text).outcome != EncodeOutcome::kExact) {
    text.clear();
    column.Decode(static_cast<std::uint32_t>(random.NextBelow(column.size())), random, text);
  }
  if (trim_blanks && random.NextBelow(4) == 0) text = fmt::format(" \t{} ", text);
  return text;
}

std::string InQuotes(const std::string& text) { return QuoteIdentifier(text); }

struct RandomFile {
  std::string header;
  std::string records;
};

// Empty fields without quotes become NULL in a database, those in quotes empty texts.
RandomFile MakeFile(const Schema& schema, std::size_t rows, std::uint64_t unfit, RandomSource& random) {
  const std::string delimiter(1, schema.spec().delimiter);
  RandomFile file;
  for (const std::string& name : schema.spec().drop) file.header += InQuotes(name) + delimiter;
  for (const Column& column : schema.columns()) file.header += InQuotes(column.name()) + delimiter;
  file.header.back() = '\n';
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < schema.spec().drop.size(); ++i)
      file.records += InQuotes(RandomText(random)) + delimiter;
    for (const Column& column : schema.columns()) {
      const std::string text = RandomValue(column, schema.spec().trim_blanks, unfit, random);
      const bool is_null = text.empty() && schema.columns().size() > 1 && random.NextBelow(2) == 0;
      file.records += (is_null ? "" : InQuotes(text)) + delimiter;
    }
    file.records.back() = '\n';
  }
  return file;
}

class PostgresValuesTest : public PostgresTest {};

void MakeTrialTable(PostgresServer& server, const Schema& schema, const RandomFile& file) {
  std::string columns;
  for (const Column& column : schema.columns()) columns += fmt::format(", {} text", QuoteIdentifier(column.name()));
  for (const std::string& name : schema.spec().drop)
    columns = fmt::format(", {} text{}", QuoteIdentifier(name), columns);
  server.Execute(fmt::format("DROP TABLE IF EXISTS trial; CREATE TABLE trial ({})", columns.substr(2)));
  const std::string delimiter = QuoteLiteral(std::string(1, schema.spec().delimiter));
  server.CopyIn(fmt::format("COPY trial FROM STDIN (FORMAT csv, DELIMITER {})", delimiter), file.records);
}

TEST_F(PostgresValuesTest, OfRandomSchemasCountAndMeasureAsInACsvFile) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const Schema schema = RandomSchema(random);
    const RandomFile file = MakeFile(schema, trial == 0 ? 0 : random.NextBelow(300), 0, random);
    MakeTrialTable(server(), schema, file);
    const ThreeWays rows = OpenThreeWays(server(), "trial", file.header + file.records, schema);
    ASSERT_NO_FATAL_FAILURE(ExpectSameAnswers(rows, 6, random)) << "trial " << trial;
  }
}

TEST_F(PostgresValuesTest, ThatDoNotFitGoWhereTheyGoInACsvFile) {
  SeededRandomSource random(3);
  for (int trial = 0; trial < 40; ++trial) {
    const Schema schema = RandomSchema(random);
    const UnfitRule rule = CheckUnfitRule(schema, UnfitRule::kOther).ok() ? UnfitRule::kOther : UnfitRule::kDrop;
    const RandomFile file = MakeFile(schema, random.NextBelow(300), 8 * schema.columns().size(), random);
    MakeTrialTable(server(), schema, file);
    const ThreeWays rows = OpenThreeWays(server(), "trial", file.header + file.records, schema, rule);
    ASSERT_NO_FATAL_FAILURE(ExpectSameAnswers(rows, 6, random)) << "trial " << trial;
  }
}

TEST_F(PostgresValuesTest, ThatAreEqualAndDoNotAllFitAreLeftOutOneByOne) {
  server().Execute("CREATE TABLE amounts AS SELECT * FROM (VALUES (1.0), (1.00), (1), (7), (NULL)) AS v (amount)");
  SchemaSpec spec;
  spec.columns = {{"amount", *CategoricalType::Create({{"1.0", "7"}, std::nullopt}), false, false, {}}};
  const ThreeWays rows =
      OpenThreeWays(server(), "amounts", "amount\n1.0\n1.00\n1\n7\n\"\"\n", *Schema::Create(spec), UnfitRule::kDrop);
  EXPECT_THAT(rows.counted->CountOne(Clique({0})).value(), ElementsAre(1, 1));
  EXPECT_THAT(rows.file->CountOne(Clique({0})).value(), ElementsAre(1, 1));
}

constexpr const char* kTypedTable = R"sql(
CREATE COLLATION ignores_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE typed (id serial, color text, cased text COLLATE ignores_case, padded char(4), document json,
  age smallint, big bigint, whole numeric, amount numeric(10, 2), dose double precision, small real,
  smoker boolean, born date, admitted timestamp, stay interval, extra bytea);
INSERT INTO typed
SELECT i, (ARRAY['red', 'gr"een', 'bl,ue', E'li\nne', E'car\rriage', '漢', 'é ', '\.', ''])[1 + abs(hashint4(i)) % 9],
  (ARRAY['Red', 'red', 'RED'])[1 + abs(hashint4(i + 1)) % 3], (ARRAY['ab', 'cd'])[1 + abs(hashint4(i + 2)) % 2],
  (ARRAY['{"a": 1}', '{"a":1}'])[1 + abs(hashint4(i + 3)) % 2]::json, hashint4(i + 4) % 200,
  hashint4(i + 5)::bigint * 1000000, (ARRAY['1.0', '1.00', '1'])[1 + abs(hashint4(i + 6)) % 3]::numeric,
  hashint4(i + 7) % 100000 / 100.0, hashint4(i + 8) / 3e8::float8, hashint4(i + 9) / 7e8::float4,
  hashint4(i + 10) % 2 = 0, date '1990-01-01' + abs(hashint4(i + 11)) % 9000,
  timestamp '2024-01-01' + abs(hashint4(i + 12)) % 31622400 * interval '1.0003 second',
  (ARRAY['1 day', '24 hours', '1 mon 02:03:04'])[1 + abs(hashint4(i + 13)) % 3]::interval, '\x00'
FROM generate_series(1, 3000) i;
UPDATE typed SET color = NULL WHERE id % 7 = 0;
UPDATE typed SET age = NULL, dose = NULL, smoker = NULL, born = NULL WHERE id % 11 = 0;
UPDATE typed SET admitted = NULL, small = '-0' WHERE id % 13 = 0;
)sql";

// All that a server, a database or a role may have been told about the looks of values.
constexpr const char* kOddSettings = R"sql(
ALTER DATABASE postgres SET DateStyle = 'German, DMY';
ALTER DATABASE postgres SET IntervalStyle = 'iso_8601';
ALTER DATABASE postgres SET extra_float_digits = -10;
ALTER DATABASE postgres SET TimeZone = 'Asia/Tokyo';
ALTER DATABASE postgres SET client_encoding = 'LATIN1';
ALTER DATABASE postgres SET standard_conforming_strings = off;
)sql";

ColumnSpec Categorical(std::string name, std::vector<std::string> values) {
  return {std::move(name), *CategoricalType::Create({std::move(values), std::nullopt}), false, false, {}};
}

ColumnSpec Nullable(std::string name, ColumnType type, bool clamp) {
  return {std::move(name), std::move(type), true, clamp, {}};
}

ColumnType Time(TimeKind kind, std::string_view min, std::string_view max, CalendarUnit unit) {
  return *TimeType::Create({kind, *ParseIso(min), *ParseIso(max), unit, std::nullopt});
}

Schema TypedSchema() {
  SchemaSpec spec;
  spec.delimiter = '\\';
  spec.drop = {"id", "extra"};
  spec.columns = {
      Categorical("color", {"red", "gr\"een", "bl,ue", "li\nne", "car\rriage", "漢", "é ", "\\."}),
      Categorical("cased", {"Red", "red", "RED"}),
      Categorical("padded", {"ab  ", "cd  "}),
      Categorical("document", {"{\"a\": 1}", "{\"a\":1}"}),
      Nullable("age", *IntegerType::Create({.min = 0, .max = 119, .bins = {}, .bin_width = 5}), true),
      Nullable("big",
               *IntegerType::Create({.min = -1'000'000'000'000, .max = 1'000'000'000'000, .bins = 7, .bin_width = {}}),
               true),
      Categorical("whole", {"1.0", "1.00", "1"}),
      Nullable("amount", *RealType::Create({UniformBins{-500, 500, 9}, std::nullopt}), true),
      Nullable("dose", *RealType::Create({std::vector<double>{-10, -0.1, 0.3, 10}, std::nullopt}), false),
      Nullable("small", *RealType::Create({UniformBins{-4, 4, 11}, std::nullopt}), false),
      Nullable("smoker", *BooleanType::Create({}), false),
      Nullable("born", Time(TimeKind::kDate, "1995-01-01", "2005-12-31", CalendarUnit::kYear), true),
      Nullable("admitted",
               Time(TimeKind::kDateTime, "2024-01-01T00:00:00", "2024-12-31T23:59:59", CalendarUnit::kMonth), true),
      Categorical("stay", {"1 day", "24:00:00", "1 mon 02:03:04"}),
  };
  spec.columns[0].nullable = true;
  return *Schema::Create(std::move(spec));
}

TEST_F(PostgresValuesTest, OfEveryDatabaseTypeCountAsInTheFileThatCopyWritesWhateverTheServersSettings) {
  server().Execute(kTypedTable);
  const std::string csv = server().CopyOut("COPY typed TO STDOUT (FORMAT csv, HEADER true, DELIMITER E'\\\\')");
  server().Execute(kOddSettings);
  const ThreeWays rows = OpenThreeWays(server(), "typed", csv, TypedSchema());
  SeededRandomSource random(2);
  for (AttributeIndex column = 0; column < rows.file->domain().size(); ++column) {
    const std::vector<std::int64_t> counts = rows.file->CountOne(Clique({column})).value();
    EXPECT_EQ(rows.copied->CountOne(Clique({column})).value(), counts) << column;
    EXPECT_EQ(rows.counted->CountOne(Clique({column})).value(), counts) << column;
    EXPECT_GE(std::count_if(counts.begin(), counts.end(), [](std::int64_t count) { return count > 0; }), 2) << column;
  }
  ASSERT_NO_FATAL_FAILURE(ExpectSameAnswers(rows, 60, random));

  SchemaSpec spec;
  spec.columns = {Nullable("smoker", *BooleanType::Create({{"it's \\so", "yes"}, {"no"}}), false)};
  const Schema own_spellings = *Schema::Create(spec);
  const std::vector<std::string> expected = server().Execute(
      "SELECT count(*) FROM typed GROUP BY smoker ORDER BY CASE WHEN smoker THEN 2 WHEN NOT smoker THEN 1 ELSE 3 END");
  server().Execute(
      "CREATE DOMAIN truth AS boolean; CREATE DOMAIN consent AS truth;"
      "CREATE VIEW consenting AS SELECT smoker::consent AS smoker FROM typed");
  for (const char* table : {"typed", "consenting"}) {
    for (const bool counts_in_database : {false, true}) {
      const Rows only =
          OpenOrFail(PostgresRows{server().AdministratorConnection(), table, counts_in_database}, own_spellings);
      EXPECT_THAT(only->CountOne(Clique({0})).value(),
                  ElementsAre(std::stoll(expected[0]), std::stoll(expected[1]), std::stoll(expected[2])))
          << "true is true, however the schema spells it, and a row that is one NULL counts";
    }
  }
}

}  // namespace
}  // namespace flaim
