#include "data/csv/csv_reader.h"

#include <rapidcheck.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/chunked_source_testing.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Fields = std::vector<std::string>;

struct Record {
  std::size_t line;
  Fields fields;
  bool operator==(const Record&) const = default;
};

struct Outcome {
  std::vector<Record> records;
  absl::Status status;
  bool operator==(const Outcome&) const = default;
};

Outcome ReadFrom(std::unique_ptr<ByteSource> source, CsvOptions options = {}) {
  CsvReader reader(std::move(source), options);
  Outcome outcome;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next();
    outcome.status = more.status();
    if (!more.ok() || !*more) return outcome;
    outcome.records.push_back({reader.line(), Fields(reader.fields().begin(), reader.fields().end())});
  }
}

Outcome Read(std::string text, CsvOptions options = {}) {
  return ReadFrom(StringSource("t.csv", std::move(text)), options);
}

std::vector<Fields> Rows(const Outcome& outcome) {
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  std::vector<Fields> rows;
  for (const Record& record : outcome.records) rows.push_back(record.fields);
  return rows;
}

std::string ErrorOf(const std::string& text, CsvOptions options = {}) {
  const absl::Status status = Read(text, options).status;
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  return std::string(status.message());
}

TEST(CsvReader, SplitsRecordsAtLineEndsOfBothKinds) {
  EXPECT_THAT(Rows(Read("a,b\n1,2\r\n3,4")), ElementsAre(Fields{"a", "b"}, Fields{"1", "2"}, Fields{"3", "4"}));
}

TEST(CsvReader, KeepsEmptyFields) {
  EXPECT_THAT(Rows(Read(",\n,,\na,\n,b")),
              ElementsAre(Fields{"", ""}, Fields{"", "", ""}, Fields{"a", ""}, Fields{"", "b"}));
  EXPECT_THAT(Rows(Read("a,")), ElementsAre(Fields{"a", ""}));
}

TEST(CsvReader, KeepsNewlinesDelimitersAndCarriageReturnsInsideQuotes) {
  EXPECT_THAT(Rows(Read("\"a\nb\",\"c,d\"\n\"e\r\nf\",\"\r\"\n")),
              ElementsAre(Fields{"a\nb", "c,d"}, Fields{"e\r\nf", "\r"}));
}

TEST(CsvReader, TurnsADoubledQuoteIntoOne) {
  EXPECT_THAT(Rows(Read("\"\"\"\",\"a\"\"b\"\"\"\"c\",\"\"\n")), ElementsAre(Fields{"\"", "a\"b\"\"c", ""}));
}

TEST(CsvReader, KeepsSpaces) { EXPECT_THAT(Rows(Read(" a , b \n")), ElementsAre(Fields{" a ", " b "})); }

TEST(CsvReader, SkipsBlankLinesButNotAnEmptyQuotedField) {
  EXPECT_THAT(Rows(Read("\n\r\na\n\n\"\"\n\r\nb\n\n")), ElementsAre(Fields{"a"}, Fields{""}, Fields{"b"}));
}

TEST(CsvReader, SkipsAByteOrderMarkOnlyAtTheFront) {
  EXPECT_THAT(Rows(Read("\xef\xbb\xbf"
                        "a,b\n\xef\xbb\xbf"
                        "c\n")),
              ElementsAre(Fields{"a", "b"}, Fields{"\xef\xbb\xbf"
                                                   "c"}));
  EXPECT_THAT(Rows(Read("\xef\xbb\xbf\"a\"\n")), ElementsAre(Fields{"a"}));
  EXPECT_THAT(Rows(Read("\xef\xbb\xbf")), IsEmpty());
  EXPECT_THAT(Rows(Read("\xef\xbb")), ElementsAre(Fields{"\xef\xbb"}));
}

TEST(CsvReader, TakesAnyAsciiDelimiter) {
  for (const char delimiter : {';', '\t', '|', ' ', 'x'}) {
    const std::string text = std::string("a,1") + delimiter + "\"b" + delimiter + "\"\n";
    EXPECT_THAT(Rows(Read(text, {.delimiter = delimiter})), ElementsAre(Fields{"a,1", std::string("b") + delimiter}));
  }
}

