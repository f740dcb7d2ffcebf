#pragma once

#include "experiments/report/markup.h"
#include "experiments/report/results_view.h"

namespace flaim {

// What the runs took: all together, and the median seconds of a run by method and dataset, to be unfolded. Nothing if
// no cost is known.
Markup RenderCosts(const ResultsView& view);

}  // namespace flaim
