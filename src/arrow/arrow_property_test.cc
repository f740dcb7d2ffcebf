// For random schemas and rows: an Arrow table is read as the CSV file with the same values, and rows that are written
// as an Arrow table hold the values of the CSV file that the same random source gives.

#include <array>
#include <charconv>
#include <cmath>
#include <functional>

#include "arrow/arrow_reader.h"
#include "arrow/arrow_rows.h"
#include "arrow/arrow_testing.h"
#include "base/check.h"
#include "base/seeded_random_source.h"
#include "data/csv/csv_writer.h"
#include "data/rows/row_writer.h"
#include "data/schema/random_schema_testing.h"
#include "data/table/column_codes.h"
#include "fmt/format.h"
#include "gtest/gtest.h"
#include "io/byte_sink.h"
#include "io/number_text.h"

namespace flaim {
namespace {

// The same cells twice.
struct TwinColumn {
  std::vector<std::string> texts;
  TestColumn arrow;
};

// How often a column gets a cell that it may refuse: never, or now and then.
struct Mischief {
  std::uint64_t one_in = 0;
  bool Strikes(RandomSource& random) const { return one_in > 0 && random.NextBelow(one_in) == 0; }
};

std::string MarkerOf(const Column& column) { return column.missing().empty() ? "" : column.missing().front(); }

// Null is a missing value, even where the empty text is an ordinary one.
bool MayBeNull(const Column& column, const Mischief& mischief, RandomSource& random) {
  if (column.spec().nullable) return random.NextBelow(4) == 0;
  return column.Encode(MarkerOf(column)).outcome == EncodeOutcome::kMissing && mischief.Strikes(random);
}

std::string ValueText(const Column& column, RandomSource& random) {
  std::string text;
  const std::uint32_t values = column.size() - (column.spec().nullable ? 1 : 0);
  column.Decode(static_cast<std::uint32_t>(random.NextBelow(values)), random, text);
  return text;
}

std::string OddText(const Column& column, RandomSource& random) {
  static const std::vector<std::string> texts = {
      "",     "NA",  "?", "other", "1e5",        "-17",  "99999999999999999999",
      "true", "0x1", " ", "1.0",   "2024-02-29", "+1.5", "2024-02-29T10:00:00"};
  return random.NextBelow(5) == 0 ? ValueText(column, random) + "!" : texts[random.NextBelow(texts.size())];
}

TwinColumn TextTwin(const Column& column, std::size_t rows, const Mischief& mischief, bool blanks,
                    RandomSource& random) {
  TwinColumn twin;
  Cells<std::string> cells;
  for (std::size_t row = 0; row < rows; ++row) {
    if (MayBeNull(column, mischief, random)) {
      twin.texts.push_back(MarkerOf(column));
      cells.push_back(std::nullopt);
      continue;
    }
    std::string text = mischief.Strikes(random) ? OddText(column, random) : ValueText(column, random);
    if (blanks && random.NextBelow(2) == 0) text = fmt::format(" \t{} ", text);
    twin.texts.push_back(text);
    cells.emplace_back(text);
  }
  const std::array<std::string, 3> formats = {"u", "U", "vu"};
  const std::string& format = formats[random.NextBelow(formats.size())];
  const Padding padding{.rows = RandomBetween(0, 9, random)};
  if (random.NextBelow(2) == 0) {
    twin.arrow = Texts(column.name(), format, cells, padding);
    return twin;
  }
  Cells<std::uint16_t> indices;
  for (std::size_t row = 0; row < rows; ++row) {
    indices.push_back(cells[row] || random.NextBelow(2) == 0 ? std::optional(static_cast<std::uint16_t>(row))
                                                             : std::nullopt);
  }
  twin.arrow =
      WithDictionary(FixedWidth<std::uint16_t>(column.name(), "S", indices, padding), Texts("", format, cells));
  return twin;
}

template <typename Number>
std::string NumberText(Number number) {
  std::array<char, 512> buffer;
  const bool is_whole = std::trunc(number) == number;
  char* const end = buffer.data() + buffer.size();
  const auto result = is_whole ? std::to_chars(buffer.data(), end, number, std::chars_format::fixed)
                               : std::to_chars(buffer.data(), end, number);
  return {buffer.data(), result.ptr};
}

template <typename Stored, typename Text>
TwinColumn NumberTwin(const Column& column, const std::string& format, std::size_t rows, const Mischief& mischief,
                      RandomSource& random, const std::function<Stored()>& draw, const Text& text_of) {
  TwinColumn twin;
  Cells<Stored> cells;
  while (twin.texts.size() < rows) {
    if (MayBeNull(column, mischief, random)) {
      twin.texts.push_back(MarkerOf(column));
      cells.push_back(std::nullopt);
      continue;
    }
    const Stored number = draw();
    const std::string text = text_of(number);
    if (column.Encode(text).outcome != EncodeOutcome::kExact && !mischief.Strikes(random)) continue;
    twin.texts.push_back(text);
    cells.emplace_back(number);
  }
  twin.arrow = FixedWidth<Stored>(column.name(), format, cells, {.rows = RandomBetween(0, 9, random)});
  return twin;
}

TwinColumn IntegerTwin(const Column& column, std::size_t rows, const Mischief& mischief, RandomSource& random) {
  const IntegerSpec& spec = std::get<IntegerType>(column.spec().type).spec();
  const auto draw = [&] {
    if (random.NextBelow(3) == 0) return spec.min + RandomBetween(-2, 2, random);
    if (random.NextBelow(2) == 0) return spec.max + RandomBetween(-2, 2, random);
    return RandomBetween(spec.min, spec.max, random);
  };
  if (random.NextBelow(2) == 0) {
    const auto draw_double = [&] { return static_cast<double>(draw()) + (random.NextBelow(20) == 0 ? 0.5 : 0.0); };
    return NumberTwin<double>(column, "g", rows, mischief, random, draw_double, NumberText<double>);
  }
  return NumberTwin<std::int64_t>(column, "l", rows, mischief, random, draw,
                                  [](std::int64_t number) { return std::to_string(number); });
}

TwinColumn RealTwin(const Column& column, std::size_t rows, const Mischief& mischief, RandomSource& random) {
  const auto draw = [&] {
    const double number = *ParseReal(ValueText(column, random));
    if (random.NextBelow(4) == 0) return std::nextafter(number, RandomReal(random));
    return random.NextBelow(8) == 0 ? RandomReal(random) : number;
  };
  if (random.NextBelow(2) == 0) {
    return NumberTwin<float>(
        column, "f", rows, mischief, random, [&] { return static_cast<float>(draw()); }, NumberText<float>);
  }
  return NumberTwin<double>(column, "g", rows, mischief, random, draw, NumberText<double>);
}

TwinColumn TimeTwin(const Column& column, std::size_t rows, const Mischief& mischief, RandomSource& random) {
  const auto& time = std::get<TimeType>(column.spec().type);
  const CalendarSeconds step = time.format().resolution_seconds();
  const auto draw = [&] {
    const std::int64_t steps = (time.spec().max - time.spec().min) / step;
    return time.spec().min / step + RandomBetween(-1, steps + 1, random);
  };
  const auto text_of = [&](std::int64_t steps) {
    std::string text;
    time.format().Format(steps * step, text);
    return text;
  };
  if (time.spec().kind == TimeKind::kDate && random.NextBelow(2) == 0) {
    return NumberTwin<std::int32_t>(
        column, "tdD", rows, mischief, random, [&] { return static_cast<std::int32_t>(draw()); }, text_of);
  }
  const std::int64_t scale = 1'000 * step;
  return NumberTwin<std::int64_t>(
      column, "tsm:", rows, mischief, random, [&] { return draw() * scale; },
      [&](std::int64_t time_ms) { return text_of(time_ms / scale); });
}

TwinColumn MakeTwin(const Column& column, std::size_t rows, const Mischief& mischief, bool blanks,
                    RandomSource& random) {
  const ColumnType& type = column.spec().type;
  if (random.NextBelow(2) == 0) return TextTwin(column, rows, mischief, blanks, random);
  if (std::holds_alternative<IntegerType>(type)) return IntegerTwin(column, rows, mischief, random);
  if (std::holds_alternative<RealType>(type)) return RealTwin(column, rows, mischief, random);
  if (std::holds_alternative<TimeType>(type)) return TimeTwin(column, rows, mischief, random);
  return TextTwin(column, rows, mischief, blanks, random);
}

struct TwinTables {
  std::string csv;
  std::vector<std::vector<TestColumn>> batches;
};

TwinTables MakeTwinTables(const Schema& schema, const Mischief& mischief, RandomSource& random) {
  TwinTables twins;
  const auto sink = StringSink("memory", &twins.csv);
  CsvWriter writer(*sink, schema.spec().delimiter);
  for (const Column& column : schema.columns()) writer.Field(column.name());
  CHECK(writer.EndRecord().ok());
  for (std::uint64_t batch = 0; batch < 3; ++batch) {
    const std::size_t rows = random.NextBelow(30);
    std::vector<TwinColumn> columns;
    for (const Column& column : schema.columns()) {
      columns.push_back(MakeTwin(column, rows, mischief, schema.spec().trim_blanks, random));
    }
    for (std::size_t row = 0; row < rows; ++row) {
      for (const TwinColumn& column : columns) writer.Field(column.texts[row]);
      CHECK(writer.EndRecord().ok());
    }
    std::vector<TestColumn>& arrow = twins.batches.emplace_back();
    for (TwinColumn& column : columns) arrow.push_back(std::move(column.arrow));
  }
  CHECK(sink->Commit().ok());
  return twins;
}

void ExpectSameTables(const Table& a, const Table& b) {
  ASSERT_EQ(a.rows(), b.rows());
  for (AttributeIndex attribute = 0; attribute < a.domain().size(); ++attribute) {
    ASSERT_EQ(CodesOf(a, attribute), CodesOf(b, attribute)) << a.domain()[attribute].name;
  }
}

std::string ValuePart(const absl::Status& status) {
  const std::string message(status.message());
  return message.substr(std::min(message.find(": column"), message.size()));
}

// Batches of a stream have one type for each column, so each batch goes on its own.
TEST(ArrowReader, GivesWhatTheCsvFileWithTheSameValuesGives) {
  SeededRandomSource random(20240229);
  int refused = 0;
  for (int round = 0; round < 1'500; ++round) {
    const Schema schema = RandomSchema(random);
    const Mischief mischief{.one_in = random.NextBelow(2) == 0 ? 0U : 40U};
    TwinTables twins = MakeTwinTables(schema, mischief, random);
    std::vector<Table> parts;
    absl::Status status;
    for (std::vector<TestColumn>& batch : twins.batches) {
      ArrowArrayStream stream{};
      StreamOf(std::move(batch), stream);
      const auto part = ReadArrow(stream, schema);
      status.Update(part.status());
      if (!part.ok()) break;
      parts.push_back(*part);
    }
    const auto expected = ReadTable(StringSource("d.csv", twins.csv), schema);
    ASSERT_EQ(expected.ok(), status.ok()) << expected.status().message() << " / " << status.message() << twins.csv;
    if (expected.ok()) {
      ExpectSameTables(Table::Concatenate(schema.domain(), parts), *expected);
    } else {
      ++refused;
      ASSERT_EQ(ValuePart(status), ValuePart(expected.status()));
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 1'000);
}

Table RandomTable(const Schema& schema, std::size_t rows, RandomSource& random) {
  TableBuilder builder(schema.domain());
  std::vector<std::uint32_t> codes(schema.columns().size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<std::uint32_t>(random.NextBelow(schema.columns()[i].size()));
    }
    builder.AddRow(codes);
  }
  return std::move(builder).Build();
}

// Tables at a time, and rows in between.
void WriteParts(std::span<const Table> tables, RowWriter& writer) {
  for (const Table& table : tables) {
    CHECK(writer.WriteRows(table).ok());
    std::vector<std::uint32_t> codes;
    if (table.rows() == 0) continue;
    for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
      codes.push_back(table.at(0, attribute));
    }
    CHECK(writer.WriteRow(codes).ok());
  }
  CHECK(writer.Finish().ok());
}

TEST(ArrowRows, HoldTheValuesOfTheCsvFileAndReadBackAsTheCodes) {
  SeededRandomSource random(7);
  for (int round = 0; round < 500; ++round) {
    const Schema schema = RandomSchema(random);
    std::vector<Table> tables;
    for (int i = 0; i < 3; ++i) tables.push_back(RandomTable(schema, random.NextBelow(40), random));
    const std::uint64_t seed = random.NextU64();

    std::string csv;
    const auto sink = StringSink("memory", &csv);
    SeededRandomSource csv_random(seed);
    WriteParts(tables, *ValueWriter(*sink, schema, csv_random));

    SeededRandomSource arrow_random(seed);
    const auto rows = ArrowWriter(schema, arrow_random);
    WriteParts(tables, *rows);
    ASSERT_EQ(csv_random.NextU64(), arrow_random.NextU64()) << "drew more or fewer numbers";

    ArrowArrayStream stream{};
    rows->Export(stream);
    const auto from_arrow = ReadArrow(stream, schema);
    ASSERT_TRUE(from_arrow.ok()) << from_arrow.status().message();
    const auto from_csv = ReadTable(StringSource("d.csv", csv), schema);
    ASSERT_TRUE(from_csv.ok()) << from_csv.status().message();
    ExpectSameTables(*from_arrow, *from_csv);
  }
}

}  // namespace
}  // namespace flaim
