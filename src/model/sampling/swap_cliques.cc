#include "model/sampling/swap_cliques.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "marginal/workload_spec.h"

namespace flaim {
namespace {

std::vector<Clique> CliquesOf(const Workload& workload) {
  std::vector<Clique> cliques;
  for (const WeightedQuery& query : workload) cliques.push_back(query.clique);
  return cliques;
}

std::int64_t CellsOf(const Domain& domain, const std::vector<Clique>& cliques) {
  std::int64_t cells = 0;
  for (const Clique& clique : cliques) cells += CellCount(domain, clique).value();
  return cells;
}

// So many of the k-way marginals, the same ones each time. REQUIRES: there are as many.
std::vector<Clique> SomeKWay(const Domain& domain, int k, std::size_t count) {
  if (count == 0) return {};
  return CliquesOf(MakeWorkload(domain, RandomKWaySpec{count, k, /*seed=*/0, kSwapCliqueCells}).value());
}

// Adds the k-way marginals, or as many of them as there is room for.
void AddKWay(const Domain& domain, int k, std::vector<Clique>& cliques) {
  const absl::StatusOr<Workload> all = AllKWay(domain, k, kSwapCliqueCells);
  if (!all.ok()) return;  // there are none, or more than anybody can list
  std::vector<Clique> added = CliquesOf(*all);
  const std::size_t room = kSwapCliquesMax - cliques.size();
  if (added.size() > room) added = SomeKWay(domain, k, room);
  const std::int64_t room_cells = kSwapCellsMax - CellsOf(domain, cliques);
  for (std::int64_t cells = CellsOf(domain, added); cells > room_cells; cells = CellsOf(domain, added)) {
    added = SomeKWay(domain, k, static_cast<std::size_t>(std::ssize(added) * room_cells / cells));
  }
  cliques.insert(cliques.end(), added.begin(), added.end());
}

}  // namespace

std::vector<Clique> DefaultSwapCliques(const Domain& domain) {
  std::vector<Clique> cliques;
  for (const int k : {2, 3}) AddKWay(domain, k, cliques);
  if (cliques.empty()) AddKWay(domain, 1, cliques);
  return cliques;
}

std::vector<Clique> SwapCliques(const Domain& domain, const Workload& workload) {
  std::vector<Clique> cliques = CliquesOf(workload);
  std::erase_if(cliques, [&](const Clique& clique) {
    const absl::StatusOr<std::int64_t> cells = CellCount(domain, clique);
    return !cells.ok() || *cells > kSwapCliqueCells;
  });
  return cliques;
}

}  // namespace flaim
