#include "io/message_text.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "fmt/format.h"

namespace flaim {
namespace {

constexpr std::size_t kMaxCharacters = 60;
constexpr std::size_t kMaxListed = 10;

struct Utf8Character {
  std::size_t bytes = 0;  // 0: not UTF-8
  std::uint32_t code_point = 0;
};

Utf8Character FirstCharacter(std::string_view text) {
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t lead = byte_at(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code_point = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte_at(i) & 0xC0U) != 0x80) return {};
    code_point = code_point << 6 | (byte_at(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < kSmallest[bytes] || code_point > 0x10FFFF || is_surrogate) return {};
  return {bytes, code_point};
}

bool IsHarmless(std::uint32_t code_point) {
  const bool is_control = code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
  const bool is_direction_mark = (code_point >= 0x200E && code_point <= 0x200F) ||
                                 (code_point >= 0x2028 && code_point <= 0x202E) ||
                                 (code_point >= 0x2066 && code_point <= 0x2069);
  return !is_control && !is_direction_mark && code_point != '\'' && code_point != '\\';
}

void AppendEscaped(std::string_view bytes, std::string& out) {
  for (const char byte : bytes) {
    switch (byte) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\'':
      case '\\':
        out += '\\';
        out += byte;
        break;
      default:
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(byte));
    }
  }
}

// Letters inserted, left out, replaced, or swapped with their neighbour.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    current[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = previous[j] + (a[i] == b[j] ? 0 : 1);
      current[j + 1] = std::min({replaced, previous[j + 1] + 1, current[j] + 1});
      const bool is_swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_swapped) current[j + 1] = std::min(current[j + 1], before[j - 1] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string QuoteForMessage(std::string_view text) {
  std::string out = "'";
  std::size_t characters = 0;
  while (!text.empty()) {
    if (characters++ == kMaxCharacters) return out + "...'";
    const Utf8Character first = FirstCharacter(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(first.bytes, 1));
    if (first.bytes > 0 && IsHarmless(first.code_point)) {
      out += bytes;
    } else {
      AppendEscaped(bytes, out);
    }
    text.remove_prefix(bytes.size());
  }
  return out + "'";
}

std::string QuoteListForMessage(std::span<const std::string> texts) {
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += ", ";
    if (i == kMaxListed) return out + fmt::format("and {} more", texts.size() - i);
    out += QuoteForMessage(texts[i]);
  }
  return out;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = FirstCharacter(text).bytes;
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

std::string SuggestNearest(std::string_view word, std::span<const std::string_view> options) {
  if (options.empty() || word.size() > kMaxCharacters) return "";
  const std::string_view nearest = *std::min_element(
      options.begin(), options.end(), [&](auto a, auto b) { return EditDistance(word, a) < EditDistance(word, b); });
  if (EditDistance(word, nearest) > std::max<std::size_t>(2, nearest.size() / 2)) return "";
  return fmt::format(" Did you mean {}?", QuoteForMessage(nearest));
}

}  // namespace flaim
