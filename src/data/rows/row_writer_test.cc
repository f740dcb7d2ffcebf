#include "data/rows/row_writer.h"

#include <algorithm>

#include "base/seeded_random_source.h"
#include "data/rows/table_reader.h"
#include "data/schema/random_schema_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

Table RandomTable(const Domain& domain, std::size_t rows, RandomSource& random) {
  TableBuilder builder(domain);
  std::vector<std::uint32_t> codes;
  for (std::size_t row = 0; row < rows; ++row) {
    codes.clear();
    for (const Attribute& attribute : domain.attributes()) {
      codes.push_back(static_cast<std::uint32_t>(random.NextBelow(static_cast<std::uint64_t>(attribute.size))));
    }
    builder.AddRow(codes);
  }
  return std::move(builder).Build();
}

bool HasOneTextForEachCode(const Schema& schema) {
  return std::all_of(schema.columns().begin(), schema.columns().end(), [](const Column& column) {
    return std::holds_alternative<CategoricalType>(column.spec().type) ||
           std::holds_alternative<BooleanType>(column.spec().type);
  });
}

void ExpectEqual(const Table& a, const Table& b) {
  ASSERT_EQ(a.domain(), b.domain());
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t row = 0; row < a.rows(); ++row) {
    for (AttributeIndex attribute = 0; attribute < a.domain().size(); ++attribute) {
      ASSERT_EQ(a.at(row, attribute), b.at(row, attribute)) << "row " << row << " of " << a.domain()[attribute].name;
    }
  }
}

TEST(RowWriter, TablesOfRandomSchemasReadBackFromTheirValues) {
  SeededRandomSource random(3);
  for (int round = 0; round < 300; ++round) {
    const Schema schema = RandomSchema(random);
    const Table table = RandomTable(schema.domain(), random.NextBelow(40), random);
    std::string csv;
    const auto sink = StringSink("out", &csv);
    const auto writer = ValueWriter(*sink, schema, random);
    ASSERT_TRUE(WriteTable(table, *writer).ok());
    const auto read = ReadTable(StringSource("out", csv), schema);
    ASSERT_TRUE(read.ok()) << read.status().message() << "\n" << csv;
    ExpectEqual(*read, table);
  }
}

TEST(RowWriter, ATableAtOnceIsTheSameFileAsItsRowsOneByOne) {
  SeededRandomSource random(9);
  for (int round = 0; round < 300; ++round) {
    const Schema schema = RandomSchema(random);
    const Table table = RandomTable(schema.domain(), random.NextBelow(1500), random);
    std::string at_once;
    std::string one_by_one;
    SeededRandomSource values(round);
    SeededRandomSource same_values(round);
    const auto sink = StringSink("at once", &at_once);
    ASSERT_TRUE(WriteTable(table, *ValueWriter(*sink, schema, values)).ok());
    const auto other_sink = StringSink("one by one", &one_by_one);
    const auto writer = ValueWriter(*other_sink, schema, same_values);
    std::vector<std::uint32_t> codes(schema.columns().size());
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = table.at(row, static_cast<AttributeIndex>(i));
      ASSERT_TRUE(writer->WriteRow(codes).ok());
    }
    ASSERT_TRUE(writer->Finish().ok());
    if (HasOneTextForEachCode(schema)) {
      ASSERT_EQ(at_once, one_by_one);
    } else {
      // Which draws are spent on fixed texts differs; what is written does not, but for values within a bin.
      ExpectEqual(*ReadTable(StringSource("at once", at_once), schema), table);
      ExpectEqual(*ReadTable(StringSource("one by one", one_by_one), schema), table);
    }
  }
}

TEST(RowWriter, TextsOfAnyLengthPassThroughTheBuffer) {
  SchemaSpec spec;
  const std::vector<std::string> values = {
      "", "short", std::string(16, 'x'), std::string(17, 'y'), std::string(3000, 'z'), "with, comma", "with \"quote\""};
  spec.columns = {{"a", *CategoricalType::Create({values, std::nullopt}), false, false, std::vector<std::string>{}},
                  {"b", *CategoricalType::Create({values, std::nullopt}), false, false, std::vector<std::string>{}}};
  const Schema schema = *Schema::Create(spec);
  SeededRandomSource random(4);
  const Table table = RandomTable(schema.domain(), 5000, random);
  std::string csv;
  const auto sink = StringSink("out", &csv);
  ASSERT_TRUE(WriteTable(table, *ValueWriter(*sink, schema, random)).ok());
  ExpectEqual(*ReadTable(StringSource("out", csv), schema), table);
}

TEST(RowWriter, AMissingValueInAnOnlyColumnIsNotABlankLine) {
  SeededRandomSource random(1);
  SchemaSpec spec;
  spec.columns = {{"a", *BooleanType::Create({}), true, false, std::nullopt}};
  const Schema schema = *Schema::Create(spec);
  std::string csv;
  const auto sink = StringSink("out", &csv);
  const auto writer = ValueWriter(*sink, schema, random);
  const std::uint32_t missing = 2;
  ASSERT_TRUE(writer->WriteRow({&missing, 1}).ok());
  TableBuilder builder(schema.domain());
  builder.AddRow({&missing, 1});
  ASSERT_TRUE(writer->WriteRows(std::move(builder).Build()).ok());
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(ReadTable(StringSource("out", csv), schema)->rows(), 2U);
}

TEST(RowWriter, WritesCodesAsNumbers) {
  const Domain domain = *Domain::Create({{"a,b", 3}, {"c", 1000}});
  TableBuilder builder(domain);
  builder.AddRow(std::vector<std::uint32_t>{2, 999});
  builder.AddRow(std::vector<std::uint32_t>{0, 0});
  std::string csv;
  const auto sink = StringSink("out", &csv);
  const auto writer = CodeWriter(*sink, domain);
  ASSERT_TRUE(WriteTable(std::move(builder).Build(), *writer).ok());
  EXPECT_EQ(csv, "\"a,b\",c\n2,999\n0,0\n");
}

TEST(RowWriter, LeavesNothingWithoutFinish) {
  std::string csv = "untouched";
  {
    const auto sink = StringSink("out", &csv);
    const auto writer = CodeWriter(*sink, *Domain::Create({{"a", 1}}));
    const std::uint32_t code = 0;
    ASSERT_TRUE(writer->WriteRow({&code, 1}).ok());
  }
  EXPECT_EQ(csv, "untouched");
}

TEST(RowWriter, WritesAHeaderWhenThereAreNoRows) {
  std::string csv;
  const auto sink = StringSink("out", &csv);
  const auto writer = CodeWriter(*sink, *Domain::Create({{"a", 1}, {"b", 1}}));
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(csv, "a,b\n");
}

class FullDisk final : public ByteSink {
 public:
  absl::Status Write(std::string_view) override { return absl::ResourceExhaustedError("disk full"); }
  absl::Status Commit() override { return absl::OkStatus(); }
  const std::string& name() const override { return name_; }

 private:
  std::string name_ = "full";
};

TEST(RowWriter, PassesOnWhatTheSinkReports) {
  FullDisk sink;
  const auto writer = CodeWriter(sink, *Domain::Create({{"a", 1}}));
  const std::uint32_t code = 0;
  EXPECT_FALSE(writer->WriteRow({&code, 1}).ok());
}

}  // namespace
}  // namespace flaim
