#include "secagg/protocol/contribution.h"

#include <algorithm>
#include <span>

#include "base/status.h"
#include "sodium.h"

namespace flaim::secagg {
namespace {

// Counts without a mask are not left behind in memory, whichever way they go.
struct BareCounts {
  std::vector<std::int64_t> values;
  ~BareCounts() { sodium_memzero(values.data(), values.size() * sizeof(std::int64_t)); }
};

absl::Status CheckSize(const SessionTerms& terms, BlockIndex block, std::span<const std::int64_t> counts) {
  if (counts.size() != terms.blocks[block].entries) {
    return InvalidArgument("block {} has {} entries in the terms; the counts given for it do not fit", block,
                           terms.blocks[block].entries);
  }
  return absl::OkStatus();
}

// Neighbouring blocks with the same noise are drawn for together: a sampler is made once for all of them.
void AddNoise(const SessionTerms& terms, const Layout& layout, RandomSource& noise, std::span<std::int64_t> values) {
  const std::vector<BlockIndex>& blocks = layout.blocks();
  for (std::size_t first = 0; first < blocks.size();) {
    const Rational& sigma_squared = terms.blocks[blocks[first]].sigma_squared;
    std::size_t end = first;
    std::size_t entries = 0;
    for (; end < blocks.size() && terms.blocks[blocks[end]].sigma_squared == sigma_squared; ++end) {
      entries += terms.blocks[blocks[end]].entries;
    }
    NoiseOf(terms, blocks[first]).AddShare(noise, values.first(entries));
    values = values.subspan(entries);
    first = end;
  }
}

}  // namespace

absl::Status AddContribution(const SessionTerms& terms, const Layout& layout, const std::vector<BlockIndex>& choices,
                             const CountsOfBlock& counts, RandomSource& noise, RingVector& vector) {
  BareCounts contribution{.values = std::vector<std::int64_t>(layout.entries())};
  std::span<std::int64_t> rest = contribution.values;
  for (const BlockIndex block : layout.blocks()) {
    const std::span<std::int64_t> values = rest.first(terms.blocks[block].entries);
    rest = rest.subspan(values.size());
    if (!terms.blocks[block].always && !std::binary_search(choices.begin(), choices.end(), block)) continue;
    BareCounts own;
    ASSIGN_OR_RETURN(own.values, counts(block));
    RETURN_IF_ERROR(CheckSize(terms, block, own.values));
    std::transform(own.values.begin(), own.values.end(), values.begin(),
                   [&terms](std::int64_t count) { return std::clamp(count, -terms.entry_bound, terms.entry_bound); });
  }
  AddNoise(terms, layout, noise, contribution.values);
  vector.Add(contribution.values);
  return absl::OkStatus();
}

std::vector<BlockSum> ReadSum(const SessionTerms& terms, const Layout& layout, const RingVector& sum,
                              int contributors) {
  const std::vector<std::int64_t> values = sum.ToSigned();
  std::vector<BlockSum> blocks;
  auto next = values.begin();
  for (const BlockIndex block : layout.blocks()) {
    const NoisePlan plan = NoiseOf(terms, block);
    BlockSum& read = blocks.emplace_back();
    read.block = block;
    read.counts.assign(next, next + terms.blocks[block].entries);
    for (std::int64_t& count : read.counts) count = plan.ToCount(count);
    read.noise_variance = plan.HasNoise() ? plan.VarianceOf(contributors) : 0;
    read.promised_variance = terms.blocks[block].sigma_squared.ToDouble();
    next += terms.blocks[block].entries;
  }
  return blocks;
}

}  // namespace flaim::secagg
