#include "arrow/value_text.h"

#include <array>
#include <cmath>
#include <iterator>

#include "fmt/format.h"
#include "io/calendar_format.h"
#include "io/number_text.h"

namespace flaim {
namespace {

template <typename Float>
void AppendFloat(Float value, std::string& out) {
  if (value == 0) {
    out += '0';
  } else if (std::isfinite(value) && std::trunc(value) == value) {
    fmt::format_to(std::back_inserter(out), "{:.0f}", value);
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

// The shortest text between the middles to the two neighbours. REQUIRES: finite, and not a whole number: then it has
// neighbours.
void AppendFraction(HalfValue value, std::string& out) {
  const auto bits = value.Magnitude().bits;
  const double magnitude = value.Magnitude().ToFloat();
  const double low = (HalfValue{static_cast<std::uint16_t>(bits - 1)}.ToFloat() + magnitude) / 2;
  const double high = (magnitude + HalfValue{static_cast<std::uint16_t>(bits + 1)}.ToFloat()) / 2;
  const auto reads_back = [&](const std::string& text) {
    const double read = ParseReal(text).value_or(0);
    return low < read && read < high;
  };
  // Where two texts are as near, the upper may read back and the lower not: below a power of two there is less room.
  std::string text;
  for (int digits = 1; !reads_back(text); ++digits) {
    text = fmt::format("{:.{}g}", magnitude, digits);
    if (!reads_back(text)) text = fmt::format("{:.{}g}", std::nextafter(magnitude, high), digits);
  }
  if (value.ToFloat() < 0) out += '-';
  out += text;
}

bool IsInCalendar(CalendarSeconds seconds) { return seconds >= kFirstCalendarSecond && seconds <= kLastCalendarSecond; }

// Only for texts that no column of dates takes.
void AppendFarTime(CalendarSeconds seconds, std::string& out) {
  fmt::format_to(std::back_inserter(out), "{} seconds since 1970-01-01", seconds);
}

void AppendIso(TimeKind kind, CalendarSeconds seconds, std::string& out) {
  static const CalendarFormat date = *CalendarFormat::Create(TimeKind::kDate, std::nullopt);
  static const CalendarFormat date_time = *CalendarFormat::Create(TimeKind::kDateTime, std::nullopt);
  if (!IsInCalendar(seconds)) return AppendFarTime(seconds, out);
  (kind == TimeKind::kDate ? date : date_time).Format(seconds, out);
}

}  // namespace

void AppendText(bool value, std::string& out) { out += value ? "true" : "false"; }

void AppendText(std::int64_t value, std::string& out) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

void AppendText(std::uint64_t value, std::string& out) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

void AppendText(HalfValue value, std::string& out) {
  const float number = value.ToFloat();
  const bool has_fraction = std::isfinite(number) && std::trunc(number) != number;
  if (has_fraction) return AppendFraction(value, out);
  AppendFloat(number, out);
}
void AppendText(float value, std::string& out) { AppendFloat(value, out); }
void AppendText(double value, std::string& out) { AppendFloat(value, out); }
void AppendText(std::string_view value, std::string& out) { out += value; }

void AppendText(DateValue value, std::string& out) { AppendIso(TimeKind::kDate, value.days * kSecondsPerDay, out); }

void AppendText(TimestampValue value, std::string& out) {
  AppendIso(TimeKind::kDateTime, value.seconds, out);
  if (value.nanoseconds == 0) return;
  fmt::format_to(std::back_inserter(out), ".{:09}", value.nanoseconds);
  out.erase(out.find_last_not_of('0') + 1);
}

void AppendText(DecimalValue value, std::string& out) {
  std::array<char, 64> digits;
  char* first = digits.data() + digits.size();
  const bool is_negative = value.units < 0;
  auto rest = is_negative ? -static_cast<UInt128>(value.units) : static_cast<UInt128>(value.units);
  bool has_decimals = false;
  for (int place = 0; rest != 0 || place <= value.decimals; ++place) {
    const auto digit = static_cast<char>('0' + static_cast<int>(rest % 10));
    rest /= 10;
    if (place == value.decimals && has_decimals) *--first = '.';
    has_decimals |= place < value.decimals && digit != '0';
    if (place >= value.decimals || has_decimals) *--first = digit;
  }
  if (is_negative) *--first = '-';
  out.append(first, digits.data() + digits.size());
}

}  // namespace flaim
