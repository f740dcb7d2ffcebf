#include "io/calendar_format.h"

#include <chrono>
#include <iterator>

#include "base/check.h"
#include "base/status.h"
#include "io/message_text.h"

namespace flaim {
namespace {

struct CalendarFields {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

std::optional<CalendarSeconds> ToSeconds(const CalendarFields& fields) {
  const std::chrono::year_month_day date{std::chrono::year(fields.year),
                                         std::chrono::month(static_cast<unsigned>(fields.month)),
                                         std::chrono::day(static_cast<unsigned>(fields.day))};
  if (!date.ok() || fields.year < 1 || fields.hour > 23 || fields.minute > 59 || fields.second > 59)
    return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * kSecondsPerDay + fields.hour * kSecondsPerHour + fields.minute * kSecondsPerMinute + fields.second;
}

CalendarFields ToFields(CalendarSeconds seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(midnight);
  const auto of_day = static_cast<int>((time - midnight).count());
  return {static_cast<int>(date.year()),
          static_cast<int>(static_cast<unsigned>(date.month())),
          static_cast<int>(static_cast<unsigned>(date.day())),
          of_day / 3600,
          of_day / 60 % 60,
          of_day % 60};
}

bool IsDigit(char character) { return character >= '0' && character <= '9'; }

// Takes between min_digits and max_digits digits off the front of the text.
std::optional<int> TakeDigits(std::string_view& text, std::size_t min_digits, std::size_t max_digits) {
  std::size_t digits = 0;
  int value = 0;
  while (digits < max_digits && digits < text.size() && IsDigit(text[digits]))
    value = value * 10 + (text[digits++] - '0');
  if (digits < min_digits) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool TakeCharacter(std::string_view& text, char character) {
  if (text.empty() || text.front() != character) return false;
  text.remove_prefix(1);
  return true;
}

bool TakeTwoDigits(std::string_view& text, int& field) {
  const std::optional<int> value = TakeDigits(text, 2, 2);
  field = value.value_or(0);
  return value.has_value();
}

bool TakeIsoDate(std::string_view& text, CalendarFields& fields) {
  const std::optional<int> year = TakeDigits(text, 4, 4);
  fields.year = year.value_or(0);
  return year && TakeCharacter(text, '-') && TakeTwoDigits(text, fields.month) && TakeCharacter(text, '-') &&
         TakeTwoDigits(text, fields.day);
}

bool TakeIsoTime(std::string_view& text, CalendarFields& fields) {
  if (!TakeCharacter(text, 'T') && !TakeCharacter(text, ' ')) return false;
  if (!TakeTwoDigits(text, fields.hour) || !TakeCharacter(text, ':') || !TakeTwoDigits(text, fields.minute))
    return false;
  if (TakeCharacter(text, ':')) {
    if (!TakeTwoDigits(text, fields.second)) return false;
    if (TakeCharacter(text, '.')) {
      if (text.empty() || !IsDigit(text.front())) return false;
      while (!text.empty() && IsDigit(text.front())) text.remove_prefix(1);
    }
  }
  TakeCharacter(text, 'Z');
  return true;
}

std::optional<CalendarSeconds> ParseIsoKind(std::string_view text, TimeKind kind) {
  CalendarFields fields;
  if (!TakeIsoDate(text, fields)) return std::nullopt;
  if (kind == TimeKind::kDateTime && !TakeIsoTime(text, fields)) return std::nullopt;
  if (!text.empty()) return std::nullopt;
  return ToSeconds(fields);
}

// The field that a conversion character stands for; null if it stands for none.
int* FieldOf(char conversion, CalendarFields& fields) {
  switch (conversion) {
    case 'Y':
      return &fields.year;
    case 'm':
      return &fields.month;
    case 'd':
      return &fields.day;
    case 'H':
      return &fields.hour;
    case 'M':
      return &fields.minute;
    case 'S':
      return &fields.second;
    default:
      return nullptr;
  }
}

absl::StatusOr<std::string> ConversionsOf(std::string_view pattern) {
  std::string conversions;
  CalendarFields unused;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') continue;
    const char conversion = ++i < pattern.size() ? pattern[i] : '\0';
    if (conversion == '%') continue;
    if (FieldOf(conversion, unused) == nullptr || conversions.find(conversion) != std::string::npos) {
      return InvalidArgument("has format {}; allowed are %Y %m %d %H %M %S, each once, and %%",
                             QuoteForMessage(pattern));
    }
    conversions += conversion;
  }
  return conversions;
}

std::optional<CalendarSeconds> ParsePattern(std::string_view pattern, std::string_view text) {
  CalendarFields fields;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%' || pattern[i + 1] == '%') {
      if (!TakeCharacter(text, pattern[i])) return std::nullopt;
      if (pattern[i] == '%') ++i;
      continue;
    }
    const char conversion = pattern[++i];
    const bool is_year = conversion == 'Y';
    const std::optional<int> value = TakeDigits(text, is_year ? 4 : 1, is_year ? 4 : 2);
    if (!value) return std::nullopt;
    *FieldOf(conversion, fields) = *value;
  }
  if (!text.empty()) return std::nullopt;
  return ToSeconds(fields);
}

}  // namespace

