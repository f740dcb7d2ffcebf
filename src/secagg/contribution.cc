#include "secagg/contribution.h"

#include <algorithm>
#include <span>

#include "base/status.h"
#include "sodium.h"

namespace flaim::secagg {
namespace {

absl::Status CheckCounts(const SessionTerms& terms, BlockIndex block, std::span<const std::int64_t> counts) {
  if (counts.size() != terms.blocks[block].entries) {
    return InvalidArgument("block {} has {} entries in the terms; the counts given for it do not fit", block,
                           terms.blocks[block].entries);
  }
  bool is_within_bound = true;
  for (const std::int64_t count : counts) {
    is_within_bound &= -terms.entry_bound <= count && count <= terms.entry_bound;
  }
  if (!is_within_bound) {
    return InvalidArgument("a count of block {} is beyond the bound in the terms, {}; the study needs a larger one",
                           block, terms.entry_bound);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RingVector> MakeContribution(const SessionTerms& terms, const Layout& layout,
                                            const std::vector<BlockIndex>& choices, const CountsOfBlock& counts,
                                            RandomSource& noise) {
  std::vector<std::int64_t> contribution;
  contribution.reserve(layout.entries());
  for (const BlockIndex block : layout.blocks()) {
    const bool is_own = terms.blocks[block].always || std::binary_search(choices.begin(), choices.end(), block);
    std::vector<std::int64_t> values(terms.blocks[block].entries);
    if (is_own) {
      ASSIGN_OR_RETURN(values, counts(block));
      RETURN_IF_ERROR(CheckCounts(terms, block, values));
    }
    NoiseOf(terms, block).AddShare(noise, values);
    contribution.insert(contribution.end(), values.begin(), values.end());
    sodium_memzero(values.data(), values.size() * sizeof(std::int64_t));
  }
  RingVector words(terms.ring_bits, layout.entries());
  words.Add(contribution);
  sodium_memzero(contribution.data(), contribution.size() * sizeof(std::int64_t));
  return words;
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
