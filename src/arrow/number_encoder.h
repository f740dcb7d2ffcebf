#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "arrow/value_text.h"
#include "data/schema/schema.h"
#include "fmt/format.h"
#include "io/message_text.h"
#include "io/number_text.h"

namespace flaim {

// Whole numbers from the values of an Arrow column: what ParseInteger() makes of their texts.
class NumberEncoder {
 public:
  using Result = std::optional<std::int64_t>;

  explicit NumberEncoder(bool trim_blanks) : trim_blanks_(trim_blanks) {}

  static bool IsAccepted(const Result& number) { return number.has_value(); }

  static Result Missing() { return std::nullopt; }
  static std::string ExplainMissing() { return ExplainText(""); }

  static Result Encode(std::int64_t value) { return value; }
  template <typename Value>
  Result Encode(const Value& value) {
    return ParseInteger(Text(value));
  }

  template <typename Value>
  std::string Explain(const Value& value, const Result&) {
    return ExplainText(Text(value));
  }

 private:
  template <typename Value>
  std::string_view Text(const Value& value) {
    text_.clear();
    AppendText(value, text_);
    return trim_blanks_ ? TrimBlanks(text_) : text_;
  }
  static std::string ExplainText(std::string_view text) {
    return fmt::format("{} is not a whole number; correct it", QuoteForMessage(text));
  }

  const bool trim_blanks_;
  std::string text_;
};

}  // namespace flaim
