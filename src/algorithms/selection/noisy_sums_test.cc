#include <algorithm>
#include <cmath>

#include "algorithms/loop/sample_testing.h"
#include "algorithms/methods/presets.h"
#include "algorithms/selection/selection_testing.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr double kRowsOfGroup = 2000;

// FLAIM-Once where the first two groups measure all pairs.
Method OnceOf(int rounds, int marginals, double noise_penalty = 0.5) {
  Method method = FlaimOnce();
  method.accounting = Accounting::kCapped;
  method.rounds = ChooseThenMeasure{.rounds = rounds, .choosing_rounds = 2, .marginals = marginals};
  method.noise_penalty = noise_penalty;
  return method;
}

// An attribute that follows another one: with this probability it has its value, as far as there is such a value, and
// otherwise whatever it had.
struct Link {
  AttributeIndex from = 0;
  AttributeIndex to = 0;
  double strength = 0;
};

// The distribution of rows whose columns are uniform but for these links, one after the other.
class LinkedRows {
 public:
  LinkedRows(const Domain& domain, const std::vector<Link>& links) : domain_(domain) {
    std::size_t cells = 1;
    for (const Attribute& attribute : domain.attributes()) cells *= static_cast<std::size_t>(attribute.size);
    shares_.assign(cells, 1 / static_cast<double>(cells));
    for (const Link& link : links) Follow(link);
  }

  // Marginal shares.
  std::vector<double> Of(const Clique& clique) const {
    std::vector<double> shares(*CellCount(domain_, clique), 0);
    for (std::size_t cell = 0; cell < shares_.size(); ++cell) {
      std::int64_t position = 0;
      for (const AttributeIndex attribute : clique) {
        position = position * domain_[attribute].size + Value(cell, attribute);
      }
      shares[position] += shares_[cell];
    }
    return shares;
  }

 private:
  // In the joint distribution, the last attribute changes fastest.
  std::int64_t Stride(AttributeIndex attribute) const {
    std::int64_t stride = 1;
    for (AttributeIndex later = attribute + 1; later < domain_.size(); ++later) stride *= domain_[later].size;
    return stride;
  }
  std::int64_t Value(std::size_t cell, AttributeIndex attribute) const {
    return static_cast<std::int64_t>(cell) / Stride(attribute) % domain_[attribute].size;
  }

  void Follow(const Link& link) {
    std::vector<double> followed(shares_.size(), 0);
    for (std::size_t cell = 0; cell < shares_.size(); ++cell) {
      const std::int64_t value = Value(cell, link.from) % domain_[link.to].size;
      followed[cell] += (1 - link.strength) * shares_[cell];
      followed[cell + (value - Value(cell, link.to)) * Stride(link.to)] += link.strength * shares_[cell];
    }
    shares_ = std::move(followed);
  }

  Domain domain_;
  std::vector<double> shares_;
};

// A run in which two groups of such rows have watched, at sigma 10.
class WatchingBench {
 public:
  static constexpr double kSigma = 10;
  static constexpr double kOneWaySigma = 5;

  WatchingBench(const Domain& domain, const Method& method, std::vector<WeightedQuery> candidates,
                const std::vector<Link>& links, std::uint64_t seed)
      : bench(domain, method, std::move(candidates)),
        selector(SelectFromNoisySums()),
        rows_(domain, links),
        random_(seed, "noisy sums") {
    for (std::int64_t round = 1; round <= 2; ++round) AddGroup({.round = round, .members = 20});
    bench.Fit();
  }

  std::vector<Clique> Chosen() {
    EXPECT_TRUE(selector->Finish(bench.Run(), bench.state).ok());
    return bench.state.choices;
  }

  SelectionBench bench;
  std::unique_ptr<Selector> selector;

 private:
  // Its one-ways are part of what the model is fitted to; its pairs are only watched.
  void AddGroup(const Group& group) {
    const Domain& domain = bench.federation.domain();
    for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
      const NoisyMarginal counted = Count(Clique({attribute}), kOneWaySigma);
      ReleasedMarginal released;
      released.measured = {counted.clique, {counted.counts.begin(), counted.counts.end()}, kOneWaySigma * kOneWaySigma};
      released.group = group;
      bench.state.Add(std::move(released));
    }
    NoisyMarginals watched;
    watched.variance = kSigma * kSigma;
    watched.contributors = group.members;
    for (const Clique& clique : selector->ToWatch(domain, bench.state)) {
      watched.marginals.push_back(Count(clique, kSigma));
    }
    selector->Watch(watched, group);
  }

  NoisyMarginal Count(const Clique& clique, double sigma) {
    NoisyMarginal counted;
    counted.clique = clique;
    for (const double share : rows_.Of(clique)) {
      counted.counts.push_back(std::lround(kRowsOfGroup * share + sigma * NextNormal(random_)));
    }
    return counted;
  }

  LinkedRows rows_;
  SeededRandomSource random_;
};

