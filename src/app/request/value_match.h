#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/column.h"
#include "data/schema/schema.h"
#include "model/inference/condition.h"

namespace flaim {

// The codes that a user means by a text. A value, as it stands in the data, is one code. For columns of numbers and
// dates also a range LOW..HIGH, either end of which may be left out: every code whose values overlap it. A code that
// stands for several values (a bin) is meant as a whole. The error for an unknown value says what there is.
absl::StatusOr<std::vector<std::uint32_t>> CodesMeantBy(const Column& column, const std::string& text);

// Whether a code of the column can stand for several values.
bool HasBins(const Column& column);

// What conditions like COLUMN=VALUE say together: several for one column mean any of these, several columns
// mean that all must hold. In the order of the columns.
absl::StatusOr<std::vector<Evidence>> ParseConditions(const Schema& schema, const std::vector<std::string>& conditions);

}  // namespace flaim
