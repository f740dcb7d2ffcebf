#include "cli/command_line.h"

#include <sstream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "cli/exit_code.h"
#include "fmt/format.h"

namespace flaim {
namespace {

constexpr const char* kAbout = "FLAIM: differentially private synthetic tables from data that may not be pooled.\n";

constexpr const char* kFooter =
    "\nExit codes: 0 done, 1 a file or the system failed, 2 wrong usage, 3 data, schema or workload refused, 4 "
    "privacy\n"
    "budget refused, 5 damaged or altered file, 130 interrupted. Results go to standard output, everything else to\n"
    "standard error. `flaim COMMAND --help` explains a command, `flaim help COMMAND` says all about it.";

std::string WithoutLastNewline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// CLI11 complains of what is missing before it complains of what it did not understand, which is the wrong way round
// for a typing mistake.
std::string ExplainUnknown(const CLI::App& program, const std::string& unknown) {
  if (!program.get_subcommands().empty()) return fmt::format("unknown argument '{}'", unknown);
  std::string known;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  return fmt::format("there is no command '{}'; the commands are {}", unknown, known);
}

int ReportUsage(const CLI::App& program, const CLI::ParseError& error, Console& console) {
  std::ostringstream out;
  std::ostringstream notes;
  if (program.exit(error, out, notes) == 0) {
    console.Print(WithoutLastNewline(out.str()));
    return static_cast<int>(ExitCode::kSuccess);
  }
  const std::vector<std::string> unknown = program.remaining(true);
  console.Warn("flaim: " + (unknown.empty() ? WithoutLastNewline(notes.str())
                                            : ExplainUnknown(program, unknown.front()) +
                                                  "\nRun with --help for more information."));
  return static_cast<int>(ExitCode::kUsage);
}

}  // namespace

int RunCommandLine(int argc, const char* const* argv, Console& console) {
  CLI::App program(kAbout, "flaim");
  program.footer(kFooter);
  program.set_version_flag("--version", FLAIM_VERSION);
  program.require_subcommand(1);
  bool quiet = false;
  program.add_flag("-q,--quiet", quiet, "Print results and warnings only");
  program.fallthrough();

  Action chosen;
  AddSchemaCommands(program, chosen);
  AddPlanCommand(program, chosen);
  AddFitCommand(program, chosen);
  AddShowCommand(program, chosen);
  AddSampleCommand(program, chosen);
  AddEvaluateCommand(program, chosen);
  AddSimulateCommand(program, chosen);
  AddCoordinatorCommands(program, chosen);
  AddSiteCommands(program, chosen);
  AddStatusCommand(program, chosen);
  AddMethodsCommand(program, chosen);
  AddDataCommands(program, chosen);
  AddExperimentCommands(program, chosen);
  AddBudgetCommand(program, chosen);
  AddAuditCommand(program, chosen);
  AddMeasureCommand(program, chosen);
  AddEncodeCommand(program, chosen);
  AddLedgerCommands(program, chosen);
  AddBenchCommands(program, chosen);
  AddHelpCommand(program, chosen);

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return ReportUsage(program, error, console);
  }
  console.SetQuiet(quiet);
  absl::Status status = chosen(console);
  if (!console.Flush() && status.ok()) status = absl::UnavailableError("standard output cannot be written");
  if (!status.ok()) console.Warn(fmt::format("flaim: {}", std::string(status.message())));
  return static_cast<int>(ExitCodeFor(status));
}

}  // namespace flaim
