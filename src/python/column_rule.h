#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "data/schema/column.h"

namespace flaim::python {

// Where the codes of a column of numbers or times begin: code i is of the numbers from lowest[i] to just below
// lowest[i + 1], the last one up to and including `highest`. Found by asking the column's own type, so that whoever
// compares with these numbers encodes as the type does. Times are seconds since 1970.
template <typename Number>
struct Bins {
  std::vector<Number> lowest;
  Number highest;
};

inline constexpr std::int64_t kRefused = -1;

// What another engine needs to know to compute the codes of a column by itself.
struct ColumnRule {
  // Nothing for a column whose codes are texts.
  std::variant<std::monostate, Bins<std::int64_t>, Bins<double>> bins;
  // Of a categorical or boolean column: the texts that it lists and its markers of missing values, each with its code,
  // and the code of all other texts. Refused ones have kRefused.
  std::vector<std::pair<std::string, std::int64_t>> texts;
  std::int64_t other_texts = kRefused;
  // Of a column of dates or times: markers of missing values that its format would write, as seconds since 1970.
  std::vector<std::int64_t> missing_times;
  // The smallest step of a column of dates or times.
  std::int64_t resolution_seconds = 0;
};

ColumnRule RuleOf(const Column& column);

}  // namespace flaim::python
