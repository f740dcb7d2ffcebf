#pragma once

#include "algorithms/federated/method_changes.h"

namespace CLI {
class App;
}

namespace flaim {

// The flags that say which federated method to run.
void AddMethodFlags(CLI::App& command, MethodChanges& changes);

}  // namespace flaim
