#include "cli/flags/fit_flags.h"

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/flags/method_flags.h"
#include "data/schema/schema_file.h"

namespace flaim {

void AddModelFlags(CLI::App& command, FitFlags& flags) {
  command.add_option("--schema", flags.schema, "Schema file: TOML, or JSON as in docs/SCHEMA.md")->required();
  command.add_option("--epsilon", flags.request.epsilon, "The promise: what this run may cost")->required();
  command
      .add_option("--delta", flags.request.delta, "The probability of a worse loss; well below 1 / number of people")
      ->capture_default_str();
  command.add_option(
      "--workload", flags.request.workload,
      "The marginals to preserve: all:K, all:K:CELLS (at most that many cells each), random:N:K:SEED, or "
      "a JSON file of column lists [all:3:10000, or all:2:10000 where that is too many]");
  command
      .add_option("--unfit", flags.request.unfit,
                  "What becomes of a row with a value that does not fit the schema: refuse (stop and say where), drop "
                  "(leave the row out), or other (count the value as other or missing; every column needs one)")
      ->check(CLI::IsMember({"refuse", "drop", "other"}))
      ->capture_default_str();
  command.add_option("--memory", flags.request.memory, "What the fit may take, e.g. 500M or 8G")->capture_default_str();
  command
      .add_option("--model-cells", flags.request.model_cells,
                  fmt::format("How large the model may become; more is slower and hardly better [{}]",
                              RunOptions::kDefaultModelCells))
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
}

void AddFitFlags(CLI::App& command, FitFlags& flags) {
  AddModelFlags(command, flags);
  AddOneTableMethodFlags(command, flags.request.run.method);
  command.add_option("--zeros", flags.request.zeros,
                     "JSON file of combinations that cannot occur: see `flaim help fit`");
}

absl::StatusOr<FitSettings> ReadFitSettings(const FitFlags& flags) {
  ASSIGN_OR_RETURN(Schema schema, LoadSchema(flags.schema));
  return MakeOneTableSettings(flags.request, std::move(schema));
}

absl::StatusOr<ModelSettings> ReadModelSettings(const FitFlags& flags) {
  ASSIGN_OR_RETURN(Schema schema, LoadSchema(flags.schema));
  return MakeModelSettings(flags.request, std::move(schema));
}

void ExplainSettings(const FitSettings& settings, Console& console) {
  for (const std::string& note : NotesOn(settings)) console.Note(note);
  if (settings.schema.spec().derived_from_private_rows) {
    console.Warn("WARNING: this schema was derived from private rows: what is made with it is NOT private.");
  }
}

}  // namespace flaim
