#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "base/parallel.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "data/rows/table_reader.h"
#include "evaluation/workload_error.h"
#include "marginal/workload_spec.h"
#include "model/file/model_file.h"
#include "nlohmann/json.hpp"

namespace flaim {
namespace {

struct EvaluateFlags {
  std::string model;
  std::string truth;
  std::string rows;
  std::string workload = "all:2";
  bool json = false;
};

absl::Status Evaluate(const EvaluateFlags& flags, Console& console) {
  Parallel parallel(Parallel::HardwareThreads());
  ASSIGN_OR_RETURN(const ModelFile file, ReadModelFile(flags.model, {}, parallel));
  ASSIGN_OR_RETURN(const Table truth, ReadTable(flags.truth, file.schema, {.ignore_extra_columns = true}));
  ASSIGN_OR_RETURN(const WorkloadSpec spec, ParseWorkloadSpec(flags.workload));
  ASSIGN_OR_RETURN(const Workload workload, MakeWorkload(file.schema.domain(), spec));
  ASSIGN_OR_RETURN(WorkloadTruth counted, WorkloadTruth::Create(truth, workload, parallel));
  ASSIGN_OR_RETURN(const WorkloadError of_model, counted.ErrorOf(file.model, parallel));
  nlohmann::json result{{"is_private", false},  // exact figures of the true rows
                        {"workload", flags.workload},
                        {"queries", workload.size()},
                        {"model_error", of_model.queries}};
  if (!flags.rows.empty()) {
    ASSIGN_OR_RETURN(const Table rows, ReadTable(flags.rows, file.schema, {.ignore_extra_columns = true}));
    ASSIGN_OR_RETURN(const WorkloadError of_rows, counted.ErrorOf(rows, parallel));
    result["rows_error"] = of_rows.queries;
  }
  console.Note("these figures come from the true rows without noise: as private as those are");
  if (flags.json) {
    console.Print(result.dump(2));
    return absl::OkStatus();
  }
  console.Print(fmt::format("mean L1 distance over the {} marginals of {}, from 0 (the same) to 2", workload.size(),
                            flags.workload));
  console.Print(fmt::format("  model           {:.4f}", of_model.queries));
  if (!flags.rows.empty()) console.Print(fmt::format("  synthetic rows  {:.4f}", result["rows_error"].get<double>()));
  return absl::OkStatus();
}

}  // namespace

void AddEvaluateCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<EvaluateFlags>();
  CLI::App* command = program.add_subcommand(
      "evaluate", "How far a model, or rows drawn from it, are from true rows. For public data: nothing is noisy here");
  command->add_option("MODEL", flags->model, "Model file")->required();
  command->add_option("TRUTH", flags->truth, "CSV file of the true rows, plain or compressed")->required();
  command->add_option("--rows", flags->rows, "CSV file of synthetic rows, to compare as well");
  command->add_option("--workload", flags->workload, "The marginals to compare: all:K, random:N:K:SEED, or a JSON file")
      ->capture_default_str();
  command->add_flag("--json", flags->json, "Print JSON");
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return Evaluate(*flags, console); }; });
}

}  // namespace flaim
