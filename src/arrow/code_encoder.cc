#include "arrow/code_encoder.h"

#include <cmath>
#include <limits>
#include <variant>

namespace flaim {

CodeEncoder::CodeEncoder(const Column& column, const ArrowType& type, bool trim_blanks)
    : column_(column),
      integer_(std::get_if<IntegerType>(&column.spec().type)),
      real_(std::get_if<RealType>(&column.spec().type)),
      boolean_(std::get_if<BooleanType>(&column.spec().type)),
      time_(std::get_if<TimeType>(&column.spec().type)),
      trim_blanks_(trim_blanks) {
  if (!type.IsInteger() || integer_ != nullptr || real_ != nullptr) return;
  small_.reserve(kSmallIntegers);
  for (std::int64_t number = 0; number < kSmallIntegers; ++number) small_.push_back(EncodeText(number));
}

std::string CodeEncoder::ExplainMissing() const {
  const std::vector<std::string>& markers = column_.missing();
  return column_.Explain(markers.empty() ? "" : markers.front(), EncodeOutcome::kMissing);
}

Encoded CodeEncoder::Encode(HalfValue value) {
  const double number = value.ToFloat();
  if (std::isnan(number)) return Missing();
  return std::trunc(number) == number ? Encode(number) : EncodeText(value);
}

// The text of a float is some number between its two neighbours. If those lie in one bin, so does the number.
Encoded CodeEncoder::Encode(float value) {
  if (std::isnan(value)) return Missing();
  if (integer_ != nullptr) return Encode(double{value});
  if (real_ == nullptr) return EncodeText(value);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Encoded below = real_->EncodeNumber(double{std::nextafter(value, -kInfinity)});
  const Encoded above = real_->EncodeNumber(double{std::nextafter(value, kInfinity)});
  return below == above ? IfExact(below, value) : EncodeText(value);
}

Encoded CodeEncoder::Encode(double value) {
  if (std::isnan(value)) return Missing();
  if (real_ != nullptr) return IfExact(real_->EncodeNumber(value), value);
  const bool is_whole = std::abs(value) < 0x1p63 && std::trunc(value) == value;
  if (integer_ != nullptr && is_whole) return IfExact(integer_->EncodeNumber(static_cast<std::int64_t>(value)), value);
  return EncodeText(value);
}

std::string_view CodeEncoder::Text(const DateValue& value) {
  if (IsTime(TimeKind::kDate)) return TextInFormat(value.days * kSecondsPerDay);
  return Text<DateValue>(value);
}

std::string_view CodeEncoder::Text(const TimestampValue& value) {
  const bool is_taken = IsTime(TimeKind::kDateTime) || (IsTime(TimeKind::kDate) && IsMidnight(value));
  return is_taken ? TextInFormat(value.seconds) : Text<TimestampValue>(value);
}

std::string_view CodeEncoder::TextInFormat(CalendarSeconds seconds) {
  if (seconds < kFirstCalendarSecond || seconds > kLastCalendarSecond) {
    return Text<TimestampValue>(TimestampValue{seconds, 0});
  }
  text_.clear();
  time_->format().Format(time_->format().RoundDown(seconds), text_);
  return text_;
}

}  // namespace flaim
