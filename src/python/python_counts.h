#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "marginal/given_counts.h"
#include "marginal/private_rows.h"

namespace flaim::python {

// Counts that a Python callable brings: count(list of tuples of column names) -> list of numpy arrays of int64, one for
// each clique, in its shape or flat. It is called with the interpreter's lock, on the thread that asks.
//
// What it returns is checked: the number of arrays, their type, and what GivenCounts checks.
class PythonCounts final : public PrivateRows {
 public:
  PythonCounts(Domain domain, nanobind::callable count)
      : domain_(std::move(domain)), given_(domain_), count_(std::move(count)) {}

  const Domain& domain() const override { return domain_; }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override;
  bool CountsAnyClique() const override { return false; }

  // With the lock: goes on with what the callable raised, if it did.
  void RaiseIfFailed();

  // For the garbage collector: the callable may refer to whoever holds this object.
  nanobind::handle callable() const { return count_; }
  void Forget() { count_.reset(); }

 private:
  // Copies the counts of each clique to where they belong.
  absl::Status Ask(std::span<const Clique> cliques, std::span<const std::span<std::int64_t>> cells);
  absl::Status Take(const Clique& clique, nanobind::handle counts, std::span<std::int64_t> cells);

  Domain domain_;
  GivenCounts given_;
  nanobind::object count_;
  std::optional<nanobind::python_error> error_;
};

}  // namespace flaim::python
