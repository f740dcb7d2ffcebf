#include "jobs/fit.h"

#include <utility>

#include "base/secure_random_source.h"
#include "base/status.h"
#include "jobs/seeded_rounds.h"
#include "privacy/zcdp_accountant.h"

namespace flaim {
namespace {

// Passes on what is reported, and starts a new stream of seeded noise with each round.
class RoundByRound final : public ProgressSink {
 public:
  RoundByRound(ProgressSink& observer, SeededRounds& seeded) : observer_(observer), seeded_(seeded) {}

  void Report(const Progress& progress) override {
    observer_.Report(progress);
    seeded_.StartNextRound();
  }
  bool ShouldStop() override { return observer_.ShouldStop(); }

 private:
  ProgressSink& observer_;
  SeededRounds& seeded_;
};

AimOptions OptionsOf(const FitSettings& settings, const std::string& run) {
  AimOptions options{.budget = settings.budget, .rounds = settings.rounds, .zeros = settings.zeros, .run = run};
  options.max_model_cells = settings.max_model_cells;
  options.max_kept_cells = settings.memory.max_kept_cells();
  return options;
}

}  // namespace

absl::Status CheckBudget(const FitSettings& settings) {
  return BudgetSchedule::Create(RhoFor(settings.budget), settings.schema.domain().size(), settings.rounds).status();
}

absl::StatusOr<FittedModel> Fit(const FitSettings& settings, const FitIdentity& identity,
                                const std::shared_ptr<PrivateRows>& counts, Ledger& ledger, Parallel& parallel,
                                ProgressSink& progress) {
  const AimOptions options = OptionsOf(settings, identity.RunName(settings));
  const auto run = [&](RandomSource& noise, ProgressSink& observer) {
    return RunAim(options, counts, settings.workload, {ledger, noise, parallel, observer});
  };
  absl::StatusOr<FittedModel> fitted = absl::UnknownError("not run");
  if (identity.seed) {
    SeededRounds seeded(*identity.seed);
    RoundByRound observer(progress, seeded);
    fitted = run(seeded, observer);
  } else {
    SecureRandomSource secure;
    fitted = run(secure, progress);
  }
  RETURN_IF_ERROR(fitted.status());
  fitted->report.derived_from_private_rows = settings.schema.spec().derived_from_private_rows;
  return fitted;
}

}  // namespace flaim
