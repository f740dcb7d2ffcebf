#include "model/sampling/synthetic_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/small_levels_testing.h"
#include "model/inference/small_model_testing.h"
#include "model/sampling/goodness_of_fit_testing.h"

namespace flaim {
namespace {

constexpr double kAlpha = 1e-9;
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
constexpr SamplingMethod kMethods[] = {SamplingMethod::kRounded, SamplingMethod::kExact};

Model ModelOver(std::vector<Attribute> attributes, std::vector<Clique> cliques, std::vector<double> potentials) {
  return Calibrate({Domain::Create(std::move(attributes)).value(), std::move(cliques), std::move(potentials)}).value();
}

std::int64_t CellOf(const Table& table, std::size_t row, const std::vector<AttributeIndex>& attributes) {
  std::int64_t cell = 0;
  for (const AttributeIndex attribute : attributes) {
    cell = cell * table.domain()[attribute].size + table.at(row, attribute);
  }
  return cell;
}

std::vector<std::int64_t> CountCells(const Table& table, const std::vector<AttributeIndex>& attributes) {
  std::vector<std::int64_t> counts(CellCount(table.domain(), Clique(attributes)).value());
  for (std::size_t row = 0; row < table.rows(); ++row) ++counts[CellOf(table, row, attributes)];
  return counts;
}

double DistanceOverCliques(const Table& table, const Model& model) {
  MarginalQuery query = model.Query();
  double distance = 0;
  for (const Clique& clique : model.layout().cliques()) {
    const std::vector<std::int64_t> counts = CountCells(table, clique.attributes());
    const std::vector<double> marginal = query.Answer(clique);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      distance += std::abs(static_cast<double>(counts[i]) - static_cast<double>(table.rows()) * marginal[i]);
    }
  }
  return distance;
}

TEST(RowSampler, ExactRowsHaveTheModelsDistribution) {
  constexpr std::uint64_t kModels = 150;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const RandomModel random_model = MakeRandomModel(seed, {2, seed % 3 == 0 ? 0.2 : 0.0});
    const std::optional<Model> model = Calibrate(random_model);
    if (!model) continue;
    SeededRandomSource random(seed, "exact rows");
    const Table table = RowSampler(*model, SamplingMethod::kExact).Next(40000, random);
    const Clique all = AllAttributes(random_model.domain);
    ASSERT_GT(GoodnessOfFitPValue(CountCells(table, all.attributes()), MarginalByBruteForce(random_model, all)),
              kAlpha / kModels)
        << "seed " << seed << ", " << random_model.Describe();
  }
}

// Rows of one batch depend on each other, rows of different batches do not.
TEST(RowSampler, EachRowOfARoundedBatchHasTheModelsDistribution) {
  constexpr std::uint64_t kModels = 60;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const RandomModel random_model = MakeRandomModel(seed + 1000, {2, seed % 3 == 0 ? 0.2 : 0.0});
    const std::optional<Model> model = Calibrate(random_model);
    if (!model) continue;
    SeededRandomSource random(seed, "rounded rows");
    RowSampler sampler(*model, SamplingMethod::kRounded);
    const std::size_t batch_rows = 1 + seed % 20;
    const std::size_t row = random.NextBelow(batch_rows);
    const Clique all = AllAttributes(random_model.domain);
    std::vector<std::int64_t> counts(CellCount(random_model.domain, all).value());
    for (int batch = 0; batch < 10000; ++batch) {
      ++counts[CellOf(sampler.Next(batch_rows, random), row, all.attributes())];
    }
    ASSERT_GT(GoodnessOfFitPValue(counts, MarginalByBruteForce(random_model, all)), kAlpha / kModels)
        << "seed " << seed << ", " << random_model.Describe();
  }
}

