#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"

namespace flaim {

// Reads the two JSON formats that benchmark datasets come with. `name` is the file's, for messages.
//
// An array describes columns: {"name", "type": "categorical", "values"} or {"name", "type": "numeric", "min", "max"},
// with optional "full_min", "full_max" (bounds of the complete data, which then count) and "bins" (32 without). A
// numeric column becomes a real one that clamps, also when its bounds are whole numbers, because whole bounds do not
// make whole values (an angle from 0 to 90); only min == max, a constant, becomes an integer column with one code.
//
// An object gives columns of integer codes: name -> number of codes. Such a column holds 0, ..., number - 1.
absl::StatusOr<Schema> ParseSchemaJson(std::string_view text, std::string_view name);

}  // namespace flaim
