#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "arrow/c_data.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema.h"
#include "data/table/table.h"

namespace flaim {

// Reads the record batches of a stream into codes, in one pass over Arrow's own buffers: nothing but the codes is
// allocated, whatever the number of rows. Consumes the stream.
//
// A value means what its text would mean in a CSV file: whatever ReadTable() of that file gives, this gives, for every
// type of column, for null (a missing value; so is NaN), for values that are not listed and for values out of bounds.
// Errors are those of ReadTable(), with the row, counted from 1, in place of file and line; so is the rule for values
// that do not fit. Arrow types without an
// obvious text (lists, structs, binary) are refused with what to do.
absl::StatusOr<Table> ReadArrow(ArrowArrayStream& stream, const Schema& schema, const TableReadOptions& options = {});

// With a column of whole numbers read alongside, as ReadTableWithNumbers() does.
absl::StatusOr<TableWithNumbers> ReadArrowWithNumbers(ArrowArrayStream& stream, const Schema& schema,
                                                      const std::string& number_column,
                                                      const TableReadOptions& options = {});

}  // namespace flaim
