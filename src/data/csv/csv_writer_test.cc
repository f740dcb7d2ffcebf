#include "data/csv/csv_writer.h"

#include <rapidcheck.h>

#include "data/csv/csv_format.h"
#include "data/csv/csv_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/chunked_source_testing.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

using Fields = std::vector<std::string>;

std::string Written(const std::vector<Fields>& records, char delimiter = ',') {
  std::string text;
  const auto sink = StringSink("out.csv", &text);
  CsvWriter writer(*sink, delimiter);
  for (const Fields& fields : records) {
    for (const std::string& field : fields) writer.Field(field);
    EXPECT_TRUE(writer.EndRecord().ok());
  }
  EXPECT_TRUE(sink->Commit().ok());
  return text;
}

TEST(CsvWriter, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(Written({{"plain", " spaced ", "a;b", "", "\xc3\xa4"}}), "plain, spaced ,a;b,,\xc3\xa4\n");
  EXPECT_EQ(Written({{"a,b", "c\"d", "e\nf", "g\rh", "\"", "\"\""}}),
            "\"a,b\",\"c\"\"d\",\"e\nf\",\"g\rh\",\"\"\"\",\"\"\"\"\"\"\n");
  EXPECT_EQ(Written({{"a,b", "c;d"}}, ';'), "a,b;\"c;d\"\n");
}

TEST(CsvWriter, KeepsARecordOfOneEmptyFieldFromBecomingABlankLine) {
  EXPECT_EQ(Written({{"x"}, {""}, {"", ""}}), "x\n\"\"\n,\n");
}

TEST(CsvWriter, KeepsAByteOrderMarkThatIsData) {
  EXPECT_EQ(Written({{std::string(kByteOrderMark) + "a"}}),
            "\"\xef\xbb\xbf"
            "a\"\n");
}

TEST(CsvWriter, TakesFieldsOneByOne) {
  std::string text;
  const auto sink = StringSink("out.csv", &text);
  CsvWriter writer(*sink);
  writer.Field("a");
  writer.Field("");
  ASSERT_TRUE(writer.EndRecord().ok());
  writer.Field("b");
  ASSERT_TRUE(writer.EndRecord().ok());
  ASSERT_TRUE(sink->Commit().ok());
  EXPECT_EQ(text, "a,\nb\n");
}

TEST(CsvWriter, RefusesANulByte) {
  std::string text;
  const auto sink = StringSink("out.csv", &text);
  CsvWriter writer(*sink);
  writer.Field(std::string_view("a\0b", 3));
  const absl::Status status = writer.EndRecord();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("out.csv"));
}

TEST(CsvWriter, PassesOnTheErrorOfItsSink) {
  const auto sink = CreateFile("/dev/full");
  ASSERT_TRUE(sink.ok());
  CsvWriter writer(**sink);
  absl::Status status;
  for (int i = 0; i < 3 && status.ok(); ++i) {
    writer.Field(std::string(1 << 20, 'x'));
    status = writer.EndRecord();
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

TEST(CsvWriterDeathTest, NeedsADelimiterThatIsOneAndAField) {
  std::string text;
  const auto sink = StringSink("out.csv", &text);
  EXPECT_DEATH(CsvWriter(*sink, '"'), "IsCsvDelimiter");
  EXPECT_DEATH((void)CsvWriter(*sink).EndRecord(), "needs a field");
}

rc::Gen<std::string> AnyField() {
  const auto tricky = rc::gen::elementOf(std::string("\",;\n\r\t\xef\xbb\xbf \xc3\xa4x"));
  const auto any = rc::gen::map(rc::gen::inRange(1, 256), [](int byte) { return static_cast<char>(byte); });
  return rc::gen::resize(20, rc::gen::container<std::string>(rc::gen::weightedOneOf<char>({{3, tricky}, {1, any}})));
}

TEST(CsvWriter, IsUndoneByTheReaderForAnyFieldsDelimiterAndCut) {
  EXPECT_TRUE(rc::check([] {
    const auto records =
        *rc::gen::container<std::vector<Fields>>(rc::gen::nonEmpty(rc::gen::container<Fields>(AnyField())));
    const char delimiter = *rc::gen::elementOf(std::string(",;\t| x"));
    const auto chunk = *rc::gen::inRange<std::size_t>(1, 50);
    CsvReader reader(
        std::make_unique<ChunkedSource>("t.csv", Written(records, delimiter), std::vector<std::size_t>{chunk}),
        {.delimiter = delimiter, .initial_buffer_bytes = chunk});
    for (const Fields& fields : records) {
      const absl::StatusOr<bool> more = reader.Next();
      RC_ASSERT(more.ok() && *more);
      RC_ASSERT(Fields(reader.fields().begin(), reader.fields().end()) == fields);
    }
    const absl::StatusOr<bool> more = reader.Next();
    RC_ASSERT(more.ok() && !*more);
  }));
}

}  // namespace
}  // namespace flaim
