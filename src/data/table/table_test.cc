#include "data/table/table.h"

#include <algorithm>

#include "base/seeded_random_source.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using Row = std::vector<std::uint32_t>;
using Rows = std::vector<Row>;

struct Example {
  Table table;
  Rows rows;
};

Table Build(const Domain& domain, const Rows& rows) {
  TableBuilder builder(domain);
  for (const Row& row : rows) builder.AddRow(row);
  return std::move(builder).Build();
}

// Columns of all three widths, and codes that often sit at the ends of their range.
Example RandomExample(RandomSource& random) {
  constexpr std::int64_t kSizes[] = {1, 2, 255, 256, 257, 65535, 65536, 65537, std::int64_t{1} << 31};
  std::vector<Attribute> attributes;
  const std::uint64_t columns = 1 + random.NextBelow(6);
  for (std::uint64_t column = 0; column < columns; ++column) {
    attributes.push_back({fmt::format("column {}", column), kSizes[random.NextBelow(std::size(kSizes))]});
  }
  Rows rows(random.NextBelow(60));
  for (Row& row : rows) {
    for (const Attribute& attribute : attributes) {
      const auto size = static_cast<std::uint64_t>(attribute.size);
      row.push_back(static_cast<std::uint32_t>(random.NextBelow(3) == 0 ? size - 1 : random.NextBelow(size)));
    }
  }
  return {Build(*Domain::Create(attributes), rows), rows};
}

Rows RowsOf(const Table& table) {
  Rows rows(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
      rows[row].push_back(table.at(row, attribute));
    }
  }
  return rows;
}

// Bytes per code.
std::size_t WidthFor(std::int64_t size) {
  const Table table = Build(*Domain::Create({{"a", size}}), {{static_cast<std::uint32_t>(size - 1)}});
  EXPECT_EQ(table.at(0, 0), size - 1);
  return std::visit([](auto codes) { return sizeof(codes[0]); }, table.column(0));
}

TEST(Table, StoresAColumnInTheNarrowestType) {
  EXPECT_EQ(WidthFor(1), 1u);
  EXPECT_EQ(WidthFor(256), 1u);
  EXPECT_EQ(WidthFor(257), 2u);
  EXPECT_EQ(WidthFor(65536), 2u);
  EXPECT_EQ(WidthFor(65537), 4u);
  EXPECT_EQ(WidthFor(Domain::kMaxAttributeSize), 4u);
}

TEST(Table, HoldsTheRowsThatWereAdded) {
  SeededRandomSource random(1, "table rows");
  for (int round = 0; round < 300; ++round) {
    const auto [table, rows] = RandomExample(random);
    ASSERT_EQ(table.rows(), rows.size());
    ASSERT_EQ(RowsOf(table), rows);
  }
}

TEST(Table, ShowsByColumnWhatItShowsByRow) {
  SeededRandomSource random(2, "table columns");
  for (int round = 0; round < 100; ++round) {
    const auto [table, rows] = RandomExample(random);
    for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
      std::visit(
          [&](auto codes) {
            ASSERT_EQ(codes.size(), rows.size());
            for (std::size_t row = 0; row < rows.size(); ++row) {
              ASSERT_EQ(codes[row], rows[row][static_cast<std::size_t>(attribute)]);
            }
          },
          table.column(attribute));
    }
  }
}

TEST(Table, FromColumnsHoldsTheRowsThatTheColumnsSpell) {
  SeededRandomSource random(5, "table from columns");
  for (int round = 0; round < 300; ++round) {
    const auto [table, rows] = RandomExample(random);
    std::vector<CodeColumn> columns;
    for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
      columns.push_back(MakeCodeColumn(table.domain()[attribute].size, rows.size()));
      std::visit(
          [&](auto& codes) {
            using Code = typename std::remove_reference_t<decltype(codes)>::value_type;
            for (std::size_t row = 0; row < rows.size(); ++row) {
              codes[row] = static_cast<Code>(rows[row][static_cast<std::size_t>(attribute)]);
            }
          },
          columns.back());
    }
    const Table copy = Table::FromColumns(table.domain(), std::move(columns));
    ASSERT_EQ(copy.domain(), table.domain());
    ASSERT_EQ(RowsOf(copy), rows);
  }
}

TEST(Table, SlicesOfSlicesAreRangesOfRows) {
  SeededRandomSource random(3, "table slices");
  for (int round = 0; round < 300; ++round) {
    auto [table, rows] = RandomExample(random);
    for (int depth = 0; depth < 3; ++depth) {
      const std::size_t end = random.NextBelow(rows.size() + 1);
      const std::size_t begin = random.NextBelow(end + 1);
      table = table.Slice(begin, end);
      rows = Rows(rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.begin() + static_cast<std::ptrdiff_t>(end));
      ASSERT_EQ(RowsOf(table), rows);
    }
  }
}

