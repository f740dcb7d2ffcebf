#include "data/row_writer.h"

#include "base/seeded_random_source.h"
#include "data/byte_source.h"
#include "data/random_schema_for_test.h"
#include "data/table_reader.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

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
  ASSERT_TRUE(writer->Finish().ok());
  EXPECT_EQ(ReadTable(StringSource("out", csv), schema)->rows(), 1U);
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
