#include "runtime/programs/site_rows.h"

#include "base/status.h"

namespace flaim::runtime {

absl::StatusOr<OpenedRows> OpenSiteRows(const RowsLocation& location, const Study& study, ProgressSink& progress) {
  ASSIGN_OR_RETURN(OpenedRows opened, OpenRows(location, study.schema, study.manifest.unfit, progress));
  ASSIGN_OR_RETURN(const std::vector<std::int64_t> total, opened.rows->CountOne(Clique()));
  if (total.front() <= kMaxMeasuredRows) return opened;
  return InvalidArgument("{}: has more than {} rows; give the site a part of them", Describe(location),
                         kMaxMeasuredRows);
}

}  // namespace flaim::runtime
