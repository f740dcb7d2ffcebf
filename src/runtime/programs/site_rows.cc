#include "runtime/programs/site_rows.h"

#include "base/status.h"

namespace flaim::runtime {

absl::StatusOr<std::unique_ptr<PrivateRows>> OpenSiteRows(const RowsLocation& location, const Schema& schema,
                                                          ProgressSink& progress) {
  ASSIGN_OR_RETURN(std::unique_ptr<PrivateRows> rows, OpenRows(location, schema, progress));
  ASSIGN_OR_RETURN(const std::vector<std::int64_t> total, rows->CountOne(Clique()));
  if (total.front() <= kMaxMeasuredRows) return rows;
  return InvalidArgument("{}: has more than {} rows; give the site a part of them", Describe(location),
                         kMaxMeasuredRows);
}

}  // namespace flaim::runtime
