#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "model/inference/model.h"

namespace flaim {

// What is known about one attribute of a record: its code is one of these.
struct Evidence {
  AttributeIndex attribute;
  std::vector<std::uint32_t> allowed;
};

// The model of the records for which all of the evidence holds: its marginals are the conditional ones, its total the
// number of such records that `model` expects. Exact: what is ruled out gets a potential of -infinity. Of a bin of
// values the share that remains allowed enters as its logarithm, and the levels are those among the allowed values. An
// error for an unknown attribute or code, when no record remains possible, and when what remains is too improbable for
// a double.
absl::StatusOr<Model> Condition(const Model& model, std::span<const Evidence> evidence, Parallel& parallel);

}  // namespace flaim
