#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "rows/open/open_rows.h"

namespace flaim::runtime {

// As OpenRows; refuses more rows than can be compared with a model, here and not in the middle of a study.
absl::StatusOr<std::unique_ptr<PrivateRows>> OpenSiteRows(const RowsLocation& location, const Schema& schema,
                                                          ProgressSink& progress);

}  // namespace flaim::runtime
