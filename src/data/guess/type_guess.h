#pragma once

#include <cstdint>
#include <string_view>

namespace flaim {

enum class GuessedType : std::uint8_t { kCategorical, kInteger, kReal, kBoolean, kDate, kDateTime };

// As a schema file names it.
std::string_view NameOf(GuessedType type);

// True for texts that commonly stand for a missing value: "", "?", "NA", "N/A", "NaN", "null", ... Words that may well
// be ordinary values, such as "unknown", are not among them.
bool IsUsualMissingMarker(std::string_view text);

// The narrowest type that fits all texts seen so far. Usual missing markers say nothing. A number with a leading zero,
// such as a postal code, counts as a text; so do words for true and false that are digits.
class TypeGuess {
 public:
  void Observe(std::string_view text);
  GuessedType Best() const;

 private:
  bool has_seen_values_ = false;
  bool can_be_integer_ = true;
  bool can_be_real_ = true;
  bool can_be_boolean_ = true;
  bool can_be_date_ = true;
  bool can_be_datetime_ = true;
};

}  // namespace flaim