TEST(Table, SharesItsColumnsWithItsSlicesAndOutlivesTheFirstOwner) {
  std::optional<Table> table = Build(*Domain::Create({{"a", 9}}), {{1}, {2}, {3}});
  const std::uint8_t* const codes = std::get<0>(table->column(0)).data();
  const Table slice = table->Slice(1, 3);
  table.reset();
  EXPECT_EQ(std::get<0>(slice.column(0)).data(), codes + 1);
  EXPECT_EQ(RowsOf(slice), (Rows{{2}, {3}}));
}

TEST(Table, SplitByGivesEachPartItsRowsInOrder) {
  SeededRandomSource random(4, "table split");
  for (int round = 0; round < 300; ++round) {
    const auto [whole, all_rows] = RandomExample(random);
    const std::size_t begin = random.NextBelow(all_rows.size() + 1);
    const Table table = whole.Slice(begin, all_rows.size());
    const std::size_t parts = 1 + random.NextBelow(7);
    std::vector<std::uint32_t> part_of_row(table.rows());
    std::vector<Rows> expected(parts);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      part_of_row[row] = static_cast<std::uint32_t>(random.NextBelow(parts));
      expected[part_of_row[row]].push_back(all_rows[begin + row]);
    }
    const std::vector<Table> split = table.SplitBy(part_of_row, parts);
    ASSERT_EQ(split.size(), parts);
    for (std::size_t part = 0; part < parts; ++part) {
      ASSERT_EQ(split[part].domain(), table.domain());
      ASSERT_EQ(RowsOf(split[part]), expected[part]);
    }
  }
}

TEST(Table, SplitByKeepsTheTypeOfAColumn) {
  const Table table = Build(*Domain::Create({{"a", 256}, {"b", 257}, {"c", 65537}}), {{1, 2, 3}, {4, 5, 6}});
  const std::uint32_t part_of_row[] = {1, 0};
  for (const Table& part : table.SplitBy(part_of_row, 2)) {
    EXPECT_EQ(part.column(0).index(), 0u);
    EXPECT_EQ(part.column(1).index(), 1u);
    EXPECT_EQ(part.column(2).index(), 2u);
  }
}

TEST(Table, MayHaveNoRows) {
  const Table table = Build(*Domain::Create({{"a", 2}}), {});
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_EQ(table.Slice(0, 0).rows(), 0u);
  EXPECT_EQ(table.SplitBy({}, 3).size(), 3u);
}

TEST(TableDeathTest, RefusesWhatIsNotThere) {
  const Domain domain = *Domain::Create({{"a", 3}, {"b", 2}});
  const Table table = Build(domain, {{2, 1}, {0, 0}});
  EXPECT_DEATH(table.at(2, 0), "row < rows");
  EXPECT_DEATH(table.Slice(1, 3), "end <= rows");
  EXPECT_DEATH(table.Slice(2, 1), "begin <= end");
  const std::uint32_t part_of_row[] = {0, 2};
  EXPECT_DEATH(table.SplitBy(part_of_row, 2), "part < parts");
  EXPECT_DEATH(table.SplitBy(std::span(part_of_row).first(1), 3), "part_of_row.size");
}

TEST(TableDeathTest, RefusesColumnsThatDoNotFitTheDomain) {
  const Domain domain = *Domain::Create({{"a", 3}, {"b", 257}});
  using Bytes = std::vector<std::uint8_t>;
  using Words = std::vector<std::uint16_t>;
  EXPECT_EQ(Table::FromColumns(domain, {Bytes{0, 2}, Words{256, 1}}).rows(), 2u);
  EXPECT_DEATH(Table::FromColumns(domain, {Bytes{0, 3}, Words{256, 1}}), "largest <");
  EXPECT_DEATH(Table::FromColumns(domain, {Bytes{0, 2}, Words{257, 1}}), "largest <");
  EXPECT_DEATH(Table::FromColumns(domain, {Bytes{0, 2}, Words{256}}), "codes.size");
  EXPECT_DEATH(Table::FromColumns(domain, {Bytes{0, 2}, Bytes{1, 1}}), "column.index");
  EXPECT_DEATH(Table::FromColumns(domain, {Bytes{0, 2}}), "domain.size");
}

TEST(TableBuilderDeathTest, RefusesACodeOutsideTheDomainAndARowOfTheWrongLength) {
  TableBuilder builder(*Domain::Create({{"a", 3}, {"b", 256}}));
  EXPECT_DEATH(builder.AddRow(Row{3, 0}), "codes\\[i\\] <");
  EXPECT_DEATH(builder.AddRow(Row{0, 256}), "codes\\[i\\] <");
  EXPECT_DEATH(builder.AddRow(Row{0}), "codes.size");
}

}  // namespace
}  // namespace flaim
