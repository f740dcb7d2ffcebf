#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "base/random_source.h"
#include "data/table/table.h"
#include "model/inference/model.h"
#include "model/sampling/conditional_sampler.h"
#include "model/sampling/level_sampler.h"

namespace flaim {

enum class SamplingMethod {
  // Rows whose marginals stay closer to the model than chance: among the rows of a batch that agree on a node's
  // separator, each outcome of the node appears as often as expected, give or take less than one. Each row has the
  // model's distribution, but the rows of a batch are not independent.
  kRounded,
  // Independent rows.
  kExact,
};

// Draws synthetic rows from a model, down its junction tree: for each node, its own attributes given the separator,
// which the parent has drawn. Nothing here is private any more: whatever is drawn is post-processing of the model.
//
// If the model has levels, a value is drawn inside each bin that was drawn, in the same way: kRounded gives each value
// of a bin as often as the rows of a batch with that bin expect, give or take less than one.
//
// A record that the model excludes is never drawn. Takes as much memory as the model, and is independent of it once
// made. Not thread-safe: a call uses the buffers of the object.
class RowSampler {
 public:
  // REQUIRES: in each node, separator and rest have fewer than 2^32 states each.
  RowSampler(const Model& model, SamplingMethod method);

  // One batch, in random order. REQUIRES: at most 2^31 rows.
  Table Next(std::size_t rows, RandomSource& random);

 private:
  struct NodePlan {
    ConditionalSampler sampler;
    std::uint32_t states;
    std::vector<AttributeIndex> separator;
    std::vector<AttributeIndex> own;
  };

  struct LevelPlan {
    LevelSampler sampler;
    AttributeIndex attribute;
  };

  void FindStates(std::span<const AttributeIndex> separator, const std::vector<CodeColumn>& columns);
  template <typename Sampler>
  void DrawOutcomes(const Sampler& sampler, std::uint32_t states, RandomSource& random);
  template <typename Sampler>
  void DrawExactOutcomes(const Sampler& sampler, RandomSource& random);
  template <typename Sampler>
  void DrawRoundedOutcomes(const Sampler& sampler, std::uint32_t states, RandomSource& random);
  void WriteCodes(std::span<const AttributeIndex> own, std::vector<CodeColumn>& columns);

  Domain domain_;  // of the rows
  Domain bins_;    // of the tree: the same, if the model has no levels
  SamplingMethod method_;
  std::vector<NodePlan> plans_;
  std::vector<LevelPlan> level_plans_;
  // One entry for each row of the batch.
  std::vector<std::uint32_t> state_;
  std::vector<std::uint32_t> outcome_;
  std::vector<std::uint32_t> grouped_rows_;
  std::vector<std::uint32_t> grouped_outcomes_;
  std::vector<std::uint32_t> group_end_;  // one for each state
};

// At most this many rows are in memory at once. A batch is the range over which kRounded evens out.
inline constexpr std::size_t kBatchRows = std::size_t{1} << 20;

// Draws `rows` rows in batches of about equal size and hands them on, one after the other. Stops at the first error.
absl::Status StreamRows(RowSampler& sampler, std::uint64_t rows, RandomSource& random,
                        const std::function<absl::Status(const Table&)>& consume);

}  // namespace flaim
