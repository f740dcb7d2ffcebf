#include "data/table/table.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace flaim {

CodeColumn MakeCodeColumn(std::int64_t attribute_size, std::size_t rows) {
  if (attribute_size <= 1 << 8) return std::vector<std::uint8_t>(rows);
  if (attribute_size <= 1 << 16) return std::vector<std::uint16_t>(rows);
  return std::vector<std::uint32_t>(rows);
}

struct Table::Store {
  Domain domain;
  std::vector<CodeColumn> columns;
  std::size_t rows = 0;
};

Table::Table(std::shared_ptr<const Store> store, std::size_t begin, std::size_t end)
    : store_(std::move(store)), begin_(begin), end_(end) {}

Table Table::FromColumns(Domain domain, std::vector<CodeColumn> columns) {
  CHECK(std::ssize(columns) == domain.size());
  const std::size_t rows = std::visit([](const auto& codes) { return codes.size(); }, columns[0]);
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    const CodeColumn& column = columns[static_cast<std::size_t>(attribute)];
    CHECK(column.index() == MakeCodeColumn(domain[attribute].size, 0).index());
    std::visit(
        [&](const auto& codes) {
          CHECK(codes.size() == rows);
          std::uint32_t largest = 0;
          for (const std::uint32_t code : codes) largest = std::max(largest, code);
          CHECK(largest < domain[attribute].size);
        },
        column);
  }
  return Table(std::make_shared<const Store>(Store{std::move(domain), std::move(columns), rows}), 0, rows);
}

const Domain& Table::domain() const { return store_->domain; }

CodeSpan Table::column(AttributeIndex attribute) const {
  return std::visit([&](const auto& codes) { return CodeSpan(std::span(codes).subspan(begin_, rows())); },
                    store_->columns[static_cast<std::size_t>(attribute)]);
}

std::uint32_t Table::at(std::size_t row, AttributeIndex attribute) const {
  CHECK(row < rows());
  return std::visit([&](auto codes) { return static_cast<std::uint32_t>(codes[row]); }, column(attribute));
}

Table Table::Slice(std::size_t begin, std::size_t end) const {
  CHECK(begin <= end && end <= rows());
  return Table(store_, begin_ + begin, begin_ + end);
}

std::vector<Table> Table::SplitBy(std::span<const std::uint32_t> part_of_row, std::size_t parts) const {
  CHECK(part_of_row.size() == rows());
  std::vector<std::size_t> start_of_part(parts + 1, 0);
  for (const std::uint32_t part : part_of_row) {
    CHECK(part < parts);
    ++start_of_part[part + 1];
  }
  for (std::size_t part = 0; part < parts; ++part) start_of_part[part + 1] += start_of_part[part];

  auto grouped = std::make_shared<Store>(Store{store_->domain, {}, rows()});
  for (AttributeIndex attribute = 0; attribute < domain().size(); ++attribute) {
    std::visit(
        [&](auto codes) {
          std::vector<std::remove_const_t<typename decltype(codes)::element_type>> column(rows());
          std::vector<std::size_t> next = start_of_part;
          for (std::size_t row = 0; row < rows(); ++row) column[next[part_of_row[row]]++] = codes[row];
          grouped->columns.emplace_back(std::move(column));
        },
        column(attribute));
  }

  std::vector<Table> tables;
  tables.reserve(parts);
  for (std::size_t part = 0; part < parts; ++part) {
    tables.push_back(Table(grouped, start_of_part[part], start_of_part[part + 1]));
  }
  return tables;
}

Table Table::Concatenate(const Domain& domain, std::span<const Table> parts) {
  std::size_t rows = 0;
  for (const Table& part : parts) {
    CHECK(part.domain().size() == domain.size());
    rows += part.rows();
  }
  auto joined = std::make_shared<Store>(Store{domain, {}, rows});
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    CodeColumn column = MakeCodeColumn(domain[attribute].size, rows);
    std::visit(
        [&](auto& codes) {
          using Codes = std::span<const typename std::remove_reference_t<decltype(codes)>::value_type>;
          auto next = codes.begin();
          for (const Table& part : parts) next = std::ranges::copy(std::get<Codes>(part.column(attribute)), next).out;
        },
        column);
    joined->columns.push_back(std::move(column));
  }
  return Table(std::move(joined), 0, rows);
}

TableBuilder::TableBuilder(Domain domain) : store_(new Table::Store{std::move(domain), {}, 0}) {
  for (const Attribute& attribute : store_->domain.attributes()) {
    store_->columns.push_back(MakeCodeColumn(attribute.size, 0));
  }
}

TableBuilder::~TableBuilder() = default;
TableBuilder::TableBuilder(TableBuilder&&) noexcept = default;
TableBuilder& TableBuilder::operator=(TableBuilder&&) noexcept = default;

void TableBuilder::AddRow(std::span<const std::uint32_t> codes) {
  CHECK(codes.size() == store_->columns.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CHECK(codes[i] < store_->domain[static_cast<AttributeIndex>(i)].size);
    std::visit(
        [&](auto& column) {
          using Code = typename std::remove_reference_t<decltype(column)>::value_type;
          column.push_back(static_cast<Code>(codes[i]));
        },
        store_->columns[i]);
  }
  ++store_->rows;
}

Table TableBuilder::Build() && {
  const std::size_t rows = store_->rows;
  for (CodeColumn& column : store_->columns) {
    std::visit([](auto& codes) { codes.shrink_to_fit(); }, column);
  }
  return Table(std::shared_ptr<const Table::Store>(std::move(store_)), 0, rows);
}

}  // namespace flaim