TEST(CsvReader, RefusesADelimiterThatMeansSomethingElse) {
  for (const char delimiter : {'"', '\n', '\r', '\0', '\xe4'}) {
    EXPECT_THAT(ErrorOf("a,b\n", {.delimiter = delimiter}), AllOf(HasSubstr("t.csv"), HasSubstr("delimiter")));
  }
}

TEST(CsvReader, HasNoRecordsInAnEmptyFile) {
  EXPECT_THAT(Rows(Read("")), IsEmpty());
  EXPECT_THAT(Rows(Read("\n\n")), IsEmpty());
}

TEST(CsvReader, CountsLinesInsideQuotesAndBlankOnes) {
  const Outcome outcome = Read("a\n\n\"b\n\n\",c\r\n\r\nd\n");
  ASSERT_EQ(outcome.records.size(), 3u);
  EXPECT_EQ(outcome.records[0].line, 1u);
  EXPECT_EQ(outcome.records[1].line, 3u);
  EXPECT_EQ(outcome.records[2].line, 7u);
}

TEST(CsvReader, NamesFileLineAndFieldOfAStrayQuote) {
  EXPECT_THAT(ErrorOf("a\n\"x\ny\",b\"c\n"),
              AllOf(StartsWith("t.csv: line 3: field 2: "), HasSubstr("a quote in the middle"), HasSubstr("double")));
  EXPECT_THAT(ErrorOf("a, \"b\"\n"), StartsWith("t.csv: line 1: field 2: a quote in the middle"));
}

TEST(CsvReader, RefusesTextAfterAClosingQuote) {
  EXPECT_THAT(ErrorOf("a\n1,\"b\"c\n"), StartsWith("t.csv: line 2: field 2: text after the closing quote"));
}

TEST(CsvReader, SaysWhereAQuoteOpenedThatIsNeverClosed) {
  EXPECT_THAT(ErrorOf("a\nb,\"c\nd\ne\n"),
              StartsWith("t.csv: line 2: field 2: the quote that opens here is never closed"));
  EXPECT_THAT(ErrorOf("\"\n\",\"x\"\"\n"), StartsWith("t.csv: line 2: field 2: the quote that opens here"));
}

TEST(CsvReader, RefusesNulBytesInAndOutOfQuotes) {
  EXPECT_THAT(ErrorOf(std::string("a\nb\0c\n", 6)),
              AllOf(StartsWith("t.csv: line 2: field 1: a NUL byte"), HasSubstr("UTF-16")));
  EXPECT_THAT(ErrorOf(std::string("\"\n\0\"\n", 5)), StartsWith("t.csv: line 2: field 1: a NUL byte"));
  EXPECT_THAT(ErrorOf(std::string("\0", 1)), StartsWith("t.csv: line 1: field 1: a NUL byte"));
  EXPECT_THAT(ErrorOf(std::string("\"a\"\0", 4)), StartsWith("t.csv: line 1: field 1: a NUL byte"));
}

TEST(CsvReader, RefusesACarriageReturnWithoutALineFeed) {
  EXPECT_THAT(ErrorOf("a,b\rc,d\r"), StartsWith("t.csv: line 1: field 2: a carriage return without a line feed"));
  EXPECT_THAT(ErrorOf("a\r"), StartsWith("t.csv: line 1: field 1: a carriage return without a line feed"));
  EXPECT_THAT(ErrorOf("\"a\"\r\rb"), StartsWith("t.csv: line 1: field 1: a carriage return"));
}

TEST(CsvReader, RefusesMoreFieldsThanAllowed) {
  EXPECT_THAT(Rows(Read("a,b,c\n", {.max_fields = 3})), ElementsAre(Fields{"a", "b", "c"}));
  EXPECT_THAT(ErrorOf("a,b\na,b,c,d\n", {.max_fields = 3}), StartsWith("t.csv: line 2: more than 3 fields"));
}

