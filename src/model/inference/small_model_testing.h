#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/inference/brute_force_testing.h"
#include "model/inference/model.h"

namespace flaim {

// A Model of 1000 records from a small random one; nothing if its potentials exclude every record.
std::optional<Model> Calibrate(const RandomModel& random_model);

Clique AllAttributes(const Domain& domain);

// The codes of the record at a cell of the marginal over AllAttributes().
std::vector<std::uint32_t> DecodeRecord(const Domain& domain, std::size_t cell);

}  // namespace flaim
