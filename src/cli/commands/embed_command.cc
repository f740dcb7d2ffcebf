#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "CLI/CLI.hpp"
#include "base/parallel.h"
#include "base/status.h"
#include "cli/command_line.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "io/byte_sink.h"
#include "partition/umap/trustworthiness.h"
#include "partition/umap/umap.h"

namespace flaim {
namespace {

struct EmbedFlags {
  std::string data;
  std::string schema;
  std::string output;
  std::uint64_t seed = 0;
  std::optional<int> threads;
};

absl::Status WritePlaces(const PlanePoints& places, ByteSink& sink) {
  RETURN_IF_ERROR(sink.Write("x,y\n"));
  for (const PlanePoint& place : places) RETURN_IF_ERROR(sink.Write(fmt::format("{},{}\n", place.x, place.y)));
  return sink.Commit();
}

absl::Status Embed(const EmbedFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const Schema schema, LoadSchema(flags.schema));
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(flags.output));
  const SystemClock clock;
  ProgressLine line(std::cerr, console.ShowsProgress(), clock);
  ASSIGN_OR_RETURN(const Table table, ReadTable(flags.data, schema, {.progress = &line}));
  const Points points = CodesAsPoints(table);
  Parallel parallel(flags.threads.value_or(Parallel::HardwareThreads()));
  const auto start = clock.Now();
  ASSIGN_OR_RETURN(const PlanePoints places, EmbedInPlane(points, {.seed = flags.seed}, parallel, line));
  const std::chrono::duration<double> elapsed = clock.Now() - start;
  line.Clear();
  RETURN_IF_ERROR(WritePlaces(places, *sink));
  console.Note(fmt::format("{} rows embedded in {:.2f} s with {} thread(s), seed {}", places.size(), elapsed.count(),
                           parallel.threads(), flags.seed));
  const absl::StatusOr<double> trust = Trustworthiness(points, places, {.sample = 500}, parallel);
  if (trust.ok()) console.Note(fmt::format("trustworthiness of 15 neighbours: {:.4f}", *trust));
  console.Note(fmt::format("{} shows who is like whom: it is as private as {}", flags.output, flags.data));
  return absl::OkStatus();
}

}  // namespace

void AddEmbedCommand(CLI::App& data, Action& chosen) {
  auto flags = std::make_shared<EmbedFlags>();
  CLI::App* command =
      data.add_subcommand("embed", "Lay the rows out in the plane by UMAP, as the clustered partitions do (private)");
  command->add_option("DATA", flags->data, "CSV file, plain or compressed (.gz, .xz, .zst)")->required();
  command->add_option("--schema", flags->schema, "Schema file")->required();
  command->add_option("--seed", flags->seed, "Decides about the layout; the same with any number of threads [0]");
  command->add_option("--threads", flags->threads, "How many threads to use [all cores]")->check(CLI::Range(1, 1024));
  command->add_option("-o,--output", flags->output, "CSV file: x and y of each row, in their order")->required();
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return Embed(*flags, console); }; });
}

}  // namespace flaim
