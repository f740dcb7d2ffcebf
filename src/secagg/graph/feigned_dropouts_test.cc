#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "secagg/graph/graph_parameters.h"
#include "secagg/graph/neighbour_graph.h"
#include "secagg/graph/neighbour_graph_testing.h"

// The bounds of graph_parameters.h against graphs that are really drawn, at rates so bad that failures are seen. Ranks
// below `colluders` collude.

namespace flaim::secagg {
namespace {

int ColludingNeighbours(const NeighbourGraph& graph, int rank, int colluders) {
  const std::vector<int> neighbours = graph.NeighboursOf(rank);
  return static_cast<int>(
      std::count_if(neighbours.begin(), neighbours.end(), [&](int other) { return other < colluders; }));
}

TEST(DrawnGraph, HasHypergeometricallyManyColludersBesideAnybody) {
  SeededRandomSource random(1);
  constexpr int kColluders = 12;
  const Counts counts = CountDraws(
      100'000, [&] { return ColludingNeighbours(NeighbourGraph(60, 8, RandomSeed(random)), 59, kColluders); });
  Probabilities hypergeometric;
  const auto choose = [](double total, double chosen) {
    return std::lgamma(total + 1) - std::lgamma(chosen + 1) - std::lgamma(total - chosen + 1);
  };
  for (int count = 0; count <= 8; ++count) {
    hypergeometric[count] = std::exp(choose(kColluders, count) + choose(59 - kColluders, 8 - count) - choose(59, 8));
  }
  EXPECT_GT(ChiSquaredPValue(counts, hypergeometric), kTestAlpha);
}

// How often something that happened `seen` times in `trials` may truly happen, at most and at least: a normal interval
// of six standard errors (alpha below 1e-8 for the hundreds of events seen here).
struct Frequency {
  double low;
  double high;
};
Frequency FrequencyOf(int seen, int trials) {
  const double error = 6 * std::sqrt(static_cast<double>(seen)) / trials;
  const double frequency = static_cast<double>(seen) / trials;
  return {frequency - error, frequency + error};
}

TEST(DrawnGraph, BreaksANeighbourhoodNoMoreOftenThanTheBoundSaysAndNotMuchLess) {
  SeededRandomSource random(2);
  constexpr int kColluders = 12;
  constexpr int kTrials = 20'000;
  constexpr GraphParameters kParameters{8, 7};
  int seen = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const NeighbourGraph graph(60, kParameters.degree, RandomSeed(random));
    for (int rank = kColluders; rank < 60; ++rank) {
      if (2 * kParameters.threshold > kParameters.degree + ColludingNeighbours(graph, rank, kColluders)) continue;
      ++seen;
      break;
    }
  }
  const double bound = std::exp2(SecurityFailureLog2(60, kColluders, kParameters, DropoutModel::kIndependentOfGraph));
  EXPECT_GT(seen, 100);
  EXPECT_LT(FrequencyOf(seen, kTrials).low, bound);
  EXPECT_GT(FrequencyOf(seen, kTrials).high, bound / 4);
}

TEST(DrawnGraph, IsLeftByDropoutsNoMoreOftenThanTheBoundSaysAndNotMuchLess) {
  SeededRandomSource random(3);
  constexpr ParticipantBounds kBounds{60, 12, 0};
  constexpr GraphParameters kParameters{8, 3};
  constexpr int kTrials = 20'000;
  int seen = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const NeighbourGraph graph(60, kParameters.degree, RandomSeed(random));
    for (int rank = 0; rank < 60; ++rank) {
      if (8 - ColludingNeighbours(graph, rank, kBounds.dropouts) >= kParameters.threshold) continue;
      ++seen;
      break;
    }
  }
  const double bound = std::exp2(CorrectnessFailureLog2(kBounds, kParameters));
  EXPECT_GT(seen, 100);
  EXPECT_LT(FrequencyOf(seen, kTrials).low, bound);
  EXPECT_GT(FrequencyOf(seen, kTrials).high, bound / 4);
}

// Does dropping these honest participants leave everybody `threshold` live neighbours, and yet split the honest?
bool Splits(const NeighbourGraph& graph, int threshold, int colluders, const std::vector<bool>& is_dropped) {
  std::vector<bool> is_live_and_honest(is_dropped.size());
  for (int rank = colluders; rank < graph.participants(); ++rank) is_live_and_honest[rank] = !is_dropped[rank];
  for (int rank = colluders; rank < graph.participants(); ++rank) {
    if (is_dropped[rank]) continue;
    const std::vector<int> neighbours = graph.NeighboursOf(rank);
    const auto live =
        std::count_if(neighbours.begin(), neighbours.end(), [&](int other) { return !is_dropped[other]; });
    if (live < threshold) return false;
  }
  return CountParts(graph, is_live_and_honest) > 1;
}

// Tries every set of dropouts: the best that a server can do who knows the graph.
bool SomeDropoutsSplit(const NeighbourGraph& graph, int threshold, int colluders) {
  const int honest = graph.participants() - colluders;
  for (std::uint32_t set = 0; set < (1U << honest); ++set) {
    std::vector<bool> is_dropped(graph.participants(), false);
    for (int i = 0; i < honest; ++i) is_dropped[colluders + i] = (set >> i & 1U) != 0;
    if (Splits(graph, threshold, colluders, is_dropped)) return true;
  }
  return false;
}

// Two disjoint runs of half a degree with threshold - degree / 2 colluders each.
bool HasTwoWeakRuns(const std::vector<int>& order, const GraphParameters& parameters, int colluders) {
  const int places = static_cast<int>(order.size());
  const int run = parameters.degree / 2;
  const auto is_weak = [&](int start) {
    int colluding = 0;
    for (int step = 0; step < run; ++step) colluding += order[(start + step) % places] < colluders ? 1 : 0;
    return colluding >= parameters.threshold - run;
  };
  for (int first = 0; first < places; ++first) {
    for (int second = first + run; second <= places - run + first && second < places; ++second) {
      if (is_weak(first) && is_weak(second)) return true;
    }
  }
  return false;
}

TEST(FeignedDropouts, SplitOnlyCirclesWithTwoRunsOfEnoughColluders) {
  SeededRandomSource random(4);
  constexpr int kParticipants = 12;
  int split = 0;
  int spared = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const int colluders = 3 + static_cast<int>(random.NextBelow(3));
    const GraphParameters parameters = random.NextBelow(2) == 0 ? GraphParameters{4, 3} : GraphParameters{6, 5};
    const Digest seed = RandomSeed(random);
    const NeighbourGraph graph(kParticipants, parameters.degree, seed);
    const bool is_weak = HasTwoWeakRuns(OrderOnTheCircle(kParticipants, seed), parameters, colluders);
    if (SomeDropoutsSplit(graph, parameters.threshold, colluders)) {
      ++split;
      ASSERT_TRUE(is_weak);
    } else if (!is_weak) {
      ++spared;
    }
  }
  EXPECT_GT(split, 20);
  EXPECT_GT(spared, 20);
}

TEST(FeignedDropouts, SplitNoMoreOftenThanTheBoundSays) {
  SeededRandomSource random(5);
  constexpr GraphParameters kParameters{8, 7};
  constexpr int kParticipants = 60;
  constexpr int kColluders = 9;
  constexpr int kTrials = 20'000;
  int seen = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    if (HasTwoWeakRuns(OrderOnTheCircle(kParticipants, RandomSeed(random)), kParameters, kColluders)) ++seen;
  }
  const double bound = std::exp2(SecurityFailureLog2(kParticipants, kColluders, kParameters));
  EXPECT_LT(bound, 1);
  EXPECT_GT(seen, 100);
  EXPECT_LT(FrequencyOf(seen, kTrials).low, bound);
  EXPECT_GT(FrequencyOf(seen, kTrials).high, bound / 8);
}

}  // namespace
}  // namespace flaim::secagg
