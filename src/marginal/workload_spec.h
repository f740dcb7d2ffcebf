#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "marginal/workload.h"

namespace flaim {

// How a user asks for a workload, as a value.
struct AllKWaySpec {
  int k = 0;
  CellLimit cell_limit;

  bool operator==(const AllKWaySpec&) const = default;
};

struct RandomKWaySpec {
  std::size_t count = 0;
  int k = 0;
  std::uint64_t seed = 0;
  CellLimit cell_limit;

  bool operator==(const RandomKWaySpec&) const = default;
};

struct WorkloadFileSpec {
  std::string path;

  bool operator==(const WorkloadFileSpec&) const = default;
};

using WorkloadSpec = std::variant<AllKWaySpec, RandomKWaySpec, WorkloadFileSpec>;

// Understands
//   all:K, all:K:CELLS                      all K-way marginals (with at most CELLS cells)
//   random:COUNT:K:SEED[:CELLS]             COUNT random ones of them
// and takes anything else for the path of a JSON file.
absl::StatusOr<WorkloadSpec> ParseWorkloadSpec(const std::string& text);

// Makes the workload, reading the file if the spec names one.
//
// The random draw repeats itself for a given seed, on purpose: a workload is public and is recorded by its spec, so its
// randomness protects nobody. This is the one place outside tests where a seeded source is used for it.
absl::StatusOr<Workload> MakeWorkload(const Domain& domain, const WorkloadSpec& spec);

}  // namespace flaim
