#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "experiments/crew.h"
#include "experiments/experiment.h"
#include "experiments/prepared_rows.h"
#include "experiments/result_log.h"

namespace flaim {

// How far a grid is.
struct GridProgress {
  std::size_t runs = 0;    // of the experiment, each kind once
  std::size_t had = 0;     // done before, here or by another experiment
  std::size_t done = 0;    // of the rest
  std::size_t failed = 0;  // among these
  std::string last;        // what was done last, in a few words
};
using GridObserver = std::function<absl::Status(const GridProgress&)>;

// Does what is still to do of an experiment and keeps the results in `folder` as they come. An interrupted or killed
// run is resumed by running it again, and its results are the same, byte for byte, as if it had never been
// interrupted. `observer` is told of each run on the leader and can stop the work.
//
// On processes that are not the leader it takes part in the work, and what it returns says nothing.
absl::StatusOr<GridProgress> RunGrid(const Experiment& experiment, const std::string& experiment_toml,
                                     const std::string& folder, Preparation& preparation, Crew& crew,
                                     const GridObserver& observer);

}  // namespace flaim
