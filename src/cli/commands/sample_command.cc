#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "app/request/value_match.h"
#include "app/synthesis.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "cli/interruption.h"
#include "cli/reports/model_notes.h"
#include "data/csv/csv_format.h"
#include "data/rows/row_writer.h"
#include "io/byte_sink.h"
#include "io/message_text.h"
#include "model/file/model_file.h"
#include "model/inference/condition.h"

namespace flaim {
namespace {

struct SampleFlags {
  std::string model;
  std::optional<std::int64_t> rows;
  std::string output;
  std::vector<std::string> where;
  std::string method = "rounded";
  bool swap = false;
  std::string workload;
  bool codes = false;
  std::string delimiter;
  std::optional<std::uint64_t> seed;
  std::optional<int> threads;
};

const std::map<std::string, SamplingMethod> kMethods = {{"rounded", SamplingMethod::kRounded},
                                                        {"exact", SamplingMethod::kExact}};

absl::StatusOr<Schema> WithDelimiter(const Schema& schema, const std::string& delimiter) {
  SchemaSpec spec = schema.spec();
  const bool is_tab = delimiter == "tab" || delimiter == "\\t";
  if (!delimiter.empty()) spec.delimiter = is_tab ? '\t' : delimiter.front();
  if ((delimiter.size() > 1 && !is_tab) || !IsCsvDelimiter(spec.delimiter)) {
    return InvalidArgument("--delimiter {} is not a delimiter; give one character, or tab", QuoteForMessage(delimiter));
  }
  return Schema::Create(std::move(spec));
}

// The model of the rows that are asked for.
absl::StatusOr<Model> Restrict(Model model, const Schema& schema, const SampleFlags& flags, Parallel& parallel,
                               Console& console) {
  if (flags.where.empty()) return model;
  ASSIGN_OR_RETURN(const std::vector<Evidence> evidence, ParseConditions(schema, flags.where));
  for (const Evidence& known : evidence) {
    const Column& column = schema.columns()[static_cast<std::size_t>(known.attribute)];
    if (!HasBins(column)) continue;
    console.Note(fmt::format("{} is kept in bins: rows come from the {} of them that --where touches", column.name(),
                             known.allowed.size()));
  }
  absl::StatusOr<Model> restricted = Condition(model, evidence, parallel);
  if (!restricted.ok()) {
    return InvalidArgument("--where: {}; relax it", std::string(restricted.status().message()));
  }
  return restricted;
}

absl::Status Sample(const SampleFlags& flags, Console& console) {
  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()), Interruption::requested);
  ASSIGN_OR_RETURN(ModelFile file, ReadModelFile(flags.model, {}, parallel));
  WarnIfNotPrivate(file.report, console);
  ASSIGN_OR_RETURN(const Schema schema, WithDelimiter(file.schema, flags.delimiter));
  ASSIGN_OR_RETURN(const Model model, Restrict(std::move(file.model), schema, flags, parallel, console));
  const auto rows = static_cast<std::uint64_t>(flags.rows.value_or(std::llround(model.total())));
  SynthesisRequest request{.rows = rows, .method = kMethods.at(flags.method), .seed = flags.seed, .swaps = {}};
  if (flags.swap) {
    ASSIGN_OR_RETURN(request.swaps, SwapCliquesFor(schema.domain(), flags.workload));
  }

  const Interruption interruption;
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(flags.output));
  const std::unique_ptr<RandomSource> for_values = RandomnessForValues(flags.seed);
  const std::unique_ptr<RowWriter> writer =
      flags.codes ? CodeWriter(*sink, schema.domain()) : ValueWriter(*sink, schema, *for_values);
  const SystemClock clock;
  ProgressLine progress(std::cerr, console.ShowsProgress(), clock);
  RETURN_IF_ERROR(Synthesise(model, request, parallel, *writer, [&](std::uint64_t done) {
    progress.Report({"rows", done, rows, ""});
    return Interruption::Check();
  }));
  progress.Clear();
  console.Note(fmt::format("{} synthetic rows in {}", rows, flags.output == "-" ? "standard output" : flags.output));
  return absl::OkStatus();
}

}  // namespace

void AddSampleCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<SampleFlags>();
  CLI::App* command = program.add_subcommand("sample", "Draw synthetic rows from a model; costs no privacy");
  command->add_option("MODEL", flags->model, "Model file that flaim fit wrote")->required();
  command->add_option("-n,--rows", flags->rows, "How many rows [as many as the model estimates there are]")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 50));
  command->add_option("-o,--output", flags->output, "CSV file; - is standard output")->required();
  command
      ->add_option("--where", flags->where,
                   "COLUMN=VALUE or COLUMN=LOW..HIGH: only such rows. Several for one column: any of them; several "
                   "columns: all must hold")
      ->allow_extra_args(false);
  command
      ->add_option("--method", flags->method,
                   "rounded: marginals closer to the model than chance; exact: independent rows")
      ->check(CLI::IsMember({"rounded", "exact"}))
      ->capture_default_str();
  CLI::Option* swap = command->add_flag("--swap", flags->swap,
                                        "Swap rows for spare ones until marginals are closer still to the model");
  command
      ->add_option("--workload", flags->workload,
                   "The marginals to swap for: all:K, random:N:K:SEED, or a JSON file [pairs and some three-ways]")
      ->needs(swap);
  command->add_flag("--codes", flags->codes, "Write integer codes instead of values");
  command->add_option("--delimiter", flags->delimiter,
                      "Between the fields of a row: one character, or tab [the schema's]");
  command->add_option("--seed", flags->seed, "Draw the same rows each time [new ones each time]");
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return Sample(*flags, console); }; });
}

}  // namespace flaim