TEST(RowSampler, RoundedCountsAreWithinOneOfWhatTheRowsOfASeparatorExpect) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::optional<Model> model = Calibrate(MakeRandomModel(seed + 2000, {3, 0.1}));
    if (!model) continue;
    SeededRandomSource random(seed, "rounded counts");
    const Table table = RowSampler(*model, SamplingMethod::kRounded).Next(random.NextBelow(2000), random);
    for (std::size_t i = 0; i < model->tree().nodes().size(); ++i) {
      const JunctionTree::Node& node = model->tree().nodes()[i];
      const std::span<const double> joint = model->NodeMarginal(static_cast<int>(i));
      const std::vector<std::int64_t> counts = CountCells(table, node.attributes);
      for (std::int64_t state = 0; state < node.rows; ++state) {
        double rows = 0;
        double probability = 0;
        for (std::int64_t cell = state * node.columns; cell < (state + 1) * node.columns; ++cell) {
          rows += static_cast<double>(counts[cell]);
          probability += joint[cell];
        }
        if (rows == 0) continue;
        for (std::int64_t cell = state * node.columns; cell < (state + 1) * node.columns; ++cell) {
          ASSERT_LT(std::abs(static_cast<double>(counts[cell]) - rows * joint[cell] / probability), 1 + 1e-9);
        }
      }
    }
  }
}

TEST(RowSampler, RoundedRowsAreCloserToTheModelThanExactOnes) {
  double rounded_distance = 0;
  double exact_distance = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::optional<Model> model = Calibrate(MakeRandomModel(seed + 3000, {1, 0}));
    SeededRandomSource random(seed, "distance");
    rounded_distance += DistanceOverCliques(RowSampler(*model, SamplingMethod::kRounded).Next(2000, random), *model);
    exact_distance += DistanceOverCliques(RowSampler(*model, SamplingMethod::kExact).Next(2000, random), *model);
  }
  EXPECT_LT(rounded_distance, 0.5 * exact_distance);
}

struct LevelledModel {
  Model model;
  RandomModel over_values;  // the same distribution, for brute force
};

// Nothing if the potentials exclude every record.
std::optional<LevelledModel> MakeLevelledModel(std::uint64_t seed) {
  const RandomModel over_bins = MakeRandomModel(seed, {2, seed % 3 == 0 ? 0.2 : 0.0});
  std::optional<Model> model = Calibrate(over_bins);
  if (!model) return std::nullopt;
  SeededRandomSource random(seed, "levels");
  const Levels levels = RandomLevels(over_bins.domain, random);
  return LevelledModel{std::move(*model).WithLevels(levels), OverValues(over_bins, levels)};
}

TEST(RowSampler, ExactRowsOfAModelWithLevelsHaveItsDistribution) {
  constexpr std::uint64_t kModels = 100;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const std::optional<LevelledModel> levelled = MakeLevelledModel(seed + 5000);
    if (!levelled) continue;
    SeededRandomSource random(seed, "exact rows");
    const Table table = RowSampler(levelled->model, SamplingMethod::kExact).Next(40000, random);
    const Clique all = AllAttributes(levelled->over_values.domain);
    ASSERT_GT(
        GoodnessOfFitPValue(CountCells(table, all.attributes()), MarginalByBruteForce(levelled->over_values, all)),
        kAlpha / kModels)
        << "seed " << seed;
  }
}

TEST(RowSampler, EachRowOfARoundedBatchOfAModelWithLevelsHasItsDistribution) {
  constexpr std::uint64_t kModels = 40;
  for (std::uint64_t seed = 0; seed < kModels; ++seed) {
    const std::optional<LevelledModel> levelled = MakeLevelledModel(seed + 6000);
    if (!levelled) continue;
    SeededRandomSource random(seed, "rounded rows");
    RowSampler sampler(levelled->model, SamplingMethod::kRounded);
    const std::size_t batch_rows = 1 + seed % 20;
    const std::size_t row = random.NextBelow(batch_rows);
    const Clique all = AllAttributes(levelled->over_values.domain);
    std::vector<std::int64_t> counts(CellCount(levelled->over_values.domain, all).value());
    for (int batch = 0; batch < 10000; ++batch) {
      ++counts[CellOf(sampler.Next(batch_rows, random), row, all.attributes())];
    }
    ASSERT_GT(GoodnessOfFitPValue(counts, MarginalByBruteForce(levelled->over_values, all)), kAlpha / kModels)
        << "seed " << seed;
  }
}

