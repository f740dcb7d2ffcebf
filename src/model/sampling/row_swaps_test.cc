#include "model/sampling/row_swaps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/workload.h"
#include "model/inference/condition.h"
#include "model/inference/reference_models_testing.h"
#include "model/inference/small_model_testing.h"
#include "model/sampling/swap_block.h"
#include "model/sampling/swap_cliques.h"

namespace flaim {
namespace {

using Row = std::vector<std::uint32_t>;

// Three columns in a chain and one by itself: sizes that give cells with many rows and cells with few.
Model ChainModel() {
  const Domain domain = Domain::Create({{"a", 3}, {"b", 9}, {"c", 5}, {"d", 4}}).value();
  const std::vector<Clique> cliques = {Clique({0, 1}), Clique({1, 2}), Clique({3})};
  SeededRandomSource random(1, "chain");
  std::vector<double> potentials(27 + 45 + 4);
  for (double& potential : potentials) potential = 3 * random.NextUnit();
  Parallel parallel(1);
  return Model::Create(domain, cliques, potentials, 1000, 1000, parallel).value();
}

std::vector<Row> RowsOf(const Table& table) {
  std::vector<Row> rows(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (AttributeIndex i = 0; i < table.domain().size(); ++i) rows[row].push_back(table.at(row, i));
  }
  return rows;
}

// All rows counted anew.
double DistanceOf(const Table& table, const Model& model, const std::vector<Clique>& cliques) {
  MarginalQuery query = model.Query();
  const auto rows = static_cast<double>(table.rows());
  double distance = 0;
  for (const Clique& clique : cliques) {
    const std::vector<std::int64_t> counts = NaiveCountClique(table, clique);
    const std::vector<double> shares = query.Answer(clique);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double excess = static_cast<double>(counts[i]) - rows * shares[i];
      distance += excess * excess / std::max(1.0, rows * shares[i]);
    }
  }
  return distance;
}

Table Drawn(const Model& model, std::uint64_t rows, std::uint64_t seed) {
  SeededRandomSource random(seed, "drawn");
  return RowSampler(model, SamplingMethod::kRounded).Next(rows, random);
}

Table Swapped(const Model& model, std::uint64_t rows, std::uint64_t seed, const std::vector<Clique>& cliques,
              SwapOptions options = {}, int threads = 1) {
  SeededRandomSource random(seed, "drawn");  // so that the first block starts from the rows of Drawn()
  Parallel parallel(threads);
  return DrawSwappedRows(model, {.rows = rows, .cliques = cliques, .options = options}, random, parallel).value();
}

// What RowSwaps holds of a model, before any row.
struct EmptyCells {
  EmptyCells(const Model& model, const std::vector<Clique>& cliques, double rows) {
    MarginalQuery query = model.Query();
    for (const Clique& clique : cliques) {
      for (const double share : query.Answer(clique)) expected.push_back(rows * share);
      begin.push_back(static_cast<std::uint32_t>(expected.size()));
    }
    for (const double cell : expected) excess.push_back(-cell);
  }
  kernels::CellExcess cells() { return {begin, expected, excess}; }

