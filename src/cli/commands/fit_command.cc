#include <chrono>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "app/fit.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/flags/account_flags.h"
#include "cli/flags/fit_flags.h"
#include "cli/flags/rows_flags.h"
#include "cli/interruption.h"
#include "io/byte_sink.h"
#include "model/estimation/left_out.h"
#include "model/file/model_file.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

struct FitCommandFlags {
  FitFlags fit;
  RowsFlags rows;
  AccountFlags ledger;
  std::string run;
  std::string output;
  std::optional<int> threads;
  std::optional<std::uint64_t> seed;
  bool json = false;
};

// What the promise, the payment and the model came to.
struct FitOutcome {
  const FitSettings& settings;
  const FittedModel& fitted;
  const Ledger& ledger;
  std::string ledger_path;
  std::string run;
  double seconds = 0;

  // Over the workload's own marginals, not their subsets: as a share of the records.
  std::optional<double> MeanBound() const;
};

std::optional<double> FitOutcome::MeanBound() const {
  std::map<Clique, double> bounds;
  for (const ErrorBound& bound : fitted.report.bounds) bounds[bound.clique] = bound.distance_records;
  double sum = 0;
  std::size_t count = 0;
  for (const WeightedQuery& query : settings.workload) {
    const auto bound = bounds.find(query.clique);
    if (bound == bounds.end()) continue;
    sum += bound->second / fitted.model.total();
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

nlohmann::json ToJson(const FitOutcome& outcome, const std::string& output) {
  const FitReport& report = outcome.fitted.report;
  nlohmann::json result = {{"model", output},
                           {"run", outcome.run},
                           {"epsilon", report.epsilon},
                           {"delta", report.delta},
                           {"adjacency", report.adjacency},
                           {"noise", report.noise},
                           {"schema_is_private", !report.derived_from_private_rows},
                           {"rho", report.rho},
                           {"rho_spent", report.rho_spent},
                           {"ledger",
                            {{"path", outcome.ledger_path},
                             {"rho_spent", outcome.ledger.spent().ToDouble()},
                             {"rho_total", outcome.ledger.terms().total.ToDouble()}}},
                           {"rounds", report.rounds},
                           {"workload", outcome.settings.workload_text},
                           {"workload_marginals", outcome.settings.workload.size()},
                           {"measured_marginals", report.measurements.size()},
                           {"left_out_marginals", LeftOutOf(outcome.fitted.model, report).size()},
                           {"model_cells", outcome.fitted.model.tree().cells()},
                           {"records", outcome.fitted.model.total()},
                           {"confidence", report.confidence}};
  if (const std::optional<double> bound = outcome.MeanBound()) result["mean_error_bound"] = *bound;
  return result;
}

void Explain(const FitOutcome& outcome, const std::string& output, Console& console) {
  const FitReport& report = outcome.fitted.report;
  console.Note(fmt::format(
      "fitted in {} rounds and {:.1f} s: {} marginals measured, a model of {} for about {:.0f} records", report.rounds,
      outcome.seconds, report.measurements.size(),
      BytesInShort(8.0 * static_cast<double>(outcome.fitted.model.tree().cells())), outcome.fitted.model.total()));
  if (const std::size_t left_out = LeftOutOf(outcome.fitted.model, report).size(); left_out > 0) {
    console.Warn(fmt::format(
        "WARNING: {} of these marginals are not in the model, because it would have been too large with them",
        left_out));
  }
  console.Note(fmt::format("promise of this run: epsilon {:g}, delta {:g}, for adding or removing one record",
                           report.epsilon, report.delta));
  console.Note(fmt::format("{}: spent rho {:.6f} of {:.6f}; this run is '{}'", outcome.ledger_path,
                           outcome.ledger.spent().ToDouble(), outcome.ledger.terms().total.ToDouble(), outcome.run));
  if (const std::optional<double> bound = outcome.MeanBound()) {
    console.Note(fmt::format(
        "a marginal of the workload is off by at most {:.1f}% of the records on average (each bound holds with {:g}% "
        "confidence)",
        100 * *bound, 100 * report.confidence));
  }
  console.Note(fmt::format("the model is in {0}; next: flaim show {0}, flaim sample {0} -o synthetic.csv", output));
}

void TellUnfit(std::int64_t unfit_rows, UnfitRule rule, Console& console) {
  if (rule == UnfitRule::kRefuse) return;
  console.Note(
      fmt::format("{} row(s) have a value that does not fit the schema, and {}; this number is exact, so keep "
                  "it to yourself",
                  unfit_rows, rule == UnfitRule::kDrop ? "were left out" : "count as other or missing there"));
}

// What whoever pays would want to know before it happens.
void ExplainPayment(const PaidFit& fit, const std::string& ledger_path, bool is_seeded, Console& console) {
  WarnOfOtherLedgers(fit.other_ledgers(), console);
  if (fit.was_known()) {
    console.Note(fmt::format("{} knows the run '{}': what it released comes back and is not paid again", ledger_path,
                             fit.run()));
  }
  if (is_seeded) {
    console.Warn("WARNING: --seed makes the noise repeatable: the result is NOT private and is stamped so.");
  }
}

absl::Status ExplainEnd(const absl::Status& status) {
  if (!absl::IsCancelled(status)) return status;
  return absl::CancelledError(
      "interrupted. The ledger is intact and no model was written; repeat the command to go on from here: what was "
      "paid for is not paid again");
}

absl::Status FitTable(const FitCommandFlags& flags, Console& console) {
  if (flags.json && flags.output == "-") return InvalidArgument("--json and a model on standard output do not mix");
  ASSIGN_OR_RETURN(const RowsLocation location, LocationOf(flags.rows));
  ASSIGN_OR_RETURN(const std::string ledger_path, LedgerPathOf(flags.ledger, flags.rows.csv));
  ASSIGN_OR_RETURN(const FitSettings settings, ReadFitSettings(flags.fit));
  ExplainSettings(settings, console);
  // Made before anything is paid for, so that a folder that cannot be written to costs nothing.
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> output, CreateFile(flags.output));

  const Interruption interruption;
  const SystemClock clock;
  const auto started = clock.Now();
  ProgressLine line(std::cerr, console.ShowsProgress(), clock);
  InterruptibleProgress progress(line);
  ASSIGN_OR_RETURN(OpenedRows opened, OpenRows(location, settings.schema, settings.unfit, progress));
  const std::shared_ptr<PrivateRows> rows = std::move(opened.rows);
  TellUnfit(opened.unfit_rows, settings.unfit, console);

  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()), Interruption::requested);
  absl::StatusOr<PaidFit> fit = PaidFit::Open(settings, FitIdentity{flags.run, flags.seed},
                                              {ledger_path, NameOf(location), rows}, clock, parallel);
  RETURN_IF_ERROR(ExplainEnd(fit.status()));
  ExplainPayment(*fit, ledger_path, flags.seed.has_value(), console);
  const absl::StatusOr<FittedModel> run_result = fit->Run(parallel, progress);
  RETURN_IF_ERROR(ExplainEnd(run_result.status()));
  const FittedModel& fitted = *run_result;
  if (const absl::Status written = WriteModel(settings.schema, fitted.report, fitted.model, *output); !written.ok()) {
    return absl::Status(written.code(), fmt::format("{}. The fit itself is on record: repeat the command, or name "
                                                    "another --output, and nothing is paid again",
                                                    std::string(written.message())));
  }
  line.Clear();

  const double seconds = std::chrono::duration<double>(clock.Now() - started).count();
  const FitOutcome outcome{settings, fitted, fit->ledger(), ledger_path, fit->run(), seconds};
  Explain(outcome, flags.output, console);
  if (flags.json) console.Print(ToJson(outcome, flags.output).dump(2));
  return absl::OkStatus();
}

}  // namespace

void AddFitCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<FitCommandFlags>();
  CLI::App* command = program.add_subcommand(
      "fit", "Learn a model of a private table with AIM, paid for in its ledger; the model may be published");
  command->add_option("DATA", flags->rows.csv, "CSV file, plain or compressed (.gz, .xz, .zst)");
  AddPostgresFlags(*command, flags->rows);
  flags->rows.counts_in_database = true;
  AddFitFlags(*command, flags->fit);
  command->add_option("-o,--output", flags->output, "Where to write the model")->required();
  AddAccountFlags(*command, "DATA.ledger; a database or a stream needs one", flags->ledger);
  command->add_option("--run", flags->run,
                      "Name of the run: repeating a run returns its values again and pays nothing [fit- and a hash of "
                      "schema, workload, budget, method, model size, zeros and seed]");
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  command->add_option("--seed", flags->seed, "Repeatable noise for research. NOT private; stamps the result");
  command->add_flag("--json", flags->json, "Print a summary as JSON");
  command->callback([flags, &chosen] {
    const absl::Status where = LocationOf(flags->rows).status();
    if (!where.ok()) throw CLI::ValidationError(std::string(where.message()));
    chosen = [flags](Console& console) { return FitTable(*flags, console); };
  });
}

}  // namespace flaim
