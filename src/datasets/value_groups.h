#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"
#include "data/table/table.h"
#include "datasets/catalogue.h"

namespace flaim {

// A table and what its codes mean.
struct SchemaAndTable {
  Schema schema;
  Table table;
};

// The codes of a column, to make another table of.
CodeColumn CopyOf(const CodeSpan& codes);

// Merges the values of a categorical column: its codes become the numbers of their groups, in the order given. Refuses
// a column that is not there or not categorical, a value in no group or in two, and groups with unknown values.
absl::StatusOr<SchemaAndTable> MergeValues(const SchemaAndTable& original, const std::string& column,
                                           const std::vector<ValueGroup>& groups);

}  // namespace flaim
