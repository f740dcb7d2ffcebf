#include "secagg/protocol/contribution.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/check.h"
#include "base/status.h"
#include "sodium.h"

namespace flaim::secagg {
namespace {

// Counts without a mask are not left behind in memory, whichever way they go.
struct BareCounts {
  std::vector<std::int64_t> values;
  ~BareCounts() { sodium_memzero(values.data(), values.size() * sizeof(std::int64_t)); }
};

absl::Status CheckSizes(const SessionTerms& terms, std::span<const std::vector<std::int64_t>> blocks) {
  if (blocks.size() != terms.blocks.size()) {
    return InvalidArgument("a sum has {} blocks in the terms, the contribution to it {}", terms.blocks.size(),
                           blocks.size());
  }
  for (BlockIndex block = 0; block < blocks.size(); ++block) {
    if (blocks[block].size() == terms.blocks[block].entries) continue;
    return InvalidArgument("block {} has {} entries in the terms; the counts given for it do not fit", block,
                           terms.blocks[block].entries);
  }
  return absl::OkStatus();
}

absl::Status CheckPayment(const SessionTerms& terms, const SessionId& session, const SumPermit& permit) {
  if (permit.sum() != NameOfSum(session)) return InvalidArgument("these counts were paid for another sum");
  for (BlockIndex block = 0; block < terms.blocks.size(); ++block) {
    if (terms.blocks[block].sigma_squared >= permit.mechanism().sigma_squared) continue;
    return InvalidArgument("block {} has less noise in the terms than was paid for", block);
  }
  return absl::OkStatus();
}

// Neighbouring blocks with the same noise are drawn for together: a sampler is made once for all of them.
void AddNoise(const SessionTerms& terms, int stands_in_for, RandomSource& noise, std::span<std::int64_t> values) {
  for (BlockIndex first = 0; first < terms.blocks.size();) {
    BlockIndex end = first;
    std::size_t entries = 0;
    for (; end < terms.blocks.size() && terms.blocks[end].sigma_squared == terms.blocks[first].sigma_squared; ++end) {
      entries += terms.blocks[end].entries;
    }
    NoiseOf(terms, first).AddShares(1 + stands_in_for, noise, values.first(entries));
    values = values.subspan(entries);
    first = end;
  }
}

}  // namespace

Ballot::Ballot(std::size_t candidates, std::span<const std::size_t> chosen) : ones_(candidates) {
  for (const std::size_t candidate : chosen) {
    CHECK(candidate < candidates);
    ones_[candidate] = 1;
  }
}

SumName NameOfSum(const SessionId& session) {
  SumName name;
  std::transform(session.begin(), session.end(), name.begin(), [](std::uint8_t byte) { return std::byte{byte}; });
  return name;
}

absl::Status AddContribution(const SessionTerms& terms, const SessionId& session, const ContributionSource& source,
                             int stands_in_for, RandomSource& noise, RingVector& vector) {
  ASSIGN_OR_RETURN(const Contribution contribution, source());
  const auto* paid = std::get_if<PaidCounts>(&contribution);
  if (paid != nullptr && paid->permit()) RETURN_IF_ERROR(CheckPayment(terms, session, *paid->permit()));
  const auto blocks = std::visit([](const auto& own) { return own.blocks(); }, contribution);
  RETURN_IF_ERROR(CheckSizes(terms, blocks));
  BareCounts stacked;
  stacked.values.reserve(EntriesOf(terms));
  for (const std::vector<std::int64_t>& counts : blocks) {
    std::transform(counts.begin(), counts.end(), std::back_inserter(stacked.values),
                   [&terms](std::int64_t count) { return std::clamp(count, -terms.entry_bound, terms.entry_bound); });
  }
  AddNoise(terms, stands_in_for, noise, stacked.values);
  vector.Add(stacked.values);
  return absl::OkStatus();
}

std::vector<BlockSum> ReadSum(const SessionTerms& terms, const RingVector& sum, int contributors) {
  const std::vector<std::int64_t> values = sum.ToSigned();
  std::vector<BlockSum> blocks;
  auto next = values.begin();
  for (BlockIndex block = 0; block < terms.blocks.size(); ++block) {
    const NoisePlan plan = NoiseOf(terms, block);
    BlockSum& read = blocks.emplace_back();
    read.counts.assign(next, next + terms.blocks[block].entries);
    for (std::int64_t& count : read.counts) count = plan.ToCount(count);
    read.noise_variance = plan.HasNoise() ? plan.VarianceOf(contributors) : 0;
    read.promised_variance = terms.blocks[block].sigma_squared.ToDouble();
    next += terms.blocks[block].entries;
  }
  return blocks;
}

}  // namespace flaim::secagg
