#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "marginal/clique.h"
#include "model/inference/model.h"

namespace flaim::api {

// The columns as a clique. Refuses one that the domain has not.
absl::StatusOr<Clique> CliqueOf(const Domain& domain, const std::vector<std::string>& columns);

// P(columns), row-major in the order of the domain. Refuses more than 2^28 cells.
absl::StatusOr<std::vector<double>> MarginalOf(const flaim::Model& model, const std::vector<std::string>& columns);

}  // namespace flaim::api
