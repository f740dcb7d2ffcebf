#include "io/toml_depth.h"

#include <algorithm>

namespace flaim {
namespace {

// Length of the quoted string at the front of the text, both quotes included; the rest of the text if it never ends.
// A long string may hold one or two more quotes right before its closing three.
std::size_t QuotedLength(std::string_view text) {
  const char quote = text.front();
  const bool is_long = text.size() >= 3 && text[1] == quote && text[2] == quote;
  const std::size_t quotes = is_long ? 3 : 1;
  std::size_t run = 0;
  for (std::size_t i = quotes; i < text.size(); ++i) {
    run = text[i] == quote ? run + 1 : 0;
    if (text[i] == '\\' && quote == '"') ++i;
    if (!is_long && text[i] == '\n') return i;
    const bool is_followed_by_quote = is_long && run < 5 && i + 1 < text.size() && text[i + 1] == quote;
    if (run >= quotes && !is_followed_by_quote) return i + 1;
  }
  return text.size();
}

}  // namespace

std::size_t TomlDepth(std::string_view text) {
  std::size_t deepest = 0;
  std::size_t open = 0;
  std::size_t key_parts = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
      case '\'':
        i += QuotedLength(text.substr(i)) - 1;
        break;
      case '#':
        i = std::min(text.find('\n', i), text.size()) - 1;
        break;
      case '[':
      case '{':
        ++open;
        key_parts = 0;
        break;
      case ']':
      case '}':
        open -= std::min<std::size_t>(open, 1);
        key_parts = 0;
        break;
      case '=':
      case ',':
      case '\n':
        key_parts = 0;
        break;
      case '.':
        ++key_parts;
        break;
      default:
        break;
    }
    deepest = std::max({deepest, open, key_parts});
  }
  return deepest;
}

}  // namespace flaim
