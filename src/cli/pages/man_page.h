#pragma once

#include <string>

#include "cli/pages/command_page.h"

namespace flaim {

// A page of section 1 for a command with those below it, as roff: `man flaim-fit`. `version` stands at its foot.
std::string ManPageOf(const CommandPage& command, const std::string& version);

// "flaim-fit.1".
std::string ManFileOf(const CommandPage& command);

// The Markdown of help texts as roff: paragraphs, headings, indented and fenced blocks, lists, tables, bold, code,
// links.
std::string RoffOf(const std::string& markdown);

}  // namespace flaim
