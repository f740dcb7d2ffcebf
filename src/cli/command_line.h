#pragma once

#include <functional>

#include "absl/status/status.h"
#include "cli/console.h"

namespace CLI {
class App;
}

namespace flaim {

// What a command does once its flags are read.
using Action = std::function<absl::Status(Console&)>;

// Parses the arguments, runs the command, prints a failure as one message and returns the exit code.
int RunCommandLine(int argc, const char* const* argv, Console& console);

// Each adds its commands and flags to the program and leaves in `chosen` what to run when its command was given.
void AddSchemaCommands(CLI::App& program, Action& chosen);
void AddEncodeCommand(CLI::App& program, Action& chosen);
void AddMeasureCommand(CLI::App& program, Action& chosen);
void AddFitCommand(CLI::App& program, Action& chosen);
void AddSampleCommand(CLI::App& program, Action& chosen);
void AddShowCommand(CLI::App& program, Action& chosen);
void AddPlanCommand(CLI::App& program, Action& chosen);
void AddEvaluateCommand(CLI::App& program, Action& chosen);
void AddSimulateCommand(CLI::App& program, Action& chosen);
void AddMethodsCommand(CLI::App& program, Action& chosen);
void AddDataCommands(CLI::App& program, Action& chosen);
void AddExperimentCommands(CLI::App& program, Action& chosen);
void AddAuditCommand(CLI::App& program, Action& chosen);
void AddBudgetCommand(CLI::App& program, Action& chosen);
void AddLedgerCommands(CLI::App& program, Action& chosen);
void AddStatusCommand(CLI::App& program, Action& chosen);
void AddCoordinatorCommands(CLI::App& program, Action& chosen);
void AddSiteCommands(CLI::App& program, Action& chosen);
void AddBenchCommands(CLI::App& program, Action& chosen);
// REQUIRES: `program` lasts until the action is done.
void AddHelpCommand(CLI::App& program, Action& chosen);

// Below the command `data`.
void AddEmbedCommand(CLI::App& data, Action& chosen);

}  // namespace flaim
