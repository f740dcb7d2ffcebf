#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/loop/run.h"
#include "app/fit_settings.h"
#include "app/one_table_run.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "marginal/private_rows.h"
#include "privacy/ledger/ledger.h"

namespace flaim {

// What decides about the noise and the name of a fit, beside its settings.
struct FitIdentity {
  std::string run;                    // in the ledger; if empty, a name that follows from the settings
  std::optional<std::uint64_t> seed;  // repeatable noise, for research: NOT private, and stamps the model

  std::string RunName(const FitSettings& settings) const { return run.empty() ? RunNameOf(settings, seed) : run; }
};

// Fits a model to one private table, paid for in the ledger: what `flaim fit` and flaim.AIM do. Equal settings, counts
// and seed give equal models, whoever asks; so does a simulation of the same method. Refuses, before anything is paid,
// a budget that the ledger cannot cover, and a run that the ledger has on record for other rows.
absl::StatusOr<FittedModel> Fit(const FitSettings& settings, const FitIdentity& identity,
                                const std::shared_ptr<PrivateRows>& counts, Ledger& ledger, Parallel& parallel,
                                ProgressSink& progress);

}  // namespace flaim
