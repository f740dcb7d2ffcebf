#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace flaim::runtime {

// How values look in a terminal.

// The text with control characters, characters that turn the direction of writing, and whatever is not UTF-8 replaced:
// a name cannot move the cursor.
std::string Printable(std::string_view text);

// Columns that a printable text takes; characters of double width count as one.
std::size_t TextWidth(std::string_view text);

// Cut with an ellipsis to at most, or filled with spaces to exactly, so many columns.
std::string CutTo(std::string_view text, std::size_t columns);
std::string PadTo(std::string_view text, std::size_t columns);

// "512 B", "1.2 MB": powers of 1000.
std::string BytesInShort(double bytes);
// "0.4 s", "42 s", "3 min 05 s", "2 h 10 min", "3 d 04 h".
std::string DurationInShort(double seconds);
// "12:30:05", UTC.
std::string TimeOfDay(std::int64_t unix_ms);
// A bar of so many columns, `share` of it full.
std::string Bar(double share, std::size_t columns);

}  // namespace flaim::runtime
