#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "app/fit_settings.h"
#include "cli/console.h"

namespace CLI {
class App;
}

namespace flaim {

// The flags that `fit` and `plan` share.
struct FitFlags {
  std::string schema;
  FitRequest request;
};

void AddFitFlags(CLI::App& command, FitFlags& flags);
// Those of them that `simulate` and `coordinator` have too: the model and its budget, not the method and --zeros.
void AddModelFlags(CLI::App& command, FitFlags& flags);

absl::StatusOr<FitSettings> ReadFitSettings(const FitFlags& flags);
// Of AddModelFlags() alone: whoever plans the method has flags of their own for it.
absl::StatusOr<ModelSettings> ReadModelSettings(const FitFlags& flags);

// Says what a user would want to know of the settings before anything is spent.
void ExplainSettings(const FitSettings& settings, Console& console);

}  // namespace flaim
