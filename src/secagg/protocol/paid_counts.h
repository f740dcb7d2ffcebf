#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "privacy/release/sum_permit.h"

namespace flaim::secagg {

// A participant's exact counts on their way into one sum, block by block. Only a SumPermit makes them, and is used up
// by it: counts that nobody paid for, or that were paid for once and are added twice, do not compile
// (tests/compile_fail). They are not left behind in memory, whichever way they go.
class PaidCounts {
 public:
  // Stops the program if the permit was used before.
  explicit PaidCounts(SumPermit permit);
  PaidCounts(PaidCounts&&) noexcept = default;
  PaidCounts& operator=(PaidCounts&&) = delete;
  ~PaidCounts();

  // Of the next block, in the order of the terms.
  void AddBlock(std::vector<std::int64_t> counts) { blocks_.push_back(std::move(counts)); }

  // What was paid for; nothing for counts that are made up (made_up_counts.h).
  const std::optional<SumPermit>& permit() const { return permit_; }
  std::span<const std::vector<std::int64_t>> blocks() const { return blocks_; }

 private:
  friend PaidCounts MadeUpCounts(std::vector<std::vector<std::int64_t>> blocks);
  PaidCounts() = default;

  std::optional<SumPermit> permit_;
  std::vector<std::vector<std::int64_t>> blocks_;
};

}  // namespace flaim::secagg
