#include "app/fit.h"

#include <cmath>
#include <utility>

#include "app/ledger/data_ledger.h"
#include "app/ledger/run_binding.h"
#include "app/noise_sources.h"
#include "app/one_table_run.h"
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

PaidFit::PaidFit(const FitSettings& settings, RunOptions options, std::optional<std::uint64_t> seed, FitAccount account,
                 Ledger ledger)
    : settings_(settings),
      options_(std::move(options)),
      seed_(seed),
      account_(std::move(account)),
      ledger_(std::move(ledger)),
      was_known_(KnowsRun(ledger_, options_.run)) {}

absl::StatusOr<PaidFit> PaidFit::Open(const FitSettings& settings, const FitIdentity& identity, FitAccount account,
                                      const Clock& clock, Parallel& parallel) {
  ASSIGN_OR_RETURN(Ledger ledger, OpenDataLedger(account.ledger, account.data.name, settings.budget(),
                                                 identity.seed.has_value(), clock));
  RunOptions options = settings.plan.options;
  options.run = identity.RunName(settings);
  PaidFit fit(settings, std::move(options), identity.seed, std::move(account), std::move(ledger));
  RETURN_IF_ERROR(CheckLedgerCovers(settings.plan.spending->client_terms().allowance, fit.run(), fit.ledger_));
  RETURN_IF_ERROR(BindRun(fit.ledger_, fit.run(), *fit.account_.rows, parallel));
  if (identity.seed) return fit;
  fit.other_ledgers_ = ChargeInRegistry(fit.account_.ledger, fit.account_.data, parallel);
  if (absl::IsCancelled(fit.other_ledgers_.status())) return fit.other_ledgers_.status();
  return fit;
}

absl::StatusOr<FittedModel> PaidFit::Run(Parallel& parallel, ProgressSink& progress) {
  const RunPlan& plan = settings_.plan;
  const std::unique_ptr<NoiseSource> noise = MakeNoise(seed_);
  BudgetProgress rounds(progress);
  ASSIGN_OR_RETURN(
      FittedModel fitted,
      RunOnOneTable(plan.method, options_, *plan.spending, settings_.workload,
                    {account_.rows, settings_.memory.max_kept_cells(), ledger_, *noise, parallel}, rounds));
  StampMethod(settings_, fitted.report);
  return fitted;
}

}  // namespace flaim