TEST(CsvReader, RefusesARecordOneByteTooLongWhateverTheBuffer) {
  for (const std::size_t buffer : {1u, 7u, 64u, 100000u}) {
    for (const std::string line_end : {"\n", "\r\n", ""}) {
      const CsvOptions options{.max_record_bytes = 50, .initial_buffer_bytes = buffer};
      const std::string before = "a,b\n\"c\nd\"\n";
      EXPECT_EQ(Rows(Read(before + std::string(50, 'x') + line_end, options)).back(), Fields{std::string(50, 'x')});
      EXPECT_THAT(ErrorOf(before + std::string(51, 'x') + line_end, options),
                  StartsWith("t.csv: line 4: a record of more than 50 bytes"));
    }
  }
}

// A line without end: what is read of it must stay within the limit.
class EndlessLine final : public ByteSource {
 public:
  explicit EndlessLine(std::string first) : first_(std::move(first)) {}
  absl::StatusOr<std::size_t> Read(std::span<char> out) override {
    std::fill(out.begin(), out.end(), 'x');
    first_.copy(out.data(), out.size());
    first_.clear();
    served_ += out.size();
    EXPECT_LE(served_, std::size_t{17} << 20);
    return out.size();
  }
  const std::string& name() const override { return name_; }

 private:
  std::string first_;
  std::string name_ = "endless.csv";
  std::size_t served_ = 0;
};

TEST(CsvReader, RefusesALineWithoutEndInConstantMemory) {
  EXPECT_THAT(std::string(ReadFrom(std::make_unique<EndlessLine>("a,b\nc,")).status.message()),
              AllOf(StartsWith("endless.csv: line 2: a record of more than 16777216 bytes"), HasSubstr("line ends?")));
  EXPECT_THAT(std::string(ReadFrom(std::make_unique<EndlessLine>("a\nb,\"\n\",\"c")).status.message()),
              HasSubstr("is the quote that opened on line 3 never closed?"));
}

TEST(CsvReader, RepeatsItsErrorAndShowsNoFieldsAfterIt) {
  CsvReader reader(StringSource("t.csv", "a\nb,c\"\nd\n"), {});
  ASSERT_TRUE(*reader.Next());
  const absl::Status error = reader.Next().status();
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(reader.Next().status(), error);
  EXPECT_THAT(reader.fields(), IsEmpty());
  EXPECT_EQ(reader.name(), "t.csv");
}

TEST(CsvReader, StaysAtTheEnd) {
  CsvReader reader(StringSource("t.csv", "a\n"), {});
  ASSERT_TRUE(*reader.Next());
  EXPECT_FALSE(*reader.Next());
  EXPECT_FALSE(*reader.Next());
  EXPECT_THAT(reader.fields(), IsEmpty());
}

TEST(CsvReader, PassesOnTheErrorOfItsSource) {
  auto source = DecompressIfNeeded(StringSource("cut.csv.gz", "\x1f\x8b\x08"));
  ASSERT_TRUE(source.ok());
  const absl::Status status = ReadFrom(*std::move(source)).status;
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()), HasSubstr("cut.csv.gz"));
}

// The grammar again, byte by byte and without a thought for speed. No value for a text that must be refused.
std::optional<std::vector<Record>> SlowRead(const std::string& text) {
  enum class State { kFieldStart, kPlain, kQuoted, kQuoteInQuoted };
  std::vector<Record> records;
  State state = State::kFieldStart;
  Record record{1, {""}};
  std::size_t line = 1;
  bool blank = true;
  const auto end_record = [&] {
    if (!blank) records.push_back(record);
    record = {line, {""}};
    state = State::kFieldStart;
    blank = true;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '\0') return std::nullopt;
    if (byte == '\n') ++line;
    if (state == State::kQuoted) {
      if (byte == '"') {
        state = State::kQuoteInQuoted;
      } else {
        record.fields.back() += byte;
      }
    } else if (byte == '"' && state == State::kQuoteInQuoted) {
      record.fields.back() += byte;
      state = State::kQuoted;
    } else if (byte == '"' && state == State::kFieldStart) {
      state = State::kQuoted;
      blank = false;
    } else if (byte == '\n') {
      end_record();
    } else if (byte == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') return std::nullopt;
    } else if (byte == ',') {
      record.fields.emplace_back();
      state = State::kFieldStart;
      blank = false;
    } else if (byte == '"' || state == State::kQuoteInQuoted) {
      return std::nullopt;
    } else {
      record.fields.back() += byte;
      state = State::kPlain;
      blank = false;
    }
  }
  if (state == State::kQuoted) return std::nullopt;
  end_record();
  return records;
}