  std::vector<std::uint32_t> begin = {0};
  std::vector<double> expected;
  std::vector<double> excess;
};

TEST(RowSwaps, TheDistanceNeverRisesFromPassToPass) {
  Parallel parallel(2);
  int passes_that_swapped = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::optional<Model> model = Calibrate(MakeRandomModel(seed, {3, 0.1}));
    if (!model) continue;
    const std::vector<Clique> cliques = DefaultSwapCliques(model->domain());
    SeededRandomSource random(seed, "passes");
    RowSampler sampler(*model, SamplingMethod::kExact);
    const Table rows = sampler.Next(1 + random.NextBelow(400), random);
    const Table spare = sampler.Next(random.NextBelow(800), random);
    SwapBlock block = SwapBlock::Create(rows, spare, cliques, parallel).value();
    EmptyCells counted(*model, cliques, static_cast<double>(rows.rows()));
    block.CountInto(counted.cells(), parallel);
    double distance = DistanceOf(rows, *model, cliques);
    for (int pass = 0; pass < 6; ++pass) {
      const std::size_t swapped = block.Pass(counted.cells(), 20, parallel).value();
      const double now = DistanceOf(block.Rows(), *model, cliques);
      ASSERT_NEAR(now, kernels::SquaredDistance(counted.expected, counted.excess), 1e-6) << "seed " << seed;
      if (swapped > 0) {
        ASSERT_LT(now, distance) << "seed " << seed;
      } else {
        ASSERT_EQ(now, distance) << "seed " << seed;
      }
      distance = now;
      passes_that_swapped += swapped > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(passes_that_swapped, 300);
}

TEST(RowSwaps, KeepsUpTheDistanceOfAllBlocksThatCountingThemAgainFinds) {
  const Model model = ChainModel();
  const std::vector<Clique> cliques = DefaultSwapCliques(model.domain());
  RowSwaps swaps = RowSwaps::Create(model, cliques, 900).value();
  RowSampler sampler(model, SamplingMethod::kRounded);
  SeededRandomSource random(3, "blocks");
  Parallel parallel(1);
  std::vector<Table> blocks;
  for (const std::size_t rows : {200, 300, 400}) {
    const Table drawn = sampler.Next(rows, random);
    blocks.push_back(swaps.Improve(drawn, sampler.Next(2 * rows, random), parallel).value());
  }
  EXPECT_NEAR(swaps.Distance(), DistanceOf(Table::Concatenate(model.domain(), blocks), model, cliques), 1e-6);
}

TEST(RowSwaps, GivesRowsThatWereDrawnEachAtMostOnceAndInTheirPlaces) {
  const Model model = ChainModel();
  const Table drawn = Drawn(model, 500, 4);
  const Table spare = Drawn(model, 1000, 5);
  RowSwaps swaps = RowSwaps::Create(model, DefaultSwapCliques(model.domain()), 500).value();
  Parallel parallel(1);
  const std::vector<Row> rows = RowsOf(swaps.Improve(drawn, spare, parallel).value());
  std::map<Row, int> left;
  for (const Table& table : {drawn, spare}) {
    for (const Row& row : RowsOf(table)) ++left[row];
  }
  const std::vector<Row> before = RowsOf(drawn);
  std::size_t stayed = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_GE(--left[rows[i]], 0);
    stayed += rows[i] == before[i];
  }
  EXPECT_GT(stayed, 250u);
  EXPECT_LT(stayed, 500u);
}

TEST(RowSwaps, NeverGivesARecordThatTheModelExcludes) {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::optional<Model> model = Calibrate(MakeRandomModel(seed + 100, {3, 0.3}));
    if (!model) continue;
    ++models;
    for (const Row& row : RowsOf(Swapped(*model, 200, seed, DefaultSwapCliques(model->domain())))) {
      ASSERT_GT(model->LogDensity(row), -std::numeric_limits<double>::infinity());
    }
  }
  EXPECT_GT(models, 50);
}

