#pragma once

#include <memory>
#include <string>

#include "arrow/c_data.h"
#include "base/random_source.h"
#include "data/rows/row_writer.h"
#include "data/schema/schema.h"

namespace flaim {

// Collects rows as typed columns of an Arrow table. The values, and what is drawn from the random source for them, are
// those that ValueWriter() writes into a CSV file for the same tables and the same source.
//
// Types: integer int64, real float64, boolean bool, date date32, datetime timestamp in seconds, categorical a
// dictionary of the schema's values; the missing value is null.
class ArrowRows : public RowWriter {
 public:
  // One record batch for each table with rows that was written. To be called after Finish(), as often as wanted: the
  // streams share their columns, and keep them.
  virtual void Export(ArrowArrayStream& out) const = 0;
};

// The schema and the random source must outlive it.
std::unique_ptr<ArrowRows> ArrowWriter(const Schema& schema, RandomSource& random);

}  // namespace flaim
