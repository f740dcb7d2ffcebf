#pragma once

#include <string>

#include "cli/pages/command_page.h"

namespace flaim {

// A command and those below it, each under a heading of its own.
std::string MarkdownOf(const CommandPage& command);

// docs/COMMANDS.md: the program, then each of its commands.
std::string MarkdownOfAll(const CommandPage& program);

}  // namespace flaim
