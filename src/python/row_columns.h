#pragma once

#include <nanobind/nanobind.h>

#include "arrow/arrow_rows.h"

namespace flaim::python {

// The columns of rows as numpy arrays: a list of (name, values, missing or None). Categories are their codes, truth
// values bytes, dates days and times seconds since 1970.
nanobind::list NumpyColumns(const ArrowRows& rows);

}  // namespace flaim::python
