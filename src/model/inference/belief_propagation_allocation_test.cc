// Counts every allocation of the program, to hold belief propagation to its promise of none.
#include <atomic>
#include <cstdlib>
#include <new>

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

TEST(BeliefPropagation, AllocatesNothingAfterItWasMade) {
  Parallel parallel(1);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 2});
    const CliqueLayout layout(model.domain, model.cliques);
    BeliefPropagation oracle(JunctionTree::Build(model.domain, model.cliques, 1 << 20).value(), layout);
    std::vector<double> marginals(layout.cells());
    const long before = allocations;
    oracle.Run(model.potentials, marginals, parallel);
    oracle.CovarianceTimes(model.potentials, marginals, parallel);
    oracle.MaximumScore(model.potentials, parallel);
    EXPECT_EQ(allocations, before) << model.Describe();
  }
  EXPECT_GT(allocations, 0) << "nothing was counted";
}

}  // namespace
}  // namespace flaim
