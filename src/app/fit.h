#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "algorithms/loop/run.h"
#include "app/fit_settings.h"
#include "app/ledger/ledger_registry.h"
#include "base/clock.h"
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

// Whose rows a fit is of, and who pays for it.
struct FitAccount {
  std::string ledger;  // its path, as LedgerPathFor() has it
  NamedRows data;
  std::shared_ptr<PrivateRows> rows;
};

// A fit of one private table that is paid for in the ledger: what `flaim fit`, flaim.AIM and the C++ library do. Equal
// settings, counts and seed give equal models, whoever asks; so does a simulation of the same method.
//
// It has two steps, so that whoever pays can be told first. Settings and clock outlive it.
class PaidFit {
 public:
  // Pays nothing. Opens the ledger, made with the budget of the settings if there is none; refuses a budget that it
  // cannot cover, noise of another kind than it has, and a run that it has on record for other rows; and puts into the
  // user's registry that the rows are charged to it, unless the noise is seeded and so promises nothing.
  static absl::StatusOr<PaidFit> Open(const FitSettings& settings, const FitIdentity& identity, FitAccount account,
                                      const Clock& clock, Parallel& parallel);

  // Pays, and fits the model. One that was interrupted is finished by opening and running it again.
  absl::StatusOr<FittedModel> Run(Parallel& parallel, ProgressSink& progress);

  const Ledger& ledger() const { return ledger_; }
  const std::string& run() const { return options_.run; }
  // Whether the ledger has the values of this run: they come back and are not paid again.
  bool was_known() const { return was_known_; }
  // Other ledgers that many of the rows were charged to before, as this machine knows; an error if it keeps no record,
  // on which a fit does not depend.
  const absl::StatusOr<std::vector<std::string>>& other_ledgers() const { return other_ledgers_; }

 private:
  PaidFit(const FitSettings& settings, RunOptions options, std::optional<std::uint64_t> seed, FitAccount account,
          Ledger ledger);

  const FitSettings& settings_;
  RunOptions options_;
  std::optional<std::uint64_t> seed_;
  FitAccount account_;
  Ledger ledger_;
  bool was_known_;
  absl::StatusOr<std::vector<std::string>> other_ledgers_ = std::vector<std::string>();
};

}  // namespace flaim