TEST(RowSwaps, GivesTheSameRowsForAnyNumberOfThreadsAlsoInManyBlocks) {
  const Model model = ChainModel();
  const std::vector<Clique> cliques = DefaultSwapCliques(model.domain());
  const SwapOptions options{.passes = 10, .block_rows = 9000};  // more than one run of scores
  const std::vector<Row> alone = RowsOf(Swapped(model, 25'000, 6, cliques, options));
  EXPECT_EQ(alone.size(), 25'000u);
  for (const int threads : {1, 2, 3}) {
    EXPECT_EQ(RowsOf(Swapped(model, 25'000, 6, cliques, options, threads)), alone) << threads;
  }
  EXPECT_NE(RowsOf(Swapped(model, 25'000, 7, cliques, options)), alone);
}

TEST(RowSwaps, BringsAllMarginalsOfAChainMuchCloserToTheModel) {
  const Model model = ChainModel();
  const std::vector<Clique> cliques = DefaultSwapCliques(model.domain());
  const double drawn = DistanceOf(Drawn(model, 5000, 8), model, cliques);
  EXPECT_LT(DistanceOf(Swapped(model, 5000, 8, cliques), model, cliques), 0.1 * drawn);
}

TEST(RowSwaps, ABlockMakesUpForWhatItsPredecessorsLeftOver) {
  const Model model = ChainModel();
  const std::vector<Clique> cliques = DefaultSwapCliques(model.domain());
  const double in_one = DistanceOf(Swapped(model, 8000, 9, cliques), model, cliques);
  const double in_eight = DistanceOf(Swapped(model, 8000, 9, cliques, {.block_rows = 1000}), model, cliques);
  EXPECT_LT(in_eight, 2 * in_one);
}

TEST(RowSwaps, WorkOnAModelUnderAConditionToo) {
  Parallel parallel(1);
  const Model all = ChainModel();
  const Model model = Condition(all, std::vector<Evidence>{{1, {2, 5}}}, parallel).value();
  const std::vector<Clique> cliques = DefaultSwapCliques(model.domain());
  const Table rows = Swapped(model, 2000, 10, cliques);
  for (const Row& row : RowsOf(rows)) ASSERT_THAT(row[1], testing::AnyOf(2u, 5u));
  EXPECT_LT(DistanceOf(rows, model, cliques), 0.2 * DistanceOf(Drawn(model, 2000, 10), model, cliques));
}

TEST(RowSwaps, GivesNoRowsOneRowAndRowsWithoutSpareOnes) {
  const Model model = ChainModel();
  const std::vector<Clique> cliques = DefaultSwapCliques(model.domain());
  EXPECT_EQ(Swapped(model, 0, 1, cliques).rows(), 0u);
  EXPECT_EQ(Swapped(model, 1, 1, cliques).rows(), 1u);
  EXPECT_EQ(RowsOf(Swapped(model, 300, 1, cliques, {.spares_per_row = 0})), RowsOf(Drawn(model, 300, 1)));
}

TEST(RowSwaps, RefusesMarginalsOfTooManyCellsTogether) {
  const Domain domain = Domain::Create({{"a", 200}, {"b", 200}, {"c", 2}, {"d", 200}}).value();
  Parallel parallel(1);
  const Model model = Model::Create(domain, {Clique({0})}, std::vector<double>(200), 100, 10'000, parallel).value();
  std::vector<Clique> cliques(209, Clique({0, 1}));
  EXPECT_TRUE(RowSwaps::Create(model, cliques, 100).ok());
  cliques.push_back(Clique({1, 3}));
  EXPECT_THAT(std::string(RowSwaps::Create(model, cliques, 100).status().message()), testing::HasSubstr("name fewer"));
}

TEST(RowSwaps, TakesSmallerBlocksForMoreMarginals) {
  const Model model = ChainModel();
  const auto rows_for = [&](std::size_t cliques) {
    return RowSwaps::Create(model, std::vector<Clique>(cliques, Clique({0})), 1).value().BlockRows();
  };
  EXPECT_EQ(rows_for(300), 50'000u);
  EXPECT_EQ(rows_for(1000), 15'000u);
}

TEST(RowSwaps, StopsWhenAskedTo) {
  const Model model = ChainModel();
  Parallel parallel(1, [] { return true; });
  SeededRandomSource random(1, "stop");
  const SwappedRowsRequest request{.rows = 1000, .cliques = DefaultSwapCliques(model.domain()), .options = {}};
  EXPECT_TRUE(absl::IsCancelled(DrawSwappedRows(model, request, random, parallel).status()));
}

// Mean L1 distance of probabilities.
double ErrorOf(const Table& table, const Model& model, const std::vector<Clique>& cliques) {
  MarginalQuery query = model.Query();
  double sum = 0;
  for (const Clique& clique : cliques) {
    const std::vector<std::int64_t> counts = NaiveCountClique(table, clique);
    const std::vector<double> shares = query.Answer(clique);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      sum += std::abs(static_cast<double>(counts[i]) / static_cast<double>(table.rows()) - shares[i]);
    }
  }
  return sum / static_cast<double>(cliques.size());
}

std::vector<Clique> SomeThreeWays(const Domain& domain, std::uint64_t seed) {
  SeededRandomSource random(seed, "three-ways");
  return SwapCliques(domain, RandomKWay(domain, 64, 3, random, 10'000).value());
}

// As many rows as Adult has, from a model over its columns: three-ways that rows were swapped for, and others.
TEST(RowSwaps, TakeAwayMuchOfTheSamplingErrorOfThreeWaysOfAdultsColumns) {
  const std::optional<Model> model = ReferenceModel("3way_1MB");
  if (!model) GTEST_SKIP() << MissingReference();
  const std::vector<Clique> named = SomeThreeWays(model->domain(), 1);
  const std::vector<Clique> others = SomeThreeWays(model->domain(), 2);
  const Table drawn = Drawn(*model, 48'842, 11);
  const Table swapped = Swapped(*model, 48'842, 11, named, {}, 2);
  EXPECT_LT(ErrorOf(swapped, *model, named), 0.55 * ErrorOf(drawn, *model, named));
  EXPECT_LT(ErrorOf(swapped, *model, others), 0.9 * ErrorOf(drawn, *model, others));
}

}  // namespace
}  // namespace flaim
