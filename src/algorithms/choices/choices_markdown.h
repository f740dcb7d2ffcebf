#pragma once

#include <string>

namespace flaim {

// Two tables, all choices and what each preset has chosen: the part of docs/METHODS.md that follows from the program.
std::string ChoicesInMarkdown();

}  // namespace flaim
