#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/column.h"
#include "data/table/domain.h"

namespace flaim {

struct SchemaSpec {
  // In the order of the table's domain, which need not be that of the file.
  std::vector<ColumnSpec> columns;
  // Columns of the file that are left out.
  std::vector<std::string> drop;
  // Texts that mean "missing", for columns without a list of their own. The first is the one that is written.
  std::vector<std::string> missing = {""};
  char delimiter = ',';
  // Takes blanks and tabs off both ends of a field before it is compared with anything.
  bool trim_blanks = false;
  // True when values or bounds were taken from private rows. Such a schema is not private, and says so wherever it
  // goes.
  bool derived_from_private_rows = false;

  bool operator==(const SchemaSpec&) const = default;
};

// The text without blanks and tabs at its ends: what trim_blanks does.
std::string_view TrimBlanks(std::string_view text);

// What a file of rows looks like and how its texts become codes: the columns to keep, those to drop, and how missing
// values are written. An immutable value, and public by definition: it must not depend on private rows.
class Schema {
 public:
  static constexpr std::size_t kMaxColumns = 1 << 14;
  // Over all columns. Keeps what a hostile schema file can make a reader allocate within bounds.
  static constexpr std::int64_t kMaxTotalCodes = std::int64_t{1} << 24;

  // Refuses what Column refuses, no columns, repeated names, a column that is both kept and dropped, a delimiter that
  // means something else in a CSV file, and texts that trim_blanks would make unreachable. Messages name the column and
  // say what to do.
  static absl::StatusOr<Schema> Create(SchemaSpec spec);

  const SchemaSpec& spec() const { return spec_; }
  const std::vector<Column>& columns() const { return columns_; }
  const Domain& domain() const { return domain_; }

  bool operator==(const Schema& that) const { return spec_ == that.spec_; }

 private:
  Schema(SchemaSpec spec, std::vector<Column> columns, Domain domain)
      : spec_(std::move(spec)), columns_(std::move(columns)), domain_(std::move(domain)) {}

  SchemaSpec spec_;
  std::vector<Column> columns_;
  Domain domain_;
};

}  // namespace flaim