void ExpectSameAsSlowRead(const std::string& text, std::size_t buffer_bytes) {
  const Outcome outcome = Read(text, {.initial_buffer_bytes = buffer_bytes});
  const std::optional<std::vector<Record>> expected = SlowRead(text);
  ASSERT_EQ(outcome.status.ok(), expected.has_value()) << testing::PrintToString(text) << " " << outcome.status;
  if (expected.has_value()) {
    ASSERT_TRUE(outcome.records == *expected) << testing::PrintToString(text) << " buffer " << buffer_bytes;
  }
}

TEST(CsvReader, AgreesWithASlowReaderOnAllShortTexts) {
  constexpr std::string_view kAlphabet = "a,\"\n\r";
  for (std::size_t length = 0; length <= 7; ++length) {
    std::size_t texts = 1;
    for (std::size_t i = 0; i < length; ++i) texts *= kAlphabet.size();
    for (std::size_t number = 0; number < texts; ++number) {
      std::string text;
      for (std::size_t rest = number; text.size() < length; rest /= kAlphabet.size()) {
        text += kAlphabet[rest % kAlphabet.size()];
      }
      ASSERT_NO_FATAL_FAILURE(ExpectSameAsSlowRead(text, 3));
    }
  }
}

rc::Gen<std::string> TextLikeCsv() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
                          std::vector<std::string>{"a", "bcd", ",", ",", "\n", "\r\n", "\"\"", "\"x\"", "\"p,\nq\"",
                                                   "\"y\"\"z\"", "\"", "\r", std::string("\0", 1), "\xc3\xa4", " "})),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& piece : pieces) text += piece;
                        return text;
                      });
}

TEST(CsvReader, AgreesWithASlowReaderOnRandomTexts) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *TextLikeCsv();
    const auto buffer_bytes = *rc::gen::inRange<std::size_t>(1, 40);
    ExpectSameAsSlowRead(text, buffer_bytes);
    RC_ASSERT(!testing::Test::HasFatalFailure());
  }));
}

TEST(CsvReader, GivesTheSameHoweverTheSourceCutsItsBytes) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *TextLikeCsv();
    const auto chunks =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9)));
    const auto buffer_bytes = *rc::gen::inRange<std::size_t>(1, 40);
    const Outcome cut =
        ReadFrom(std::make_unique<ChunkedSource>("t.csv", text, chunks), {.initial_buffer_bytes = buffer_bytes});
    RC_ASSERT(cut == Read(text));
  }));
}

TEST(CsvReader, ReadsARealTableThatIsCompressed) {
  const std::string path = std::string(FLAIM_DATA_DIR) + "/adult.csv.xz";
  auto source = OpenByteSource(path);
  if (absl::IsNotFound(source.status())) GTEST_SKIP() << path << " is not there";
  ASSERT_TRUE(source.ok()) << source.status();
  CsvReader reader(*std::move(source), {});
  ASSERT_TRUE(*reader.Next());
  const std::size_t columns = reader.fields().size();
  std::size_t rows = 0;
  while (*reader.Next()) {
    ++rows;
    ASSERT_EQ(reader.fields().size(), columns) << reader.line();
  }
  EXPECT_EQ(rows, 48842u);
}

}  // namespace
}  // namespace flaim
