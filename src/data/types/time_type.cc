#include "data/types/time_type.h"

#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/status.h"
#include "data/types/integer_bins.h"

namespace flaim {
namespace {

constexpr std::array<std::pair<CalendarUnit, std::string_view>, 6> kUnitNames = {{{CalendarUnit::kMinute, "minute"},
                                                                                  {CalendarUnit::kHour, "hour"},
                                                                                  {CalendarUnit::kDay, "day"},
                                                                                  {CalendarUnit::kWeek, "week"},
                                                                                  {CalendarUnit::kMonth, "month"},
                                                                                  {CalendarUnit::kYear, "year"}}};

CalendarSeconds ShortestOf(CalendarUnit unit) {
  if (unit == CalendarUnit::kMinute) return kSecondsPerMinute;
  return unit == CalendarUnit::kHour ? kSecondsPerHour : kSecondsPerDay;
}

CalendarSeconds ToSeconds(std::chrono::sys_days day) {
  return static_cast<CalendarSeconds>(day.time_since_epoch().count()) * kSecondsPerDay;
}

// The start of the unit after the one that `time` lies in.
CalendarSeconds NextStart(CalendarUnit unit, CalendarSeconds time) {
  namespace chrono = std::chrono;
  if (unit == CalendarUnit::kMinute || unit == CalendarUnit::kHour || unit == CalendarUnit::kDay) {
    const CalendarSeconds length = ShortestOf(unit);
    const CalendarSeconds since_start = (time % length + length) % length;
    return time - since_start + length;
  }
  const auto today = chrono::floor<chrono::days>(chrono::sys_seconds(chrono::seconds(time)));
  if (unit == CalendarUnit::kWeek) {
    const chrono::days since_monday = chrono::weekday(today) - chrono::Monday;
    return ToSeconds(today - since_monday + chrono::days(7));
  }
  const chrono::year_month_day date(today);
  if (unit == CalendarUnit::kYear) return ToSeconds((date.year() + chrono::years(1)) / chrono::January / 1);
  return ToSeconds((date.year() / date.month() + chrono::months(1)) / 1);
}

absl::StatusOr<std::vector<CalendarSeconds>> UnitEdges(const TimeSpec& spec, CalendarSeconds resolution,
                                                       CalendarUnit unit) {
  if (ShortestOf(unit) < resolution) {
    return InvalidArgument("has bin \"{}\", which is finer than its format can express", NameOf(unit));
  }
  if ((spec.max - spec.min) / ShortestOf(unit) > 366 * kMaxCodesPerColumn) {
    return InvalidArgument("has too many bins of one {}; choose a larger unit", NameOf(unit));
  }
  const CalendarSeconds end = spec.max + resolution;
  std::vector<CalendarSeconds> edges = {spec.min};
  for (CalendarSeconds start = NextStart(unit, spec.min); start < end; start = NextStart(unit, start)) {
    edges.push_back(start);
    if (static_cast<std::int64_t>(edges.size()) > kMaxCodesPerColumn) {
      return InvalidArgument("has more than {} bins of one {}; choose a larger unit", kMaxCodesPerColumn, NameOf(unit));
    }
  }
  edges.push_back(end);
  return edges;
}

absl::StatusOr<std::vector<CalendarSeconds>> EdgesOf(const TimeSpec& spec, CalendarSeconds resolution) {
  if (const auto* unit = std::get_if<CalendarUnit>(&spec.bins)) return UnitEdges(spec, resolution, *unit);
  const std::int64_t steps = (spec.max - spec.min) / resolution + 1;
  const auto* bins = std::get_if<std::int64_t>(&spec.bins);
  if (bins == nullptr && steps > TimeType::kMaxStepsWithoutBins) {
    return InvalidArgument(R"(spans {} different values; state 'bin' ("day", "week", "month", ...) or 'bins')", steps);
  }
  return EqualBinEdges({.first = spec.min, .count = steps, .step = resolution}, bins != nullptr ? *bins : steps);
}

}  // namespace

std::string_view NameOf(CalendarUnit unit) { return kUnitNames[static_cast<std::size_t>(unit)].second; }

std::optional<CalendarUnit> CalendarUnitNamed(std::string_view name) {
  for (const auto& [unit, unit_name] : kUnitNames) {
    if (unit_name == name) return unit;
  }
  return std::nullopt;
}

absl::StatusOr<TimeType> TimeType::Create(TimeSpec spec) {
  ASSIGN_OR_RETURN(CalendarFormat format, CalendarFormat::Create(spec.kind, spec.format));
  const CalendarSeconds resolution = format.resolution_seconds();
  if (spec.min < kFirstCalendarSecond || spec.max > kLastCalendarSecond) {
    return InvalidArgument("has bounds outside the years 1 to 9999");
  }
  if (spec.min > spec.max) return InvalidArgument("has min after max; swap them");
  if (spec.min % resolution != 0 || spec.max % resolution != 0) {
    return InvalidArgument("has a min or max that its format cannot express; leave out the finer part");
  }
  ASSIGN_OR_RETURN(std::vector<CalendarSeconds> edges, EdgesOf(spec, resolution));
  return TimeType(std::move(spec), std::move(format), BinEdges<CalendarSeconds>(std::move(edges)));
}

Encoded TimeType::Encode(std::string_view text) const {
  const std::optional<CalendarSeconds> time = format_.Parse(text);
  if (!time) return {0, EncodeOutcome::kMalformed};
  return EncodeTime(*time);
}

Encoded TimeType::EncodeTime(CalendarSeconds time) const {
  if (time < kFirstCalendarSecond || time > kLastCalendarSecond) return {0, EncodeOutcome::kMalformed};
  const CalendarSeconds whole = format_.RoundDown(time);
  if (whole < spec_.min) return {0, EncodeOutcome::kBelow};
  if (whole > spec_.max) return {size() - 1, EncodeOutcome::kAbove};
  return {bins_.Find(whole), EncodeOutcome::kExact};
}

void TimeType::Decode(std::uint32_t code, RandomSource& random, std::string& out) const {
  CHECK(code < size());
  const CalendarSeconds resolution = format_.resolution_seconds();
  const auto steps = static_cast<std::uint64_t>((bins_.upper(code) - bins_.lower(code)) / resolution);
  const auto step = static_cast<CalendarSeconds>(random.NextBelow(steps));
  format_.Format(bins_.lower(code) + step * resolution, out);
}

}  // namespace flaim
