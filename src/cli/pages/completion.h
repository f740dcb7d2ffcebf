#pragma once

#include <string>

#include "cli/pages/command_page.h"

namespace flaim {

// What a shell offers after Tab: the commands, their flags, the values that a flag allows; otherwise files.
std::string BashCompletion(const CommandPage& program);
std::string ZshCompletion(const CommandPage& program);
std::string FishCompletion(const CommandPage& program);

}  // namespace flaim
