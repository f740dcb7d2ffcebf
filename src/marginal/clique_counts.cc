#include "marginal/clique_counts.h"

#include <sys/mman.h>

#include <cstdlib>

#include "base/status.h"

namespace flaim {
namespace {

constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
constexpr std::size_t kMappedFromBytes = 2 * kHugePageBytes;
constexpr std::int64_t kMaxCells = std::int64_t{1} << 48;

}  // namespace

void CliqueCounts::Release::operator()(std::int64_t* cells) const {
  if (mapped_bytes == 0) {
    std::free(cells);
  } else {
    munmap(cells, mapped_bytes);
  }
}

CliqueCounts::Cells CliqueCounts::Allocate(std::size_t cells) {
  const std::size_t bytes = cells * sizeof(std::int64_t);
  if (bytes < kMappedFromBytes) {
    return Cells(static_cast<std::int64_t*>(std::calloc(cells, sizeof(std::int64_t))), Release{0});
  }
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Cells(nullptr, Release{bytes});
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice only: without huge pages the counts are the same, later
  return Cells(static_cast<std::int64_t*>(memory), Release{bytes});
}

absl::StatusOr<CliqueCounts> CliqueCounts::Zero(const Domain& domain, std::span<const Clique> cliques) {
  std::vector<std::size_t> begin_of_clique = {0};
  for (const Clique& clique : cliques) {
    ASSIGN_OR_RETURN(const std::int64_t cells, CellCount(domain, clique));
    if (cells > kMaxCells - static_cast<std::int64_t>(begin_of_clique.back())) {
      return ResourceExhausted(
          "the marginals up to {} have more than 2^48 cells together: ask for fewer or smaller ones",
          CliqueName(domain, clique));
    }
    begin_of_clique.push_back(begin_of_clique.back() + static_cast<std::size_t>(cells));
  }
  Cells cells = Allocate(begin_of_clique.back());
  if (cells == nullptr && begin_of_clique.back() > 0) {
    return ResourceExhausted("{} marginals with {} cells do not fit into memory: ask for fewer or smaller ones",
                             cliques.size(), begin_of_clique.back());
  }
  return CliqueCounts(std::move(cells), std::move(begin_of_clique));
}

}  // namespace flaim
