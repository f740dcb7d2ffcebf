#include "app/request/memory_limit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

constexpr std::int64_t kSmallestBytes = std::int64_t{1} << 20;
constexpr double kLargestBytes = 0x1p50;

double ScaleOf(char suffix) {
  constexpr std::string_view kSuffixes = "KMGT";
  const std::size_t position = kSuffixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(suffix))));
  return position == std::string_view::npos ? 0 : std::pow(1024.0, static_cast<double>(position + 1));
}

}  // namespace

absl::StatusOr<MemoryLimit> MemoryLimit::Parse(const std::string& text) {
  std::string_view number = text;
  if (number.size() > 2 && number.ends_with("iB")) number.remove_suffix(2);
  if (number.size() > 2 && number.ends_with("B")) number.remove_suffix(1);
  double scale = 1;
  if (!number.empty() && ScaleOf(number.back()) > 0) {
    scale = ScaleOf(number.back());
    number.remove_suffix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size() || !(value > 0) || value * scale > kLargestBytes) {
    return InvalidArgument("memory {} is not an amount of memory; write it like 2G or 500M", QuoteForMessage(text));
  }
  const auto bytes = static_cast<std::int64_t>(value * scale);
  if (bytes < kSmallestBytes) {
    return InvalidArgument("memory {} is too little; give at least 1M", QuoteForMessage(text));
  }
  return MemoryLimit(bytes);
}

std::string BytesInShort(double bytes) {
  constexpr double kMi = 0x1p20;
  if (bytes < kMi) return fmt::format("{:.0f} KiB", std::ceil(bytes / 0x1p10));
  if (bytes < 0x1p30) return fmt::format("{:.{}f} MiB", bytes / kMi, bytes < 10 * kMi ? 1 : 0);
  return fmt::format("{:.1f} GiB", bytes / 0x1p30);
}

}  // namespace flaim
