#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace flaim {

// Seconds since 1970-01-01 00:00 of the proleptic Gregorian calendar, without time zones and leap seconds.
using CalendarSeconds = std::int64_t;

inline constexpr CalendarSeconds kSecondsPerMinute = 60;
inline constexpr CalendarSeconds kSecondsPerHour = 3600;
inline constexpr CalendarSeconds kSecondsPerDay = 86400;
inline constexpr CalendarSeconds kFirstCalendarSecond = -62'135'596'800;  // 0001-01-01T00:00:00
inline constexpr CalendarSeconds kLastCalendarSecond = 253'402'300'799;   // 9999-12-31T23:59:59

enum class TimeKind : std::uint8_t { kDate, kDateTime };

// How a date, or a date with a time of day, is read and written.
//
// Without a pattern: ISO 8601. A date is 2024-02-29. A date with time is 2024-02-29T13:05:59, where a blank may stand
// for the T, the seconds may be absent, a fraction of a second is cut off and a final Z is ignored; it is written in
// full. Other time zones are refused: there is no right way to drop them.
//
// With a pattern: %Y (four digits), %m, %d, %H, %M, %S (one or two digits, written as two), %% and any other
// characters as they are. A date needs %Y %m %d; a date with time also %H, %H %M or %H %M %S; each at most once.
class CalendarFormat {
 public:
  static absl::StatusOr<CalendarFormat> Create(TimeKind kind, std::optional<std::string> pattern);

  TimeKind kind() const { return kind_; }
  const std::optional<std::string>& pattern() const { return pattern_; }
  // The smallest step that the format can express: a day, an hour, a minute or a second.
  CalendarSeconds resolution_seconds() const { return resolution_seconds_; }

  // The last multiple of the resolution that is not after the time.
  CalendarSeconds RoundDown(CalendarSeconds time) const {
    const CalendarSeconds over = time % resolution_seconds_;
    return time - (over < 0 ? over + resolution_seconds_ : over);
  }

  // Nothing unless all of the text fits and the date exists (years 1 to 9999).
  std::optional<CalendarSeconds> Parse(std::string_view text) const;
  // Appends. REQUIRES: a multiple of the resolution in the years 1 to 9999.
  void Format(CalendarSeconds seconds, std::string& out) const;

  bool operator==(const CalendarFormat&) const = default;

 private:
  CalendarFormat(TimeKind kind, std::optional<std::string> pattern, CalendarSeconds resolution_seconds)
      : kind_(kind), pattern_(std::move(pattern)), resolution_seconds_(resolution_seconds) {}

  TimeKind kind_;
  std::optional<std::string> pattern_;
  CalendarSeconds resolution_seconds_;
};

// ISO 8601, with or without time of day.
std::optional<CalendarSeconds> ParseIso(std::string_view text);

}  // namespace flaim