const Domain kDomain = DomainOfSizes({3, 3, 3, 3, 3});

TEST(NoisySums, AreOfAllPairsThatAreSmallEnough) {
  const Domain domain = DomainOfSizes({64, 64, 65, 2});
  SelectionBench bench(domain, OnceOf(10, 5), PairsWeighing(domain));
  bench.state.candidates.push_back({Clique({3}), 1});
  bench.state.candidates.push_back({Clique({0, 1, 3}), 1});
  EXPECT_THAT(SelectFromNoisySums()->ToWatch(domain, bench.state),
              ElementsAre(Clique({0, 1}), Clique({0, 3}), Clique({1, 3}), Clique({2, 3})));
}

TEST(NoisySums, ShowThePairsThatBelongTogetherStrongestFirst) {
  int others = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    WatchingBench watching(kDomain, OnceOf(10, 5), PairsWeighing(kDomain), {{0, 3, 0.5}, {1, 2, 0.3}}, seed);
    const std::vector<Clique> chosen = watching.Chosen();
    ASSERT_GE(chosen.size(), 2u);
    EXPECT_EQ(chosen[0], Clique({0, 3})) << seed;
    EXPECT_EQ(chosen[1], Clique({1, 2})) << seed;
    others += static_cast<int>(chosen.size()) - 2;
  }
  EXPECT_LT(others, 0.07 * 50 * 8) << "of eight independent pairs";
}

// What exceeds two standard deviations is some percent of them, whose number the noise of the model's own one-ways
// raises a little.
TEST(NoisySums, OfIndependentColumnsPassForAnErrorAsSeldomAsNoiseDoes) {
  int chosen = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    chosen +=
        static_cast<int>(WatchingBench(kDomain, OnceOf(10, 10), PairsWeighing(kDomain), {}, seed).Chosen().size());
  }
  EXPECT_LT(chosen, 0.07 * 300 * 10);
  EXPECT_GT(chosen, 0.02 * 300 * 10);
}

// Of a chain 0 - 1 - 2, the model knows how 0 goes with 2 once it has the links. Their noise is then in the model, and
// now and then passes for an error of what they imply.
TEST(NoisySums, ShowNothingNewOnceTheModelHasIt) {
  int implied = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    WatchingBench watching(kDomain, OnceOf(10, 5), PairsWeighing(kDomain), {{0, 1, 0.8}, {1, 2, 0.8}}, seed);
    std::vector<Clique> chosen = watching.Chosen();
    implied += static_cast<int>(std::ranges::count(chosen, Clique({0, 2})));
    ASSERT_GE(chosen.size(), 2u);
    chosen.resize(2);
    EXPECT_THAT(chosen, UnorderedElementsAre(Clique({0, 1}), Clique({1, 2}))) << "seed " << seed;
  }
  EXPECT_LT(implied, 25);
}

TEST(NoisySums, AreChosenFromAsOftenAsTheMethodWants) {
  const std::vector<Link> links = {{0, 1, 0.7}, {2, 3, 0.5}, {3, 4, 0.3}};
  for (int marginals = 1; marginals <= 3; ++marginals) {
    WatchingBench watching(kDomain, OnceOf(10, marginals), PairsWeighing(kDomain), links, 3);
    const std::vector<Clique> by_strength = {Clique({0, 1}), Clique({2, 3}), Clique({3, 4})};
    EXPECT_EQ(watching.Chosen(), std::vector<Clique>(by_strength.begin(), by_strength.begin() + marginals));
  }
}

