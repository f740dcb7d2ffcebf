#pragma once

#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/methods/method.h"

namespace flaim {

// All presets, the paper's first.
const std::vector<Method>& AllMethods();
// NotFound, with the names that there are.
absl::StatusOr<Method> FindMethod(std::string_view name);

// One file for each algorithm, with its steps.
Method Aim();  // aim.cc
Method AimOfPaper();
Method NaiveFlaim();  // flaim.cc
Method AugFlaimOracle();
Method AugFlaimPrivate();
Method DistAim();    // dist_aim.cc
Method FlaimOnce();  // flaim_once.cc
Method FlaimOnceJoint();
Method DistAimOnce();
Method FlaimRandom();  // baselines.cc
Method FedNaiveBayes();

}  // namespace flaim
