#pragma once

#include <string_view>

namespace flaim {

inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Any ASCII character can separate fields, except those that mean something else in a CSV file. A byte beyond ASCII
// cannot: it may be one half of a letter.
constexpr bool IsCsvDelimiter(char delimiter) {
  return static_cast<unsigned char>(delimiter) < 0x80 && delimiter != '"' && delimiter != '\n' && delimiter != '\r' &&
         delimiter != '\0';
}

}  // namespace flaim
