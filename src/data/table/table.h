#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "data/table/domain.h"

namespace flaim {

// The codes of one column, in the narrowest unsigned type that holds the attribute's size.
using CodeSpan =
    std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>, std::span<const std::uint32_t>>;

// The same, owned: what a table is made of.
using CodeColumn = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

// A column of zeros for an attribute of this size.
CodeColumn MakeCodeColumn(std::int64_t attribute_size, std::size_t rows);

// Rows of codes over a Domain, stored by column. Immutable; copies and slices share the columns, so handing a client
// its rows costs nothing. Safe to read from many threads.
class Table {
 public:
  // REQUIRES: one column for each attribute, of the type that MakeCodeColumn() gives it, all of the same length, each
  // code below the attribute's size.
  static Table FromColumns(Domain domain, std::vector<CodeColumn> columns);

  Table(const Table&) = default;
  Table& operator=(const Table&) = default;

  const Domain& domain() const;
  std::size_t rows() const { return end_ - begin_; }
  CodeSpan column(AttributeIndex attribute) const;

  // Slow access to one code, for tests and small jobs.
  std::uint32_t at(std::size_t row, AttributeIndex attribute) const;

  // Rows [begin, end) of this table. REQUIRES: begin <= end <= rows().
  Table Slice(std::size_t begin, std::size_t end) const;

  // One table for each part 0, ..., parts - 1, holding the rows with part_of_row[row] == part in their order. Rows are
  // regrouped once; the parts are then slices of one store. REQUIRES: one entry for each row, each below `parts`.
  std::vector<Table> SplitBy(std::span<const std::uint32_t> part_of_row, std::size_t parts) const;

  // The rows of several tables over one domain, one after the other. REQUIRES: `domain` is theirs.
  static Table Concatenate(const Domain& domain, std::span<const Table> parts);

 private:
  friend class TableBuilder;
  struct Store;
  Table(std::shared_ptr<const Store> store, std::size_t begin, std::size_t end);

  std::shared_ptr<const Store> store_;
  std::size_t begin_;
  std::size_t end_;
};

// Collects rows into a Table.
class TableBuilder {
 public:
  explicit TableBuilder(Domain domain);
  ~TableBuilder();
  TableBuilder(TableBuilder&&) noexcept;
  TableBuilder& operator=(TableBuilder&&) noexcept;

  // REQUIRES: one code for each attribute, each below the attribute's size.
  void AddRow(std::span<const std::uint32_t> codes);

  Table Build() &&;

 private:
  std::unique_ptr<Table::Store> store_;
};

}  // namespace flaim
