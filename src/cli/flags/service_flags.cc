#include "cli/flags/service_flags.h"

#include <unistd.h>

#include "CLI/CLI.hpp"
#include "cli/flags/number_range.h"

namespace flaim {

void AddTimeoutFlag(CLI::App& command, ServiceFlags& flags) {
  command
      .add_option("--timeout", flags.timeout_s,
                  "Seconds to wait for the other side, in whatever it does: connecting, answering, reading")
      ->check(CLI::Range(0.1, 86'400.0))
      ->capture_default_str();
}

void AddServiceFlags(CLI::App& command, ServiceFlags& flags) {
  AddTimeoutFlag(command, flags);
  command.add_option("--log", flags.log, "How to log, on standard error: text, or json with an object in each line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

void WarnIfRoot(runtime::Log& log) {
  if (geteuid() == 0) log.Warning("running as root: give this program a user of its own");
}

}  // namespace flaim
