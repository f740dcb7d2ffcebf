#pragma once

#include "absl/status/statusor.h"
#include "rows/open/open_rows.h"
#include "runtime/study/study.h"

namespace flaim::runtime {

// As OpenRows, by the study's rule for values that do not fit: what the values are decides nothing. Refuses more rows
// than can be compared with a model, here and not in the middle of a study.
absl::StatusOr<OpenedRows> OpenSiteRows(const RowsLocation& location, const Study& study, ProgressSink& progress);

}  // namespace flaim::runtime