TEST(RowSampler, RoundedCountsOfValuesAreWithinOneOfWhatTheRowsOfABinExpect) {
  int attributes_with_bins = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const std::optional<LevelledModel> levelled = MakeLevelledModel(seed + 7000);
    if (!levelled) continue;
    SeededRandomSource random(seed, "rounded values");
    const Table table = RowSampler(levelled->model, SamplingMethod::kRounded).Next(random.NextBelow(2000), random);
    const Levels& levels = *levelled->model.levels();
    ASSERT_EQ(table.domain(), levels.bins().values());
    const Table bins = levels.bins().Gather(table);
    for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
      if (!levels.bins().HasBins(attribute)) continue;
      ++attributes_with_bins;
      const std::vector<std::int64_t> of_values = CountCells(table, {attribute});
      const std::vector<std::int64_t> of_bins = CountCells(bins, {attribute});
      for (std::uint32_t value = 0; value < of_values.size(); ++value) {
        const double expected =
            static_cast<double>(of_bins[levels.bins().BinOf(attribute, value)]) * levels.Share(attribute, value);
        ASSERT_LT(std::abs(static_cast<double>(of_values[value]) - expected), 1 + 1e-9);
      }
    }
  }
  EXPECT_GT(attributes_with_bins, 200);
}

TEST(RowSampler, DrawsTheSameBinsWithAndWithoutLevels) {
  for (const SamplingMethod method : kMethods) {
    const RandomModel over_bins = MakeRandomModel(11, {2, 0});
    SeededRandomSource random(11, "levels");
    const Levels levels = RandomLevels(over_bins.domain, random);
    SeededRandomSource for_bins(12, "rows");
    SeededRandomSource for_values(12, "rows");
    const Table bins = RowSampler(Calibrate(over_bins).value(), method).Next(500, for_bins);
    const Table values = RowSampler(Calibrate(over_bins).value().WithLevels(levels), method).Next(500, for_values);
    const Table gathered = levels.bins().Gather(values);
    for (std::size_t row = 0; row < 500; ++row) {
      for (AttributeIndex i = 0; i < bins.domain().size(); ++i) ASSERT_EQ(gathered.at(row, i), bins.at(row, i));
    }
  }
}

TEST(RowSampler, NeverDrawsARecordThatTheModelExcludes) {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const double magnitude = seed % 4 == 0 ? 400 : 2;
    const std::optional<Model> model =
        Calibrate(MakeRandomModel(seed + 4000, {magnitude, 0.1 + 0.1 * static_cast<double>(seed % 4)}));
    if (!model) continue;
    ++models;
    SeededRandomSource random(seed, "structural zeros");
    for (const SamplingMethod method : kMethods) {
      RowSampler sampler(*model, method);
      for (const std::size_t rows : {1, 2, 7, 200}) {
        const Table table = sampler.Next(rows, random);
        for (std::size_t row = 0; row < rows; ++row) {
          const std::int64_t cell = CellOf(table, row, AllAttributes(table.domain()).attributes());
          ASSERT_GT(model->LogDensity(DecodeRecord(table.domain(), cell)), kMinusInfinity);
        }
      }
    }
  }
  EXPECT_GT(models, 200);
}

TEST(RowSampler, DrawsComponentsIndependentlyAndUncoveredAttributesUniformly) {
  // a fixes b, c fixes d; e, of one value, and f are in no clique.
  const Model model =
      ModelOver({{"a", 2}, {"b", 2}, {"c", 2}, {"d", 2}, {"e", 1}, {"f", 4}}, {Clique({0, 1}), Clique({2, 3})},
                {0, kMinusInfinity, kMinusInfinity, 0, kMinusInfinity, 0, 0, kMinusInfinity});
  SeededRandomSource random(1, "components");
  for (const SamplingMethod method : kMethods) {
    const Table table = RowSampler(model, method).Next(40000, random);
    std::vector<std::int64_t> counts(16);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      ASSERT_EQ(table.at(row, 0), table.at(row, 1));
      ASSERT_NE(table.at(row, 2), table.at(row, 3));
      ASSERT_EQ(table.at(row, 4), 0u);
      ++counts[table.at(row, 0) + 2 * table.at(row, 2) + 4 * table.at(row, 5)];
    }
    EXPECT_GT(GoodnessOfFitPValue(counts, std::vector<double>(16, 1.0 / 16)), kAlpha);
  }
}

