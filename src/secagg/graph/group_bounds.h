#pragma once

#include "secagg/graph/graph_parameters.h"

namespace flaim::secagg {

// What a study promises about any group of its participants that makes a sum.
struct GroupBounds {
  double dropout_share = 0;  // of a group, rounded down
  int colluders = 0;         // in the whole study: all of them may be in one group

  ParticipantBounds Of(int invited) const {
    return {.invited = invited, .dropouts = static_cast<int>(dropout_share * invited + 1e-9), .colluders = colluders};
  }
  bool operator==(const GroupBounds&) const = default;
};

}  // namespace flaim::secagg
