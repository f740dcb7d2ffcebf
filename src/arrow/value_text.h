#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "arrow/values.h"

namespace flaim {

// Appends the text that a value would have in a CSV file. Whole numbers are their digits, also where they are stored as
// floats or decimals; other floats are the shortest text that reads back as the same number; truth values are "true"
// and "false"; times are ISO 8601, with as many digits of the second as they need.
void AppendText(bool value, std::string& out);
void AppendText(std::int64_t value, std::string& out);
void AppendText(std::uint64_t value, std::string& out);
void AppendText(HalfValue value, std::string& out);
void AppendText(float value, std::string& out);
void AppendText(double value, std::string& out);
void AppendText(std::string_view value, std::string& out);
void AppendText(DateValue value, std::string& out);
void AppendText(TimestampValue value, std::string& out);
void AppendText(DecimalValue value, std::string& out);

}  // namespace flaim
