#pragma once

#include <vector>

#include "model/estimation/fit_report.h"
#include "model/inference/model.h"

namespace flaim {

// What was measured and is not in the model, because a tree within the limit did not hold it together with the rest
// (EstimateFromWhatFits). More memory lets a repeated run take it in, at no cost.
std::vector<Clique> LeftOutOf(const Model& model, const FitReport& report);

}  // namespace flaim
