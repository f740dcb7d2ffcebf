#include "data/guess/type_guess.h"

#include <algorithm>
#include <array>
#include <optional>

#include "data/types/boolean_type.h"
#include "data/types/integer_type.h"
#include "io/calendar_format.h"
#include "io/number_text.h"

namespace flaim {
namespace {

bool IsDigit(char character) { return character >= '0' && character <= '9'; }

bool HasLeadingZero(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && IsDigit(text[1]);
}

bool IsPlainInteger(std::string_view text) {
  const std::optional<std::int64_t> number = ParseInteger(text);
  return number && *number >= -IntegerType::kMaxMagnitude && *number <= IntegerType::kMaxMagnitude;
}

bool IsBooleanWord(std::string_view text) {
  static const BooleanSpec spec;
  const auto lists = [&](const std::vector<std::string>& spellings) {
    return std::find(spellings.begin(), spellings.end(), text) != spellings.end();
  };
  return !text.empty() && !IsDigit(text[0]) && (lists(spec.true_spellings) || lists(spec.false_spellings));
}

bool IsTime(std::string_view text, TimeKind kind) {
  static const CalendarFormat date = *CalendarFormat::Create(TimeKind::kDate, std::nullopt);
  static const CalendarFormat datetime = *CalendarFormat::Create(TimeKind::kDateTime, std::nullopt);
  return (kind == TimeKind::kDate ? date : datetime).Parse(text).has_value();
}

}  // namespace

std::string_view NameOf(GuessedType type) {
  static constexpr std::string_view kNames[] = {"categorical", "integer", "real", "boolean", "date", "datetime"};
  return kNames[static_cast<std::size_t>(type)];
}

bool IsUsualMissingMarker(std::string_view text) {
  static constexpr std::array<std::string_view, 13> kMarkers = {"",    "?",    "NA",   "N/A",  "n/a",  "#N/A", "NaN",
                                                                "nan", "null", "NULL", "None", "none", "-"};
  return std::find(kMarkers.begin(), kMarkers.end(), text) != kMarkers.end();
}

void TypeGuess::Observe(std::string_view text) {
  if (IsUsualMissingMarker(text)) return;
  has_seen_values_ = true;
  can_be_integer_ = can_be_integer_ && !HasLeadingZero(text) && IsPlainInteger(text);
  can_be_real_ = can_be_real_ && !HasLeadingZero(text) && ParseReal(text).has_value();
  can_be_boolean_ = can_be_boolean_ && IsBooleanWord(text);
  can_be_date_ = can_be_date_ && IsTime(text, TimeKind::kDate);
  can_be_datetime_ = can_be_datetime_ && IsTime(text, TimeKind::kDateTime);
}

GuessedType TypeGuess::Best() const {
  if (!has_seen_values_) return GuessedType::kCategorical;
  if (can_be_integer_) return GuessedType::kInteger;
  if (can_be_real_) return GuessedType::kReal;
  if (can_be_boolean_) return GuessedType::kBoolean;
  if (can_be_date_) return GuessedType::kDate;
  if (can_be_datetime_) return GuessedType::kDateTime;
  return GuessedType::kCategorical;
}

}  // namespace flaim
