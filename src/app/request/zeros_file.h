#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "data/schema/schema.h"
#include "model/estimation/estimation.h"

namespace flaim {

// Reads what no record can be, public knowledge that the model then never violates: a JSON file like
//   [{"columns": ["sex", "pregnant"], "impossible": [["M", "yes"]]}]
// with values as they stand in the data, or ranges (value_match.h). A value of a binned column stands for its bin.
absl::StatusOr<std::vector<StructuralZeros>> ReadZerosFile(const std::string& path, const Schema& schema);

}  // namespace flaim
