#include "secagg/graph/neighbour_graph.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "secagg/graph/neighbour_graph_testing.h"

namespace flaim::secagg {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::vector<int>> AllNeighbours(const NeighbourGraph& graph) {
  std::vector<std::vector<int>> all;
  for (int rank = 0; rank < graph.participants(); ++rank) all.push_back(graph.NeighboursOf(rank));
  return all;
}

TEST(NeighbourGraph, IsSymmetricRegularAndWithoutLoops) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int participants = 1 + static_cast<int>(random.NextBelow(60));
    int degree = static_cast<int>(random.NextBelow(participants));
    if (degree % 2 != 0 && degree != participants - 1) --degree;
    const auto neighbours = AllNeighbours(NeighbourGraph(participants, degree, RandomSeed(random)));
    for (int rank = 0; rank < participants; ++rank) {
      ASSERT_EQ(neighbours[rank].size(), degree);
      ASSERT_EQ(std::adjacent_find(neighbours[rank].begin(), neighbours[rank].end(), std::greater_equal<>()),
                neighbours[rank].end());
      ASSERT_THAT(neighbours[rank], Not(Contains(rank)));
      for (const int other : neighbours[rank]) ASSERT_THAT(neighbours[other], Contains(rank));
    }
  }
}

TEST(NeighbourGraph, OfFullDegreeJoinsEverybodyWithEverybody) {
  EXPECT_THAT(NeighbourGraph(1, 0, {}).NeighboursOf(0), IsEmpty());
  EXPECT_THAT(NeighbourGraph(2, 1, {}).NeighboursOf(1), ElementsAre(0));
  EXPECT_THAT(NeighbourGraph(4, 3, {}).NeighboursOf(2), ElementsAre(0, 1, 3));
  EXPECT_THAT(NeighbourGraph(5, 4, {}).NeighboursOf(0), ElementsAre(1, 2, 3, 4));
}

TEST(NeighbourGraph, IsTheSameForTheSameSeedAndAnotherForAnother) {
  SeededRandomSource random(2);
  const Digest seed = RandomSeed(random);
  Digest other = seed;
  other[31] ^= 1;
  EXPECT_EQ(AllNeighbours({300, 20, seed}), AllNeighbours({300, 20, seed}));
  EXPECT_NE(AllNeighbours({300, 20, seed}), AllNeighbours({300, 20, other}));
}

// Worked out by another program (Python) from the definition: key stream of ChaCha20 under the seed with nonce
// "neighbour" and zeros, little-endian words, multiply-shift, Fisher-Yates from the last place down. So many
// places that words are rejected, too.
TEST(NeighbourGraph, IsTheSameOnEveryMachine) {
  Digest seed;
  for (std::size_t i = 0; i < seed.size(); ++i) seed[i] = static_cast<std::uint8_t>(i);
  EXPECT_THAT(NeighbourGraph(200'000, 4, seed).NeighboursOf(0), ElementsAre(3997, 28843, 86644, 89428));
  EXPECT_THAT(NeighbourGraph(200'000, 4, seed).NeighboursOf(199'999), ElementsAre(44748, 77882, 154877, 184510));
}

TEST(NeighbourGraph, JoinsAnyTwoEquallyOften) {
  SeededRandomSource random(3);
  constexpr int kParticipants = 12;
  const Counts counts = CountDraws(60'000, [&] {
    const NeighbourGraph graph(kParticipants, 4, RandomSeed(random));
    const int rank = static_cast<int>(random.NextBelow(kParticipants));
    const int other = graph.NeighboursOf(rank)[random.NextBelow(4)];
    return kParticipants * std::min(rank, other) + std::max(rank, other);
  });
  Probabilities uniform;
  for (int rank = 0; rank < kParticipants; ++rank) {
    for (int other = rank + 1; other < kParticipants; ++other) uniform[kParticipants * rank + other] = 1;
  }
  Normalise(uniform);
  EXPECT_GT(ChiSquaredPValue(counts, uniform), kTestAlpha);
}

TEST(NeighbourGraph, DrawsEveryCircleEquallyOften) {
  SeededRandomSource random(4);
  std::map<std::vector<std::vector<int>>, std::int64_t> circles;
  const Counts counts = CountDraws(60'000, [&] {
    const auto circle = AllNeighbours(NeighbourGraph(5, 2, RandomSeed(random)));
    return circles.emplace(circle, circles.size()).first->second;
  });
  EXPECT_EQ(circles.size(), 12) << "4! / 2 circles of five";
  Probabilities uniform;
  for (int circle = 0; circle < 12; ++circle) uniform[circle] = 1;
  Normalise(uniform);
  EXPECT_GT(ChiSquaredPValue(counts, uniform), kTestAlpha);
}

// Runs of at least `length` consecutive places, on the circle, that are not in.
int CountGaps(const std::vector<bool>& is_in_at_place, int length) {
  const int places = static_cast<int>(is_in_at_place.size());
  const auto start = std::find(is_in_at_place.begin(), is_in_at_place.end(), true);
  if (start == is_in_at_place.end()) return 1;
  int gaps = 0;
  int gap = 0;
  for (int step = 0; step <= places; ++step) {
    if (!is_in_at_place[(start - is_in_at_place.begin() + step) % places]) {
      ++gap;
      continue;
    }
    if (gap >= length) ++gaps;
    gap = 0;
  }
  return gaps;
}

TEST(NeighbourGraph, FallsApartExactlyWhereTwoRunsOfHalfADegreeAreMissing) {
  SeededRandomSource random(5);
  int apart = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    const int participants = 8 + static_cast<int>(random.NextBelow(20));
    const int degree = 2 + 2 * static_cast<int>(random.NextBelow(3));
    const Digest seed = RandomSeed(random);
    const std::vector<int> order = OrderOnTheCircle(participants, seed);
    std::vector<bool> is_in(participants);
    std::vector<bool> is_in_at_place(participants);
    for (int place = 0; place < participants; ++place) {
      is_in_at_place[place] = is_in[order[place]] = random.NextBelow(2) == 0;
    }
    const int parts = CountParts(NeighbourGraph(participants, degree, seed), is_in);
    if (std::count(is_in.begin(), is_in.end(), true) == 0) continue;
    ASSERT_EQ(parts, std::max(1, CountGaps(is_in_at_place, degree / 2)));
    if (parts > 1) ++apart;
  }
  EXPECT_GT(apart, kTrials / 10);
  EXPECT_LT(apart, kTrials * 9 / 10);
}

TEST(NeighbourGraphDeathTest, RefusesADegreeThatNoCircleHas) {
  EXPECT_DEATH(NeighbourGraph(10, 3, {}), "degree 3");
  EXPECT_DEATH(NeighbourGraph(10, 10, {}), "degree 10");
}

}  // namespace
}  // namespace flaim::secagg