absl::StatusOr<CalendarFormat> CalendarFormat::Create(TimeKind kind, std::optional<std::string> pattern) {
  const bool is_date = kind == TimeKind::kDate;
  if (!pattern) return CalendarFormat(kind, std::nullopt, is_date ? kSecondsPerDay : 1);
  ASSIGN_OR_RETURN(const std::string conversions, ConversionsOf(*pattern));
  const auto has = [&](char conversion) { return conversions.find(conversion) != std::string::npos; };
  if (!has('Y') || !has('m') || !has('d')) {
    return InvalidArgument("has format {}; it needs each of %Y, %m and %d", QuoteForMessage(*pattern));
  }
  if (is_date && conversions.size() > 3) {
    return InvalidArgument("has format {} with a time of day; use type = \"datetime\"", QuoteForMessage(*pattern));
  }
  const bool is_in_steps = (!has('M') || has('H')) && (!has('S') || has('M'));
  if (!is_date && (!has('H') || !is_in_steps)) {
    return InvalidArgument("has format {}; a datetime needs %H, or %H and %M, or %H, %M and %S",
                           QuoteForMessage(*pattern));
  }
  const CalendarSeconds resolution = is_date    ? kSecondsPerDay
                                     : has('S') ? 1
                                     : has('M') ? kSecondsPerMinute
                                                : kSecondsPerHour;
  return CalendarFormat(kind, std::move(pattern), resolution);
}

std::optional<CalendarSeconds> CalendarFormat::Parse(std::string_view text) const {
  return pattern_ ? ParsePattern(*pattern_, text) : ParseIsoKind(text, kind_);
}

void CalendarFormat::Format(CalendarSeconds seconds, std::string& out) const {
  CHECK(seconds >= kFirstCalendarSecond && seconds <= kLastCalendarSecond);
  static constexpr std::string_view kIsoDate = "%Y-%m-%d";
  static constexpr std::string_view kIsoDateTime = "%Y-%m-%dT%H:%M:%S";
  const std::string_view pattern = pattern_ ? *pattern_ : kind_ == TimeKind::kDate ? kIsoDate : kIsoDateTime;
  CalendarFields fields = ToFields(seconds);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%') {
      out += pattern[i];
    } else if (const char conversion = pattern[++i]; conversion == '%') {
      out += '%';
    } else {
      fmt::format_to(std::back_inserter(out), "{:0{}}", *FieldOf(conversion, fields), conversion == 'Y' ? 4 : 2);
    }
  }
}

std::optional<CalendarSeconds> ParseIso(std::string_view text) {
  const std::optional<CalendarSeconds> date = ParseIsoKind(text, TimeKind::kDate);
  return date ? date : ParseIsoKind(text, TimeKind::kDateTime);
}

}  // namespace flaim
