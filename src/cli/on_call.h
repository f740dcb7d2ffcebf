#pragma once

#include <memory>

#include "CLI/CLI.hpp"
#include "cli/command_line.h"

namespace flaim {

// When the command is given, `action` with its flags is what to run.
template <typename Flags>
void OnCall(CLI::App& command, const std::shared_ptr<Flags>& flags, Action& chosen,
            absl::Status (*action)(const Flags&, Console&)) {
  command.callback(
      [flags, &chosen, action] { chosen = [flags, action](Console& console) { return action(*flags, console); }; });
}

}  // namespace flaim
