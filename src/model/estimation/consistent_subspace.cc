#include "model/estimation/consistent_subspace.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/check.h"

namespace flaim {
namespace {

// Cliques that are measured have a handful of attributes; listing their subsets is no matter.
constexpr int kMaxAttributes = 16;

std::vector<Clique> NonEmptySubsets(const Clique& clique) {
  CHECK(clique.size() <= kMaxAttributes, "a measured clique has {} attributes", clique.size());
  std::vector<Clique> subsets;
  for (unsigned bits = 1; bits < 1U << clique.size(); ++bits) {
    std::vector<AttributeIndex> members;
    for (int i = 0; i < clique.size(); ++i) {
      if ((bits >> i & 1U) != 0) members.push_back(clique.attributes()[i]);
    }
    subsets.emplace_back(std::move(members));
  }
  return subsets;
}

// Takes the mean along every axis off a row-major table: what is left is the interaction of all its attributes.
void KeepInteraction(std::span<const std::int64_t> sizes, std::span<double> table) {
  std::int64_t inner = 1;
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    const std::int64_t size = sizes[axis];
    for (std::int64_t outer = 0; outer < std::ssize(table); outer += size * inner) {
      for (std::int64_t i = outer; i < outer + inner; ++i) {
        double sum = 0;
        for (std::int64_t k = 0; k < size; ++k) sum += table[i + k * inner];
        const double mean = sum / static_cast<double>(size);
        for (std::int64_t k = 0; k < size; ++k) table[i + k * inner] -= mean;
      }
    }
    inner *= size;
  }
}

}  // namespace

ConsistentSubspace::ConsistentSubspace(const Domain& domain, const CliqueLayout& layout,
                                       std::span<const double> clique_weights)
    : layout_(layout) {
  CHECK(std::ssize(clique_weights) == layout.size());
  std::map<Clique, std::vector<int>> cliques_with;
  for (int clique = 0; clique < layout.size(); ++clique) {
    for (Clique& subset : NonEmptySubsets(layout.cliques()[clique])) cliques_with[std::move(subset)].push_back(clique);
  }
  std::int64_t scratch_cells = 0;
  std::int64_t largest = 0;
  for (const auto& [set, cliques] : cliques_with) {
    if (cliques.size() < 2) continue;
    SharedSet shared;
    for (const AttributeIndex attribute : set) shared.sizes.push_back(domain[attribute].size);
    shared.cells = std::reduce(shared.sizes.begin(), shared.sizes.end(), std::int64_t{1}, std::multiplies<>());
    std::int64_t scratch = 0;
    for (const int clique : cliques) {
      const std::int64_t cells = layout.offset(clique + 1) - layout.offset(clique);
      shared.owners.push_back(
          {layout.offset(clique), cells, CellMap(domain, layout.cliques()[clique].attributes(), set.attributes()),
           clique_weights[clique] * static_cast<double>(shared.cells) / static_cast<double>(cells), scratch});
      shared.precision += shared.owners.back().precision;
      scratch += shared.cells;
    }
    scratch_cells = std::max(scratch_cells, scratch);
    largest = std::max(largest, shared.cells);
    shared_.push_back(std::move(shared));
  }
  parts_.resize(scratch_cells);
  mean_.resize(largest);
}

void ConsistentSubspace::Project(std::span<double> values, double total) {
  CHECK(std::ssize(values) == layout_.cells());
  for (const SharedSet& shared : shared_) ProjectShared(shared, values);
  for (int clique = 0; clique < layout_.size(); ++clique) {
    const std::span<double> table = layout_.Slice(values, clique);
    const double missing = total - std::reduce(table.begin(), table.end());
    for (double& value : table) value += missing / static_cast<double>(table.size());
  }
}

void ConsistentSubspace::ProjectShared(const SharedSet& shared, std::span<double> values) {
  const std::span<double> mean = std::span(mean_).first(shared.cells);
  std::fill(mean.begin(), mean.end(), 0.0);
  for (const Owner& owner : shared.owners) {
    const std::span<double> part = std::span(parts_).subspan(owner.scratch, shared.cells);
    std::fill(part.begin(), part.end(), 0.0);
    kernels::AddToTarget(owner.map, 0, values.subspan(owner.offset, owner.cells), part.data());
    KeepInteraction(shared.sizes, part);
    const double share = owner.precision / shared.precision;
    for (std::int64_t i = 0; i < shared.cells; ++i) mean[i] += share * part[i];
  }
  for (const Owner& owner : shared.owners) {
    const std::span<double> part = std::span(parts_).subspan(owner.scratch, shared.cells);
    const double per_cell = static_cast<double>(shared.cells) / static_cast<double>(owner.cells);
    for (std::int64_t i = 0; i < shared.cells; ++i) part[i] = (mean[i] - part[i]) * per_cell;
    kernels::AddFromTarget(owner.map, 0, values.subspan(owner.offset, owner.cells), part.data());
  }
}

}  // namespace flaim
