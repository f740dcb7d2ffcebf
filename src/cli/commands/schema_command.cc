#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/command_line.h"
#include "data/guess/schema_init.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "io/byte_sink.h"
#include "io/byte_source.h"

namespace flaim {
namespace {

struct SchemaFlags {
  std::string data;
  std::string schema;
  std::string output = "-";
  bool from_data = false;
};

void ExplainInit(const SchemaFlags& flags, const SchemaInitReport& report, Console& console) {
  std::string unfinished;
  for (const SchemaInitReport::ColumnReport& column : report.columns) {
    if (column.needs_filling) unfinished += (unfinished.empty() ? "" : ", ") + column.name;
    if (!column.note.empty()) console.Note(fmt::format("  {}: {}", column.name, column.note));
  }
  if (flags.from_data) {
    console.Warn(
        "WARNING: values and bounds were taken from the rows. This schema is NOT private: whoever sees it, or anything "
        "made with it, learns which values occur. Replace them by public knowledge before a release.");
    return;
  }
  console.Note(fmt::format(
      "Read the header, and at most {} rows to guess the type of each column. No value, bound or count from "
      "the rows was used. But types can give a record away, so the file is stamped as derived_from_private_rows: check "
      "them against public knowledge, then remove that line.",
      kRowsForTypes));
  if (!unfinished.empty()) console.Note(fmt::format("Fill in from public knowledge: {}", unfinished));
}

absl::Status InitSchemaFile(const SchemaFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(std::unique_ptr<ByteSource> source, OpenByteSource(flags.data));
  ASSIGN_OR_RETURN(
      const InitialSchema schema,
      InitSchema(std::move(source), flags.from_data ? SchemaInitMode::kFromPrivateRows : SchemaInitMode::kTypesOnly));
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(flags.output));
  RETURN_IF_ERROR(sink->Write(schema.toml));
  RETURN_IF_ERROR(sink->Commit());
  ExplainInit(flags, schema.report, console);
  return absl::OkStatus();
}

absl::Status CheckSchemaFile(const SchemaFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const Schema schema, LoadSchema(flags.schema));
  std::vector<std::vector<std::string>> lines;
  double records = 1;
  for (const Attribute& attribute : schema.domain().attributes()) {
    lines.push_back({attribute.name, fmt::format("{}", attribute.size)});
    records *= static_cast<double>(attribute.size);
  }
  console.PrintTable({"column", "codes"}, lines);
  console.Print(fmt::format("\n{} columns, {:.3g} possible records", lines.size(), records));
  if (schema.spec().derived_from_private_rows) {
    console.Warn("WARNING: this schema says that it was derived from private rows; it is not private.");
  }
  if (!flags.data.empty()) {
    RETURN_IF_ERROR(ReadTable(flags.data, schema).status());
    console.Print(fmt::format("every row of {} fits this schema", flags.data));
  }
  return absl::OkStatus();
}

}  // namespace

void AddSchemaCommands(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<SchemaFlags>();
  CLI::App* schema =
      program.add_subcommand("schema", "The public description of a table: columns, values, bounds, bins");
  schema->require_subcommand(1);

  CLI::App* init = schema->add_subcommand("init", "Write a schema to start from, by the header of a CSV file");
  init->add_option("DATA", flags->data, "CSV file, plain or compressed (.gz, .xz, .zst)")->required();
  init->add_option("-o,--output", flags->output, "Where to write the TOML file; - is standard output")
      ->capture_default_str();
  init->add_flag("--from-data", flags->from_data, "Take values and bounds from the rows. NOT private");
  init->callback([flags, &chosen] { chosen = [flags](Console& console) { return InitSchemaFile(*flags, console); }; });

  CLI::App* check = schema->add_subcommand("check", "Check a schema file, and that a data file fits it");
  check->add_option("SCHEMA", flags->schema, "Schema file: TOML, or JSON as in docs/SCHEMA.md")->required();
  check->add_option("DATA", flags->data, "CSV file to hold against the schema");
  check->callback(
      [flags, &chosen] { chosen = [flags](Console& console) { return CheckSchemaFile(*flags, console); }; });
}

}  // namespace flaim
