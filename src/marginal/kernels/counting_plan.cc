#include "marginal/kernels/counting_plan.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace flaim {
namespace {

constexpr std::int64_t kMaxMergedCells = 1 << 12;  // 32 KiB
constexpr std::int64_t kRowsPerMergedCell = 4;
constexpr std::size_t kPassesTried = 8;

// Whether the union has at most `limit` cells, without making it.
bool UnionFits(const Domain& domain, const Clique& left, const Clique& right, std::int64_t limit) {
  std::int64_t cells = 1;
  auto next_left = left.begin();
  auto next_right = right.begin();
  while (next_left != left.end() || next_right != right.end()) {
    const bool take_left = next_right == right.end() || (next_left != left.end() && *next_left <= *next_right);
    const AttributeIndex attribute = take_left ? *next_left : *next_right;
    if (next_right != right.end() && *next_right == attribute) ++next_right;
    if (take_left) ++next_left;
    if (domain[attribute].size > limit / cells) return false;
    cells *= domain[attribute].size;
  }
  return true;
}

}  // namespace

std::vector<CountingPass> PlanPasses(const Domain& domain, std::span<const Clique> cliques, std::size_t rows) {
  const std::int64_t limit = std::min(kMaxMergedCells, static_cast<std::int64_t>(rows) / kRowsPerMergedCell);
  std::vector<std::size_t> order(cliques.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t left, std::size_t right) { return cliques[left] < cliques[right]; });

  std::vector<CountingPass> passes;
  for (const std::size_t position : order) {
    const Clique& clique = cliques[position];
    const auto tried = passes.end() - static_cast<std::ptrdiff_t>(std::min(passes.size(), kPassesTried));
    const auto pass = std::find_if(tried, passes.end(), [&](const CountingPass& candidate) {
      return candidate.counted == clique || UnionFits(domain, candidate.counted, clique, limit);
    });
    if (pass == passes.end()) {
      passes.push_back({clique, {position}});
    } else {
      if (!clique.IsSubsetOf(pass->counted)) pass->counted = pass->counted.Union(clique);
      pass->members.push_back(position);
    }
  }
  std::sort(passes.begin(), passes.end(),
            [](const CountingPass& left, const CountingPass& right) { return left.counted < right.counted; });
  return passes;
}

}  // namespace flaim
