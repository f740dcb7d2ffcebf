#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

// Takes counts that somebody else has made, such as an engine that was asked through Python, if they can be the
// marginals of one table. An engine that leaves out rows with NULL, or counts while rows change, gives marginals that
// add up to different numbers of records; a sensitivity of one record says nothing of those. Messages name the clique
// and show no count.
class GivenCounts {
 public:
  explicit GivenCounts(Domain domain) : domain_(std::move(domain)) {}

  // Copies an array to the clique's cells and checks it in both ways below. What was refused is of no use.
  absl::Status Take(const Clique& clique, std::span<const std::size_t> shape, std::span<const std::int64_t> given,
                    std::span<std::int64_t> cells);

  // Whether an array of this shape holds the clique's cells: an axis for each attribute, or all of them in a row.
  absl::Status CheckShape(const Clique& clique, std::span<const std::size_t> shape) const;
  // No count below zero, and as many records as in every marginal that was ever checked.
  absl::Status CheckCounts(const Clique& clique, std::span<const std::int64_t> counts);

 private:
  Domain domain_;
  std::optional<std::int64_t> records_;
};

}  // namespace flaim
