#include "arrow/arrow_rows.h"

#include <cstring>

#include "arrow/owner.h"
#include "base/seeded_random_source.h"
#include "data/csv/csv_reader.h"
#include "data/schema/schema_file.h"
#include "gtest/gtest.h"
#include "io/byte_sink.h"
#include "io/number_text.h"

namespace flaim {
namespace {

Schema EveryType() {
  return *ParseSchema(R"(
[[column]]
name = "color"
type = "categorical"
values = ["red", "green"]
other = "else"
nullable = true
[[column]]
name = "age"
type = "integer"
min = 0
max = 1000
bins = 7
[[column]]
name = "dose"
type = "real"
min = 0
max = 1
[[column]]
name = "smoker"
type = "boolean"
[[column]]
name = "born"
type = "date"
min = 1960-01-01
max = 1999-12-31
bin = "year"
format = "%d/%m/%Y"
[[column]]
name = "seen"
type = "datetime"
min = 2024-01-01T00:00:00
max = 2024-01-02T23:59:59
bin = "hour"
)",
                      "s.toml");
}

struct Exported {
  ArrowOwner<ArrowArrayStream> stream;
  ArrowOwner<ArrowSchema> schema;
  ArrowOwner<ArrowArray> batch;
};

Exported ExportOneRow(const Schema& schema, std::span<const std::uint32_t> codes, std::uint64_t seed) {
  SeededRandomSource random(seed);
  const auto rows = ArrowWriter(schema, random);
  EXPECT_TRUE(rows->WriteRow(codes).ok() && rows->Finish().ok());
  Exported exported;
  rows->Export(exported.stream.get());
  EXPECT_EQ(exported.stream->get_schema(&exported.stream.get(), &exported.schema.get()), 0);
  EXPECT_EQ(exported.stream->get_next(&exported.stream.get(), &exported.batch.get()), 0);
  return exported;
}

std::vector<std::string> CsvRow(const Schema& schema, std::span<const std::uint32_t> codes, std::uint64_t seed) {
  SeededRandomSource random(seed);
  std::string csv;
  const auto sink = StringSink("memory", &csv);
  const auto writer = ValueWriter(*sink, schema, random);
  EXPECT_TRUE(writer->WriteRow(codes).ok() && writer->Finish().ok());
  CsvReader reader(StringSource("memory", csv), {});
  EXPECT_TRUE(*reader.Next() && *reader.Next());
  return {reader.fields().begin(), reader.fields().end()};
}

template <typename Stored>
Stored ValueAt(const ArrowArray& array) {
  Stored value;
  std::memcpy(&value, array.buffers[1], sizeof value);
  return value;
}

TEST(ArrowRows, GiveEachTypeOfColumnItsArrowType) {
  const Schema schema = EveryType();
  const std::vector<std::uint32_t> codes = {1, 3, 9, 1, 20, 30};
  const Exported exported = ExportOneRow(schema, codes, 5);
  const std::vector<std::string> formats = {"i", "l", "g", "b", "tdD", "tss:"};
  ASSERT_EQ(exported.schema->n_children, 6);
  for (std::size_t i = 0; i < formats.size(); ++i) EXPECT_EQ(exported.schema->children[i]->format, formats[i]);
  EXPECT_EQ(exported.schema->children[0]->dictionary->format, std::string("u"));
  EXPECT_EQ(exported.schema->children[0]->flags, ARROW_FLAG_NULLABLE);
  EXPECT_EQ(exported.schema->children[1]->flags, 0);
  EXPECT_EQ(exported.batch->children[0]->dictionary->length, 3);
}

TEST(ArrowRows, HoldTheNumbersAndTimesThatTheFileHolds) {
  const Schema schema = EveryType();
  const std::vector<std::uint32_t> codes = {1, 3, 9, 1, 20, 30};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Exported exported = ExportOneRow(schema, codes, seed);
    const std::vector<std::string> texts = CsvRow(schema, codes, seed);
    ASSERT_EQ(ValueAt<std::int32_t>(*exported.batch->children[0]), 1);
    ASSERT_EQ(ValueAt<std::int64_t>(*exported.batch->children[1]), ParseInteger(texts[1]));
    ASSERT_EQ(ValueAt<double>(*exported.batch->children[2]), ParseReal(texts[2]));
    ASSERT_EQ(ValueAt<std::uint8_t>(*exported.batch->children[3]) & 1U, 1U);
    const CalendarFormat born = *CalendarFormat::Create(TimeKind::kDate, "%d/%m/%Y");
    ASSERT_EQ(ValueAt<std::int32_t>(*exported.batch->children[4]) * kSecondsPerDay, born.Parse(texts[4]));
    ASSERT_EQ(ValueAt<std::int64_t>(*exported.batch->children[5]), ParseIso(texts[5]));
  }
}

TEST(ArrowRows, AMissingValueIsNull) {
  const Exported exported = ExportOneRow(EveryType(), std::vector<std::uint32_t>{3, 0, 0, 0, 0, 0}, 1);
  EXPECT_EQ(exported.batch->children[0]->null_count, 1);
  EXPECT_EQ(*static_cast<const unsigned char*>(exported.batch->children[0]->buffers[0]) & 1U, 0U);
  EXPECT_EQ(exported.batch->children[1]->buffers[0], nullptr);
}

TEST(ArrowRows, ColumnsOutliveTheBatchTheyCameIn) {
  Exported exported = ExportOneRow(EveryType(), std::vector<std::uint32_t>{2, 0, 0, 0, 0, 0}, 1);
  auto column = ArrowOwner<ArrowArray>::TakeFrom(*exported.batch.get().children[0]);
  auto dictionary = ArrowOwner<ArrowArray>::TakeFrom(*column.get().dictionary);
  { const Exported gone = std::move(exported); }
  EXPECT_EQ(ValueAt<std::int32_t>(*column), 2);
  column = ArrowOwner<ArrowArray>();
  EXPECT_EQ(std::string(static_cast<const char*>(dictionary->buffers[2]), 12), "redgreenelse");
}

}  // namespace
}  // namespace flaim
