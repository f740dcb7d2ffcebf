#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "data/types/bin_edges.h"
#include "data/types/encoded.h"
#include "io/calendar_format.h"

namespace flaim {

// Bins that follow the calendar. A week starts on Monday. The first and the last bin end at min and max.
enum class CalendarUnit : std::uint8_t { kMinute, kHour, kDay, kWeek, kMonth, kYear };

std::string_view NameOf(CalendarUnit unit);
std::optional<CalendarUnit> CalendarUnitNamed(std::string_view name);

struct TimeSpec {
  // No statement, a number of bins whose widths differ by at most one step of the format, or calendar units.
  using Bins = std::variant<std::monostate, std::int64_t, CalendarUnit>;

  TimeKind kind = TimeKind::kDate;
  CalendarSeconds min = 0;
  CalendarSeconds max = 0;
  Bins bins;
  std::optional<std::string> format;  // see CalendarFormat

  bool operator==(const TimeSpec&) const = default;
};

// Dates, or dates with a time of day, from min to max, both included. Without a statement of bins every day (hour,
// minute, second: what the format can express) is a code of its own.
class TimeType {
 public:
  static constexpr std::int64_t kMaxStepsWithoutBins = 256;

  static absl::StatusOr<TimeType> Create(TimeSpec spec);

  const TimeSpec& spec() const { return spec_; }
  const CalendarFormat& format() const { return format_; }
  std::uint32_t size() const { return bins_.size(); }
  Encoded Encode(std::string_view text) const;
  // What Encode gives for a text that means this time. Parts that are finer than the format are cut off.
  Encoded EncodeTime(CalendarSeconds time) const;
  // Appends a time that is uniform within the bin.
  void Decode(std::uint32_t code, RandomSource& random, std::string& out) const;

  bool operator==(const TimeType& that) const { return spec_ == that.spec_; }

 private:
  TimeType(TimeSpec spec, CalendarFormat format, BinEdges<CalendarSeconds> bins)
      : spec_(std::move(spec)), format_(std::move(format)), bins_(std::move(bins)) {}

  TimeSpec spec_;
  CalendarFormat format_;
  BinEdges<CalendarSeconds> bins_;
};

}  // namespace flaim
