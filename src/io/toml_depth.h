#pragma once

#include <cstddef>
#include <string_view>

namespace flaim {

// The deepest nesting that the text can ask a TOML parser for: brackets and braces inside each other, or parts of one
// dotted key. The library recurses once for each level, also when it frees them, so text from outside is measured
// first. Exact for valid TOML up to its first error; never too low.
std::size_t TomlDepth(std::string_view text);

}  // namespace flaim
