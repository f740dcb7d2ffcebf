#include "marginal/kernels/count.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"
#include "base/status.h"
#include "marginal/kernels/counting_plan.h"
#include "marginal/kernels/project.h"
#include "marginal/kernels/row_index.h"

namespace flaim {
namespace {

// Rows per block: the shared indices of a block (256 KiB) stay in the second-level cache while the cliques that share
// them are counted one after the other, so that one marginal at a time is being written.
constexpr std::size_t kBlockRows = std::size_t{1} << 16;
// Rows per chunk: a chunk's own indices (4 KiB) stay in the first-level cache between being made and being used.
constexpr std::size_t kChunkRows = std::size_t{1} << 10;

std::uint32_t SizeOf(const Domain& domain, AttributeIndex attribute) {
  return static_cast<std::uint32_t>(domain[attribute].size);
}

// The indices of the rows from first_row on over all attributes of a clique but the last.
void LeadingIndices(const Table& table, const Clique& clique, std::size_t first_row, std::span<std::uint32_t> out) {
  std::fill(out.begin(), out.end(), 0U);
  for (auto attribute = clique.begin(); attribute + 1 < clique.end(); ++attribute) {
    ExtendIndicesInPlace(out, table.column(*attribute), first_row, SizeOf(table.domain(), *attribute));
  }
}

void CountLastAttribute(const Table& table, AttributeIndex last, std::size_t first_row,
                        std::span<const std::uint32_t> leading, std::span<std::int64_t> counts) {
  const CodeSpan codes = table.column(last);
  const std::uint32_t size = SizeOf(table.domain(), last);
  std::array<std::uint32_t, kChunkRows> indices;
  for (std::size_t begin = 0; begin < leading.size(); begin += kChunkRows) {
    const auto chunk = leading.subspan(begin, std::min(kChunkRows, leading.size() - begin));
    const auto chunk_indices = std::span(indices).first(chunk.size());
    ExtendIndices(chunk, codes, first_row + begin, size, chunk_indices);
    IncrementCells(chunk_indices, counts);
  }
}

struct Target {
  const Clique* clique;
  std::span<std::int64_t> counts;  // zero before
};

// Counts cliques that differ in their last attribute only.
void CountTargets(const Table& table, std::span<const Target> targets) {
  const Clique& first = *targets.front().clique;
  if (first.size() == 0) {
    for (const Target& target : targets) target.counts[0] = static_cast<std::int64_t>(table.rows());
    return;
  }
  std::vector<std::uint32_t> leading(std::min(kBlockRows, table.rows()));
  for (std::size_t begin = 0; begin < table.rows(); begin += kBlockRows) {
    const auto block = std::span(leading).first(std::min(kBlockRows, table.rows() - begin));
    LeadingIndices(table, first, begin, block);
    for (const Target& target : targets) {
      CountLastAttribute(table, target.clique->attributes().back(), begin, block, target.counts);
    }
  }
}

bool DifferInLastOnly(const Clique& left, const Clique& right) {
  return left.size() > 0 && left.size() == right.size() && std::equal(left.begin(), left.end() - 1, right.begin());
}

// Runs of passes whose cliques differ in their last attribute only: neighbours, because the passes are sorted.
std::vector<std::span<const CountingPass>> GroupPasses(std::span<const CountingPass> passes) {
  std::vector<std::span<const CountingPass>> groups;
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= passes.size(); ++end) {
    if (end < passes.size() && DifferInLastOnly(passes[begin].counted, passes[end].counted)) continue;
    groups.push_back(passes.subspan(begin, end - begin));
    begin = end;
  }
  return groups;
}

// What a group of passes writes to: a pass that counts one of its own members writes there, others to memory of their
// own.
class GroupCounter {
 public:
  GroupCounter(const Table& table, std::span<const Clique> cliques, CliqueCounts& counts)
      : table_(table), cliques_(cliques), counts_(counts) {}

  void Count(std::span<const CountingPass> group) const {
    std::vector<std::vector<std::int64_t>> supersets(group.size());
    std::vector<Target> targets;
    for (std::size_t i = 0; i < group.size(); ++i) targets.push_back(TargetOf(group[i], supersets[i]));
    CountTargets(table_, targets);
    for (std::size_t i = 0; i < group.size(); ++i) SpreadToMembers(group[i], targets[i].counts);
  }

 private:
  Target TargetOf(const CountingPass& pass, std::vector<std::int64_t>& superset) const {
    for (const std::size_t member : pass.members) {
      if (cliques_[member] == pass.counted) return {&pass.counted, counts_.Mutable(member)};
    }
    superset.resize(static_cast<std::size_t>(*CellCount(table_.domain(), pass.counted)));
    return {&pass.counted, superset};
  }

  void SpreadToMembers(const CountingPass& pass, std::span<const std::int64_t> counted) const {
    std::vector<std::int64_t> sizes;
    for (const AttributeIndex attribute : pass.counted) sizes.push_back(table_.domain()[attribute].size);
    for (const std::size_t member : pass.members) {
      const std::span<std::int64_t> out = counts_.Mutable(member);
      if (out.data() == counted.data()) continue;
      std::vector<bool> kept;
      for (const AttributeIndex attribute : pass.counted) kept.push_back(cliques_[member].Contains(attribute));
      const std::vector<std::int64_t> projected = ProjectCounts(counted, sizes, kept);
      std::copy(projected.begin(), projected.end(), out.begin());
    }
  }

  const Table& table_;
  std::span<const Clique> cliques_;
  CliqueCounts& counts_;
};

std::size_t CheckedCells(const Domain& domain, const Clique& clique) {
  const absl::StatusOr<std::int64_t> cells = CellCount(domain, clique);
  CHECK(cells.ok() && *cells <= kMaxCountedCells);
  return static_cast<std::size_t>(*cells);
}

absl::Status CheckCountable(const Domain& domain, const Clique& clique) {
  ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, clique));
  if (cells > kMaxCountedCells) {
    return ResourceExhausted("the marginal over {} has {} cells, more than the limit of {}: use fewer columns or bins",
                             CliqueName(domain, clique), cells, kMaxCountedCells);
  }
  return absl::OkStatus();
}

}  // namespace

void CountClique(const Table& table, const Clique& clique, std::span<std::int64_t> out) {
  CHECK(out.size() == CheckedCells(table.domain(), clique));
  std::fill(out.begin(), out.end(), 0);
  CountTargets(table, std::array{Target{&clique, out}});
}

absl::StatusOr<Marginal> CountMarginal(const Table& table, const Clique& clique) {
  RETURN_IF_ERROR(CheckCountable(table.domain(), clique));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(*CellCount(table.domain(), clique)));
  CountClique(table, clique, counts);
  return Marginal(table.domain(), clique, std::move(counts));
}

absl::StatusOr<CliqueCounts> CountCliques(const Table& table, std::span<const Clique> cliques, Parallel& parallel) {
  for (const Clique& clique : cliques) RETURN_IF_ERROR(CheckCountable(table.domain(), clique));
  ASSIGN_OR_RETURN(CliqueCounts counts, CliqueCounts::Zero(table.domain(), cliques));
  const std::vector<CountingPass> passes = PlanPasses(table.domain(), cliques, table.rows());
  const std::vector<std::span<const CountingPass>> groups = GroupPasses(passes);
  const GroupCounter counter(table, cliques, counts);
  RETURN_IF_ERROR(
      parallel.ForUnlessStopped(groups.size(), [&](std::size_t group, int) { counter.Count(groups[group]); }));
  return counts;
}

}  // namespace flaim
