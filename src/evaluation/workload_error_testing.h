#pragma once

#include "base/status.h"
#include "evaluation/workload_error.h"

// For tests only: one comparison, of rows or of a model.
namespace flaim {

template <typename Synthetic>
absl::StatusOr<WorkloadError> ErrorAgainst(const Table& truth, const Synthetic& synthetic, const Workload& workload,
                                           Parallel& parallel) {
  ASSIGN_OR_RETURN(const WorkloadTruth counted, WorkloadTruth::Create(truth, workload, parallel));
  return counted.ErrorOf(synthetic, parallel);
}

}  // namespace flaim
