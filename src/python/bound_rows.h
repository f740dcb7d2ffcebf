#pragma once

#include <memory>

#include "arrow/arrow_rows.h"
#include "base/random_source.h"

namespace flaim::python {

// Synthetic rows, drawn and finished, on their way to Python. flaim._flaim.Rows (bind_tables.cc) hands them out as
// Arrow columns through __arrow_c_stream__, or as numpy columns. `values` is what the rows still refer to.
struct BoundRows {
  std::shared_ptr<const Schema> schema;
  std::shared_ptr<RandomSource> values;
  std::shared_ptr<ArrowRows> rows;
};

}  // namespace flaim::python