TEST(RowSampler, DrawsNoRowsAndOneRow) {
  const Model model = ModelOver({{"a", 3}, {"b", 2}}, {Clique({0, 1})}, std::vector<double>(6, 0.0));
  SeededRandomSource random(2, "few rows");
  for (const SamplingMethod method : kMethods) {
    RowSampler sampler(model, method);
    EXPECT_EQ(sampler.Next(0, random).rows(), 0u);
    EXPECT_EQ(sampler.Next(1, random).rows(), 1u);
    EXPECT_EQ(sampler.Next(0, random).domain(), model.domain());
  }
}

TEST(RowSampler, RoundsAMillionRowsOfTwoCellsToTheRow) {
  const Model model = ModelOver({{"a", 2}}, {Clique({0})}, {0, std::log(3)});
  SeededRandomSource random(3, "many rows");
  const Table table = RowSampler(model, SamplingMethod::kRounded).Next(1'000'001, random);
  const std::int64_t ones = CountCells(table, {0})[1];
  EXPECT_TRUE(ones == 750'000 || ones == 750'001) << ones;
}

TEST(RowSampler, FillsColumnsOfEveryWidth) {
  const Model model = ModelOver({{"a", 3}, {"b", 300}, {"c", 70'000}}, {Clique({0, 1}), Clique({2})},
                                std::vector<double>(900 + 70'000, 0.0));
  SeededRandomSource random(4, "widths");
  for (const SamplingMethod method : kMethods) {
    const Table table = RowSampler(model, method).Next(20'000, random);
    std::uint32_t largest[3] = {};
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (AttributeIndex i = 0; i < 3; ++i) largest[i] = std::max(largest[i], table.at(row, i));
    }
    EXPECT_EQ(largest[0], 2u);
    EXPECT_EQ(largest[1], 299u);
    EXPECT_GT(largest[2], 65'536u);
  }
}

TEST(RowSampler, OutlivesTheModelAndRepeatsItselfUnderTheSameSeed) {
  for (const SamplingMethod method : kMethods) {
    std::vector<std::vector<std::int64_t>> runs;
    for (int run = 0; run < 2; ++run) {
      std::optional<Model> model = Calibrate(MakeRandomModel(7, {2, 0}));
      RowSampler sampler(*model, method);
      model.reset();
      SeededRandomSource random(5, "repeat");
      const Table table = sampler.Next(500, random);
      runs.emplace_back();
      for (std::size_t row = 0; row < 500; ++row) {
        runs.back().push_back(CellOf(table, row, AllAttributes(table.domain()).attributes()));
      }
    }
    EXPECT_EQ(runs[0], runs[1]);
    EXPECT_THAT(runs[0], testing::Contains(testing::Ne(runs[0][0])));
  }
}

std::vector<std::size_t> BatchSizes(std::uint64_t rows) {
  const Model model = ModelOver({{"a", 2}}, {}, {});
  RowSampler sampler(model, SamplingMethod::kRounded);
  SeededRandomSource random(6, "stream");
  std::vector<std::size_t> sizes;
  const absl::Status status = StreamRows(sampler, rows, random, [&](const Table& table) {
    sizes.push_back(table.rows());
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok());
  return sizes;
}

TEST(StreamRows, HandsOnAllRowsInBatchesOfAboutEqualSize) {
  EXPECT_THAT(BatchSizes(0), testing::IsEmpty());
  EXPECT_THAT(BatchSizes(1), testing::ElementsAre(1));
  EXPECT_THAT(BatchSizes(kBatchRows), testing::ElementsAre(kBatchRows));
  EXPECT_THAT(BatchSizes(kBatchRows + 1), testing::ElementsAre(kBatchRows / 2 + 1, kBatchRows / 2));
  EXPECT_THAT(BatchSizes(3 * kBatchRows - 1), testing::ElementsAre(kBatchRows, kBatchRows, kBatchRows - 1));
}

TEST(StreamRows, StopsAtTheFirstError) {
  const Model model = ModelOver({{"a", 2}}, {}, {});
  RowSampler sampler(model, SamplingMethod::kExact);
  SeededRandomSource random(7, "stream error");
  int calls = 0;
  const absl::Status status = StreamRows(sampler, 2 * kBatchRows, random, [&](const Table&) {
    ++calls;
    return absl::DataLossError("the disk is full");
  });
  EXPECT_EQ(status.message(), "the disk is full");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace flaim
