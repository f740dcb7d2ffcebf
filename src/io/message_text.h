#pragma once

#include <span>
#include <string>
#include <string_view>

namespace flaim {

// Text of unknown origin, made fit for an error message or a terminal.

// The text in single quotes, cut after 60 characters; control characters, text-direction marks and bytes that are not
// UTF-8 appear as \xNN.
std::string QuoteForMessage(std::string_view text);

// Quoted texts with commas between them, cut after ten.
std::string QuoteListForMessage(std::span<const std::string> texts);

bool IsUtf8(std::string_view text);

// " Did you mean 'values'?" for the option closest to the word, or nothing when none is close.
std::string SuggestNearest(std::string_view word, std::span<const std::string_view> options);

}  // namespace flaim
