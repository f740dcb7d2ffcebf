#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "CLI/CLI.hpp"
#include "app/simulation.h"
#include "base/status.h"
#include "classifier/classifier_auc.h"
#include "cli/command_line.h"
#include "cli/interruption.h"
#include "cli/reports/simulation_report.h"
#include "io/byte_sink.h"
#include "io/message_text.h"
#include "model/file/model_file.h"

namespace flaim {
namespace {

struct SimulateFlags {
  SimulationFlags simulation;
  std::string data;
  std::string test;
  std::string label;
  std::string output;
  std::optional<int> threads;
  bool evaluate = false;
  bool swap_rows = false;
  bool json = false;
};

// Everything that is read before the first round, so that a mistake is noticed at once.
struct SimulationInput {
  DealtTable rows;
  std::optional<Table> held_out;
  std::optional<AttributeIndex> label;
};

absl::StatusOr<AttributeIndex> LabelOf(const SimulateFlags& flags, const Domain& domain) {
  if (flags.test.empty()) return InvalidArgument("--label needs rows to test a classifier on: give --test");
  if (const std::optional<AttributeIndex> label = domain.Find(flags.label)) return *label;
  return InvalidArgument("the schema has no column {} for --label", QuoteForMessage(flags.label));
}

absl::StatusOr<SimulationInput> ReadInput(const SimulateFlags& flags, const SimulationSettings& settings,
                                          ProgressSink& progress, Parallel& parallel, Console& console) {
  ASSIGN_OR_RETURN(DealtTable rows, ReadDealtTable(flags.data, settings, progress, parallel));
  SimulationInput input{std::move(rows), std::nullopt, std::nullopt};
  if (!flags.test.empty()) {
    ASSIGN_OR_RETURN(input.held_out, ReadHeldOutRows(flags.test, settings, progress));
    if (input.held_out->rows() == 0) return InvalidArgument("{} has no rows to test the model with", flags.test);
  }
  if (!flags.label.empty()) {
    ASSIGN_OR_RETURN(input.label, LabelOf(flags, settings.fit.schema.domain()));
  }
  console.Note(fmt::format("{} rows of {} client(s), seed {}", input.rows.table.rows(), input.rows.partition.clients,
                           settings.seed));
  if (const std::size_t empty = input.rows.EmptyClients(); empty > 0) {
    console.Note(fmt::format("  {} of them have no rows: they take part like the others and add nothing", empty));
  }
  return input;
}

absl::Status SimulateTable(const SimulateFlags& flags, Console& console) {
  if (flags.json && flags.output == "-") return InvalidArgument("--json and a model on standard output do not mix");
  ASSIGN_OR_RETURN(const SimulationSettings settings, ReadSimulationSettings(flags.simulation));
  ExplainSimulation(settings, console);
  std::unique_ptr<ByteSink> output;
  if (!flags.output.empty()) {
    ASSIGN_OR_RETURN(output, CreateFile(flags.output));
  }

  const Interruption interruption;
  const SystemClock clock;
  ProgressLine line(std::cerr, console.ShowsProgress(), clock);
  InterruptibleProgress reading(line);
  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()), Interruption::requested);
  ASSIGN_OR_RETURN(const SimulationInput input, ReadInput(flags, settings, reading, parallel, console));
  line.Clear();

  const YardstickRequest wanted{.errors = flags.evaluate,
                                .heterogeneity = flags.evaluate && !settings.fit.plan.method.IsOneTable(),
                                .swap_rows = flags.swap_rows,
                                .held_out = input.held_out ? &*input.held_out : nullptr,
                                .auc = input.label ? ClassifierAucOn(*input.held_out, *input.label) : nullptr,
                                .max_kept_cells = settings.fit.memory.max_kept_cells()};
  ASSIGN_OR_RETURN(const Yardstick yardstick,
                   Yardstick::Create(wanted, input.rows.table, input.rows.partition, settings.fit.workload, parallel));
  RoundTable table(settings.fit.schema.domain(), console);
  const auto started = clock.Now();
  const absl::StatusOr<SimulationOutcome> run_result = Simulate(settings, input.rows, yardstick, parallel, table);
  if (absl::IsCancelled(run_result.status())) return absl::CancelledError("interrupted; no model was written");
  RETURN_IF_ERROR(run_result.status());
  const SimulationOutcome& outcome = *run_result;
  const double seconds = std::chrono::duration<double>(clock.Now() - started).count();
  ASSIGN_OR_RETURN(const ModelQuality quality, yardstick.Measure(outcome.fitted.model, settings.seed, parallel));
  if (output != nullptr) {
    RETURN_IF_ERROR(WriteModel(settings.fit.schema, outcome.fitted.report, outcome.fitted.model, *output));
  }

  const SimulationReport report{.settings = settings,
                                .fitted = outcome.fitted,
                                .rounds = table.rounds(),
                                .clients = outcome.clients,
                                .clients_without_rows = input.rows.EmptyClients(),
                                .heterogeneity = yardstick.heterogeneity(),
                                .quality = quality,
                                .true_auc = yardstick.true_auc(),
                                .rows = input.rows.table.rows(),
                                .output = flags.output,
                                .seconds = seconds};
  if (flags.json) {
    console.Print(ToJson(report).dump(2));
    return absl::OkStatus();
  }
  for (const std::string& text : Lines(report)) flags.output == "-" ? console.Note(text) : console.Print(text);
  return absl::OkStatus();
}

}  // namespace

void AddSimulateCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<SimulateFlags>();
  CLI::App* command = program.add_subcommand(
      "simulate", "Run a federated method on a table dealt to clients that exist in memory only. For research");
  command->add_option("DATA", flags->data, "CSV file, plain or compressed (.gz, .xz, .zst)")->required();
  AddSimulationFlags(*command, flags->simulation);
  command->add_flag("--evaluate", flags->evaluate,
                    "Compare with the true rows: the model after each round, and synthetic rows at the end");
  command->add_flag("--swap-rows", flags->swap_rows,
                    "Synthetic rows as flaim sample --swap draws them, for the workload");
  command->add_option("--test", flags->test, "CSV file of rows kept apart: how likely the model finds them");
  command->add_option("--label", flags->label,
                      "Column that trees, trained on synthetic rows, predict for the rows of --test: their ROC-AUC");
  command->add_option("-o,--output", flags->output, "Where to write the model [nowhere]");
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  command->add_flag("--json", flags->json, "Print the summary and all rounds as JSON");
  command->callback(
      [flags, &chosen] { chosen = [flags](Console& console) { return SimulateTable(*flags, console); }; });
}

}  // namespace flaim
