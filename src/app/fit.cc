#include "app/fit.h"

#include <cmath>
#include <utility>

#include "app/ledger/run_binding.h"
#include "app/noise_sources.h"
#include "base/status.h"

namespace flaim {
namespace {

// Tells whoever watches a fit how much of the budget each round has used.
class BudgetProgress final : public RoundSink {
 public:
  explicit BudgetProgress(ProgressSink& progress) : progress_(progress) {}

  void Report(const RoundReport& report, const Model&) override {
    if (report.round == 0) return;
    progress_.Report({"budget spent", static_cast<std::uint64_t>(std::lround(1000 * report.share_spent)), 1000,
                      fmt::format("round {}, noise {:.1f}, model {:.2f} MB", report.round, report.sigma,
                                  static_cast<double>(report.model_cells) * 8e-6)});
  }

 private:
  ProgressSink& progress_;
};

}  // namespace

absl::StatusOr<FittedModel> Fit(const FitSettings& settings, const FitIdentity& identity,
                                const std::shared_ptr<PrivateRows>& counts, Ledger& ledger, Parallel& parallel,
                                ProgressSink& progress) {
  const RunPlan& plan = settings.plan;
  RunOptions options = plan.options;
  options.run = identity.RunName(settings);
  RETURN_IF_ERROR(CheckLedgerCovers(plan.spending->client_terms().allowance, options.run, ledger));
  RETURN_IF_ERROR(BindRun(ledger, options.run, *counts, parallel));
  const std::unique_ptr<NoiseSource> noise = MakeNoise(identity.seed);
  BudgetProgress rounds(progress);
  ASSIGN_OR_RETURN(FittedModel fitted,
                   RunOnOneTable(plan.method, options, *plan.spending, settings.workload,
                                 {counts, settings.memory.max_kept_cells(), ledger, *noise, parallel}, rounds));
  StampMethod(settings, fitted.report);
  return fitted;
}

}  // namespace flaim
