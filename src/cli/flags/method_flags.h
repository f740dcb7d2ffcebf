#pragma once

#include "algorithms/choices/method_changes.h"
#include "algorithms/plan/run_plan.h"
#include "secagg/graph/group_bounds.h"

namespace CLI {
class App;
}

namespace flaim {

// The flags that say which federated method to run: its preset, and one for each choice.
void AddMethodFlags(CLI::App& command, MethodChanges& changes);

// The same for a fit of one table: the method is AIM unless another is named.
void AddOneTableMethodFlags(CLI::App& command, MethodChanges& changes);

// Those that say who takes part when.
void AddParticipationFlags(CLI::App& command, RunRequest& request);

// What every group that makes a sum over the network must be like.
struct GroupFlags {
  int minimum_sites = 3;
  secagg::GroupBounds bounds{.dropout_share = 0.2, .colluders = 1};
};
void AddGroupFlags(CLI::App& command, GroupFlags& flags);

}  // namespace flaim
