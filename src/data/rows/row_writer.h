#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/random_source.h"
#include "data/schema/schema.h"
#include "data/table/domain.h"
#include "data/table/table.h"
#include "io/byte_sink.h"

namespace flaim {

// Writes rows of codes as a CSV file, one by one or a table at a time, so that a generator of millions of rows needs no
// table of them all. Nothing is visible under the sink's name before Finish().
class RowWriter {
 public:
  virtual ~RowWriter() = default;

  // REQUIRES: one code for each attribute, each below the attribute's size.
  virtual absl::Status WriteRow(std::span<const std::uint32_t> codes) = 0;
  // All rows of a table, many times faster than one by one. REQUIRES: the table is of the writer's domain.
  virtual absl::Status WriteRows(const Table& table) = 0;
  // Commits the sink. Without it nothing is left behind. A file without rows has its header.
  virtual absl::Status Finish() = 0;
};

// Values: a text of the bin that each code stands for, with the schema's delimiter. The schema's TableReader gives the
// codes back. The sink, the schema and the random source must outlive the writer.
std::unique_ptr<RowWriter> ValueWriter(ByteSink& sink, const Schema& schema, RandomSource& random);

// The codes themselves as numbers, with commas. The sink must outlive the writer.
std::unique_ptr<RowWriter> CodeWriter(ByteSink& sink, const Domain& domain);

// All rows of a table, and Finish(). REQUIRES: the writer is for the table's domain.
absl::Status WriteTable(const Table& table, RowWriter& writer);

}  // namespace flaim