// The weaker link counts ten times as much.
TEST(NoisySums, CountByTheWeightOfTheirPair) {
  std::vector<WeightedQuery> candidates = PairsWeighing(kDomain);
  const auto weaker = std::ranges::find_if(candidates, [](const WeightedQuery& query) {
    return query.clique == Clique({2, 3});
  });
  weaker->weight = 10;
  WatchingBench watching(kDomain, OnceOf(10, 1), candidates, {{0, 1, 0.6}, {2, 3, 0.4}}, 4);
  EXPECT_THAT(watching.Chosen(), ElementsAre(Clique({2, 3})));
}

// Three cells have 444 records too many and six 222 too few: tau is 943 and the error 2256, as it is estimated. When
// ten groups have measured 5 pairs instead of 10, the noise of two of them is 2 / sqrt(2/100 + 8/50) a cell, and 33.9
// in all. So the pair is worth it for a penalty of up to 66.5 times that.
TEST(NoisySums, AreChosenFromAsLongAsAPairIsWorthItsNoise) {
  const std::vector<Link> links = {{0, 3, 0.5}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    EXPECT_THAT(WatchingBench(kDomain, OnceOf(10, 5, 60), PairsWeighing(kDomain), links, seed).Chosen(),
                ElementsAre(Clique({0, 3})));
    EXPECT_THAT(WatchingBench(kDomain, OnceOf(10, 5, 73), PairsWeighing(kDomain), links, seed).Chosen(), IsEmpty());
  }
}

// One-ways of 3, 4, 5 and 6 cells make 18. The strongest link would make it 37, the next one 23, and all three 60.
TEST(NoisySums, NeverMakeTheModelLargerThanItMayBe) {
  const Domain domain = DomainOfSizes({3, 4, 5, 6});
  const std::vector<Link> links = {{0, 1, 0.6}, {0, 3, 0.5}, {3, 2, 0.9}};
  for (const std::int64_t max_cells : {18, 22, 23, 30, 37, 47, 59, 60}) {
    WatchingBench watching(domain, OnceOf(10, 5), PairsWeighing(domain), links, 6);
    watching.bench.options.max_model_cells = max_cells;
    const std::vector<Clique> chosen = watching.Chosen();
    EXPECT_LE(watching.bench.state.model->tree().cells(), max_cells);
    const JunctionTree needed = JunctionTree::Build(domain, chosen, 1 << 20).value();
    EXPECT_EQ(watching.bench.state.model->tree().cells(), needed.cells());
    EXPECT_EQ(chosen.empty(), max_cells < 23) << max_cells;
    EXPECT_EQ(std::ranges::count(chosen, Clique({2, 3})), max_cells >= 37 ? 1 : 0) << max_cells;
  }
}

// What was measured of a choice is not thrown away; what was not chosen is.
TEST(NoisySums, BecomePartOfTheModelIfTheyAreChosen) {
  WatchingBench watching(kDomain, OnceOf(10, 1), PairsWeighing(kDomain), {{0, 3, 0.5}}, 7);
  ASSERT_THAT(watching.bench.state.released.AsMeasured(), SizeIs(2 * 5));
  ASSERT_THAT(watching.Chosen(), ElementsAre(Clique({0, 3})));
  const std::vector<Measurement> measured = watching.bench.state.released.AsMeasured();
  ASSERT_THAT(measured, SizeIs(2 * 5 + 2));
  for (std::size_t part = 10; part < 12; ++part) {
    EXPECT_EQ(measured[part].clique, Clique({0, 3}));
    EXPECT_EQ(measured[part].variance, 100);
  }
  MarginalQuery query = watching.bench.state.model->Query();
  EXPECT_NEAR(query.Answer(Clique({0, 3}))[0], (0.5 + 0.5 / 3) / 3, 0.02);
}

TEST(NoisySums, AreChosenFromOnce) {
  WatchingBench watching(kDomain, OnceOf(10, 1), PairsWeighing(kDomain), {{0, 3, 0.5}, {1, 2, 0.5}}, 8);
  ASSERT_THAT(watching.Chosen(), SizeIs(1));
  EXPECT_THAT(watching.Chosen(), SizeIs(1));
}

TEST(NoisySums, ThatNobodyMeasuredAreNotChosenFrom) {
  SelectionBench bench(kDomain, OnceOf(10, 5), PairsWeighing(kDomain));
  EXPECT_TRUE(SelectFromNoisySums()->Finish(bench.Run(), bench.state).ok());
  EXPECT_THAT(bench.state.choices, IsEmpty());
}

}  // namespace
}  // namespace flaim
