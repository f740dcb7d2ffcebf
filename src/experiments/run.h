#pragma once

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "experiments/prepared_rows.h"
#include "experiments/result_log.h"
#include "experiments/run_settings.h"

namespace flaim {

// Does one run and says what came out. The same settings give the same results, to the last bit, for any number of
// threads and on any machine with the same arithmetic.
absl::StatusOr<RunResult> Run(const RunSettings& settings, const PreparedRows& rows, Parallel& parallel);

// The same, with what it took. A run that cannot be done is a result too: it says why.
FinishedRun RunAndMeasure(const RunSettings& settings, Preparation& preparation, Parallel& parallel);

}  // namespace flaim
