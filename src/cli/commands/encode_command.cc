#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "base/status.h"
#include "cli/command_line.h"
#include "data/rows/row_writer.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "io/byte_sink.h"

namespace flaim {
namespace {

struct EncodeFlags {
  std::string data;
  std::string schema;
  std::string output;
};

absl::Status Encode(const EncodeFlags& flags, Console& console) {
  ASSIGN_OR_RETURN(const Schema schema, LoadSchema(flags.schema));
  ASSIGN_OR_RETURN(const Table table, ReadTable(flags.data, schema));
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, CreateFile(flags.output));
  RETURN_IF_ERROR(WriteTable(table, *CodeWriter(*sink, schema.domain())));
  console.Note(fmt::format("{} holds the codes of every row: it is as private as {}", flags.output, flags.data));
  return absl::OkStatus();
}

}  // namespace

void AddEncodeCommand(CLI::App& program, Action& chosen) {
  auto flags = std::make_shared<EncodeFlags>();
  CLI::App* command =
      program.add_subcommand("encode", "Turn a table into integer codes by its schema (the result is private)");
  command->add_option("DATA", flags->data, "CSV file, plain or compressed (.gz, .xz, .zst)")->required();
  command->add_option("--schema", flags->schema, "Schema file")->required();
  command->add_option("-o,--output", flags->output, "CSV file of codes")->required();
  command->callback([flags, &chosen] { chosen = [flags](Console& console) { return Encode(*flags, console); }; });
}

}  // namespace flaim
