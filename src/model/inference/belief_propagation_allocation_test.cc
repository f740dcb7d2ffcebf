// Counts every allocation of the program, to hold belief propagation to its promise of none.
#include <atomic>
#include <cstdlib>
#include <new>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "model/inference/belief_propagation.h"
#include "model/inference/brute_force_testing.h"

namespace {

std::atomic<long> allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace flaim {
namespace {

long AllocationsOfARun(const Domain& domain, const std::vector<Clique>& cliques, std::span<const double> potentials,
                       int threads) {
  Parallel parallel(threads);
  BeliefPropagation oracle(JunctionTree::Build(domain, cliques, 1 << 24).value(), CliqueLayout(domain, cliques));
  std::vector<double> marginals(potentials.size());
  const long before = allocations;
  oracle.Run(potentials, marginals, parallel);
  oracle.CovarianceTimes(potentials, marginals, parallel);
  oracle.MaximumScore(potentials, parallel);
  return allocations - before;
}

TEST(BeliefPropagation, AllocatesNothingAfterItWasMade) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 2});
    EXPECT_EQ(AllocationsOfARun(model.domain, model.cliques, model.potentials, 1), 0) << model.Describe();
  }
  EXPECT_GT(allocations, 0) << "nothing was counted";
}

TEST(BeliefPropagation, AllocatesNothingWhenSeveralThreadsShareANode) {
  const Domain domain = Domain::Create({{"a", 80}, {"b", 90}, {"c", 70}}).value();
  const std::vector<Clique> cliques = {Clique({0, 1, 2}), Clique({0})};
  const std::vector<double> potentials(CliqueLayout(domain, cliques).cells(), 0.5);
  for (const int threads : {2, 3}) EXPECT_EQ(AllocationsOfARun(domain, cliques, potentials, threads), 0);
}

}  // namespace
}  // namespace flaim
