#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arrow/value_text.h"
#include "arrow/values.h"
#include "data/schema/column.h"
#include "data/schema/schema.h"

namespace flaim {

// Codes of the values of one Arrow column. A value has the code that Column::Encode gives its text, with three
// additions where a text would be poorer than the value: NaN is missing, a truth value needs no spelling of a boolean
// column, and a time needs no format of a date or datetime column (what is finer than the format is cut off, but a
// date column takes no time of day other than midnight, and a datetime column no date).
//
// Values inside the bounds skip the text: the column's type finds their bin. That gives the same, because no marker of
// a missing value is an ordinary value of its column. All others go the way of the text. Allocates nothing for each
// value. Not thread-safe: it reuses one buffer.
class CodeEncoder {
 public:
  using Result = Encoded;

  // The column must outlive it.
  CodeEncoder(const Column& column, const ArrowType& type, bool trim_blanks);

  static bool IsAccepted(const Encoded& encoded) { return encoded.outcome == EncodeOutcome::kExact; }

  Encoded Missing() const {
    if (column_.spec().nullable) return {column_.size() - 1, EncodeOutcome::kExact};
    return {0, EncodeOutcome::kMissing};
  }
  std::string ExplainMissing() const;

  Encoded Encode(bool value) {
    if (boolean_ != nullptr) return {value ? 1U : 0U, EncodeOutcome::kExact};
    return EncodeText(value);
  }
  Encoded Encode(std::int64_t value) {
    if (integer_ != nullptr) return IfExact(integer_->EncodeNumber(value), value);
    if (value >= 0 && value < std::ssize(small_)) return small_[static_cast<std::size_t>(value)];
    if (real_ != nullptr && IsExactAsDouble(value))
      return IfExact(real_->EncodeNumber(static_cast<double>(value)), value);
    return EncodeText(value);
  }
  Encoded Encode(std::uint64_t value) {
    if (static_cast<std::int64_t>(value) >= 0) return Encode(static_cast<std::int64_t>(value));
    return EncodeText(value);
  }
  Encoded Encode(HalfValue value);
  Encoded Encode(float value);
  Encoded Encode(double value);
  Encoded Encode(std::string_view value) { return column_.Encode(trim_blanks_ ? TrimBlanks(value) : value); }
  Encoded Encode(DateValue value) {
    if (IsTime(TimeKind::kDate)) return IfExact(time_->EncodeTime(value.days * kSecondsPerDay), value);
    return EncodeText(value);
  }
  Encoded Encode(TimestampValue value) {
    const bool is_taken = IsTime(TimeKind::kDateTime) || (IsTime(TimeKind::kDate) && IsMidnight(value));
    if (is_taken) return IfExact(time_->EncodeTime(value.seconds), value);
    return EncodeText(value);
  }
  Encoded Encode(DecimalValue value) { return EncodeText(value); }

  // Why a value was refused.
  template <typename Value>
  std::string Explain(const Value& value, const Encoded& refused) {
    if (refused.outcome == EncodeOutcome::kMissing && IsNotANumber(value)) return ExplainMissing();
    return column_.Explain(Text(value), refused.outcome);
  }

 private:
  static constexpr std::int64_t kSmallIntegers = 1024;

  static bool IsExactAsDouble(std::int64_t value) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 53;
    return value >= -kLargest && value <= kLargest;
  }
  static bool IsMidnight(const TimestampValue& value) {
    return value.nanoseconds == 0 && value.seconds % kSecondsPerDay == 0;
  }
  template <typename Value>
  static bool IsNotANumber(const Value& value) {
    if constexpr (std::is_floating_point_v<Value>) return value != value;
    if constexpr (std::is_same_v<Value, HalfValue>) return IsNotANumber(value.ToFloat());
    return false;
  }

  bool IsTime(TimeKind kind) const { return time_ != nullptr && time_->spec().kind == kind; }

  template <typename Value>
  Encoded IfExact(const Encoded& encoded, const Value& value) {
    if (encoded.outcome == EncodeOutcome::kExact) [[likely]]
      return encoded;
    return EncodeText(value);
  }
  template <typename Value>
  Encoded EncodeText(const Value& value) {
    return column_.Encode(Text(value));
  }

  // Valid until the next call.
  template <typename Value>
  std::string_view Text(const Value& value) {
    text_.clear();
    AppendText(value, text_);
    return text_;
  }
  std::string_view Text(std::string_view value) { return trim_blanks_ ? TrimBlanks(value) : value; }
  std::string_view Text(const DateValue& value);
  std::string_view Text(const TimestampValue& value);
  std::string_view TextInFormat(CalendarSeconds seconds);

  const Column& column_;
  const IntegerType* integer_;
  const RealType* real_;
  const BooleanType* boolean_;
  const TimeType* time_;
  const bool trim_blanks_;
  // What the texts of the first whole numbers mean, for columns that are not of numbers.
  std::vector<Encoded> small_;
  std::string text_;
};

}  // namespace flaim
