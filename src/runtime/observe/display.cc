#include "runtime/observe/display.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fmt/format.h"

namespace flaim::runtime {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "…";

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

CodePoint FirstCodePoint(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80U) return {first, 1};
  const std::size_t bytes = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || text.size() < bytes) return {};
  char32_t value = first & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!IsContinuation(text[i])) return {};
    value = (value << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[bytes] || value > 0x10FFFF || is_surrogate) return {};
  return {value, bytes};
}

bool IsHarmless(char32_t value) {
  const bool is_control = value < 0x20 || (value >= 0x7F && value < 0xA0) || value == 0x2028 || value == 0x2029;
  const bool turns_direction = value == 0x061C || value == 0x200E || value == 0x200F ||
                               (value >= 0x202A && value <= 0x202E) || (value >= 0x2066 && value <= 0x2069);
  return !is_control && !turns_direction;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  while (!text.empty()) {
    const CodePoint next = FirstCodePoint(text);
    const std::size_t taken = std::max<std::size_t>(next.bytes, 1);
    printable += next.bytes > 0 && IsHarmless(next.value) ? text.substr(0, taken) : kReplacement;
    text.remove_prefix(taken);
  }
  return printable;
}

std::size_t TextWidth(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return !IsContinuation(byte); }));
}

std::string CutTo(std::string_view text, std::size_t columns) {
  if (TextWidth(text) <= columns) return std::string(text);
  if (columns == 0) return "";
  std::size_t end = 0;
  for (std::size_t width = 0; end < text.size(); ++end) {
    if (IsContinuation(text[end])) continue;
    if (++width == columns) break;
  }
  return fmt::format("{}{}", text.substr(0, end), kEllipsis);
}

std::string PadTo(std::string_view text, std::size_t columns) {
  std::string padded = CutTo(text, columns);
  padded.append(columns - TextWidth(padded), ' ');
  return padded;
}

std::string BytesInShort(double bytes) {
  constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{:.0f} B", bytes);
  std::size_t unit = 0;
  for (bytes /= 1000; bytes >= 999.5 && unit + 1 < kUnits.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.{}f} {}", bytes, bytes < 9.95 ? 1 : 0, kUnits[unit]);
}

std::string DurationInShort(double seconds) {
  if (!std::isfinite(seconds) || seconds > 1e9) return "forever";
  if (seconds < 9.95) return fmt::format("{:.1f} s", std::max(seconds, 0.0));
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole / 3600 % 24);
}

std::string TimeOfDay(std::int64_t unix_ms) {
  constexpr std::int64_t kDay = 86'400'000;
  const std::int64_t second = (unix_ms % kDay + kDay) % kDay / 1000;
  return fmt::format("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
}

std::string Bar(double share, std::size_t columns) {
  const double clamped = share > 0 ? std::min(share, 1.0) : 0.0;
  const auto full = static_cast<std::size_t>(std::floor(clamped * static_cast<double>(columns)));
  std::string bar;
  for (std::size_t i = 0; i < columns; ++i) bar += i < full ? "█" : "░";
  return bar;
}

}  // namespace flaim::runtime
