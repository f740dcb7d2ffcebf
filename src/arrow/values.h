#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "arrow/array_view.h"
#include "arrow/half_value.h"
#include "base/check.h"
#include "base/int128.h"
#include "io/calendar_format.h"

namespace flaim {

// The values of Arrow arrays as C++ knows them. Whole numbers are std::int64_t (std::uint64_t if they need it), floats
// float or double, texts std::string_view, truth values bool; the rest has no type in C++:

struct DateValue {
  std::int64_t days = 0;  // since 1970-01-01
};

struct TimestampValue {
  CalendarSeconds seconds = 0;
  std::int64_t nanoseconds = 0;  // of the second
};

struct DecimalValue {
  Int128 units = 0;
  int decimals = 0;  // the number is units / 10^decimals
};

// Rounds towards minus infinity, so that the remainder is not negative. REQUIRES: divisor > 0.
struct Division {
  std::int64_t quotient;
  std::int64_t remainder;
};
inline Division DivideDown(std::int64_t dividend, std::int64_t divisor) {
  const Division division{dividend / divisor, dividend % divisor};
  if (division.remainder >= 0) return division;
  return {division.quotient - 1, division.remainder + divisor};
}

// Calls the visitor with something that gives the value of a row that is not null: visitor([](row) -> value).
// REQUIRES: not a dictionary's indices, unless they are what is asked for.
template <typename Visitor>
auto VisitValues(const ArrayView& view, Visitor&& visitor) {
  const auto integers = [&]<typename Stored>(Stored) {
    using Wide = std::conditional_t<std::same_as<Stored, std::uint64_t>, std::uint64_t, std::int64_t>;
    return visitor([&view](std::int64_t row) { return static_cast<Wide>(view.Load<Stored>(row)); });
  };
  switch (view.type().kind) {
    case ArrowKind::kNull:
      return visitor([](std::int64_t) { return false; });
    case ArrowKind::kBoolean:
      return visitor([&view](std::int64_t row) { return view.LoadBit(row); });
    case ArrowKind::kInt8:
      return integers(std::int8_t{});
    case ArrowKind::kInt16:
      return integers(std::int16_t{});
    case ArrowKind::kInt32:
      return integers(std::int32_t{});
    case ArrowKind::kInt64:
      return integers(std::int64_t{});
    case ArrowKind::kUInt8:
      return integers(std::uint8_t{});
    case ArrowKind::kUInt16:
      return integers(std::uint16_t{});
    case ArrowKind::kUInt32:
      return integers(std::uint32_t{});
    case ArrowKind::kUInt64:
      return integers(std::uint64_t{});
    case ArrowKind::kFloat16:
      return visitor([&view](std::int64_t row) { return HalfValue{view.Load<std::uint16_t>(row)}; });
    case ArrowKind::kFloat32:
      return visitor([&view](std::int64_t row) { return view.Load<float>(row); });
    case ArrowKind::kFloat64:
      return visitor([&view](std::int64_t row) { return view.Load<double>(row); });
    case ArrowKind::kText:
      return visitor([&view](std::int64_t row) { return view.LoadText<std::int32_t>(row); });
    case ArrowKind::kLargeText:
      return visitor([&view](std::int64_t row) { return view.LoadText<std::int64_t>(row); });
    case ArrowKind::kTextView:
      return visitor([&view](std::int64_t row) { return view.LoadTextView(row); });
    case ArrowKind::kDate32:
      return visitor([&view](std::int64_t row) { return DateValue{view.Load<std::int32_t>(row)}; });
    case ArrowKind::kDate64:
      return visitor([&view](std::int64_t row) {
        constexpr std::int64_t kMillisecondsPerDay = 1000 * kSecondsPerDay;
        return DateValue{DivideDown(view.Load<std::int64_t>(row), kMillisecondsPerDay).quotient};
      });
    case ArrowKind::kTimestamp:
      return visitor([&view](std::int64_t row) {
        const std::int64_t units_per_second = view.type().units_per_second;
        const Division division = DivideDown(view.Load<std::int64_t>(row), units_per_second);
        return TimestampValue{division.quotient, division.remainder * (1'000'000'000 / units_per_second)};
      });
    case ArrowKind::kDecimal:
      return visitor([&view](std::int64_t row) { return DecimalValue{view.Load<Int128>(row), view.type().decimals}; });
  }
  CHECK(false, "an Arrow type that nobody reads");
}

}  // namespace flaim
