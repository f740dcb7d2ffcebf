#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/progress.h"
#include "data/csv/csv_reader.h"
#include "data/schema/schema.h"
#include "data/schema/unfit_rule.h"
#include "data/table/table.h"
#include "io/byte_source.h"

namespace flaim {

struct TableReadOptions {
  // Skips columns of the file that the schema neither keeps nor drops. Otherwise they are an error, so that a column
  // that was added to the data is noticed.
  bool ignore_extra_columns = false;
  // Longer records are an error. What cannot be read to its end takes as much memory as this.
  std::size_t max_record_bytes = CsvOptions().max_record_bytes;
  // Told now and then how many rows were read. May be null.
  ProgressSink* progress = nullptr;
  // What becomes of rows with a value that does not fit.
  UnfitRule unfit = UnfitRule::kRefuse;
  // Set to how many such rows there were. An exact number about private rows: for their owner alone. May be null.
  std::uint64_t* unfit_rows = nullptr;
};

// Reads a CSV file into codes, in one pass and in the memory of the codes. Columns are found by their name in the
// header, so their order in the file does not matter; the table's order is the schema's. A file with a header and no
// rows is an empty table.
//
// Every problem is an error that names the file, the line, the column and the value, and says what to do: an unknown
// category, a value out of bounds, a missing value, a wrong number of fields, an empty file, a header that repeats a
// name or does not match the schema, and what CsvReader refuses. Nothing is skipped or repaired in silence.
//
// With a rule other than kRefuse the rows decide nothing any more: a value that does not fit goes where the rule says,
// and a row with a wrong number of fields is left out under both rules, because nobody can say which of its values is
// which. What is left to refuse is the file as such: its header, and text that is no CSV, where no row can be told
// from the next.
absl::StatusOr<Table> ReadTable(std::unique_ptr<ByteSource> source, const Schema& schema,
                                TableReadOptions options = {});
absl::StatusOr<Table> ReadTable(const std::string& path, const Schema& schema, TableReadOptions options = {});

// A table, and beside it a column of whole numbers that is no part of its domain, e.g. the client of each row.
struct TableWithNumbers {
  Table table;
  std::vector<std::int64_t> numbers;
};

// As ReadTable, with the column of this name read alongside. The schema may drop that column but not keep it.
absl::StatusOr<TableWithNumbers> ReadTableWithNumbers(std::unique_ptr<ByteSource> source, const Schema& schema,
                                                      const std::string& number_column, TableReadOptions options = {});
absl::StatusOr<TableWithNumbers> ReadTableWithNumbers(const std::string& path, const Schema& schema,
                                                      const std::string& number_column, TableReadOptions options = {});

}  // namespace flaim
