#include <cmath>
#include <limits>
#include <optional>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/model.h"
#include "model/inference/small_levels_testing.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

struct LevelledModel {
  Model model;
  RandomModel over_bins;
  RandomModel over_values;  // the same distribution, for brute force
};

// Nothing if the potentials exclude every record.
std::optional<LevelledModel> MakeLevelledModel(std::uint64_t seed) {
  RandomModel over_bins = MakeRandomModel(seed, {2, seed % 3 == 0 ? 0.1 : 0.0});
  std::optional<Model> model = Calibrate(over_bins);
  if (!model) return std::nullopt;
  SeededRandomSource random(seed, "levels");
  const Levels levels = RandomLevels(over_bins.domain, random);
  RandomModel over_values = OverValues(over_bins, levels);
  return LevelledModel{std::move(*model).WithLevels(levels), std::move(over_bins), std::move(over_values)};
}

Clique CliqueOfBits(unsigned bits, const Domain& domain) {
  std::vector<AttributeIndex> attributes;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    if ((bits >> attribute & 1U) != 0) attributes.push_back(attribute);
  }
  return Clique(attributes);
}

TEST(ModelWithLevels, AnswersEveryMarginalOverValuesAndOverBins) {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const std::optional<LevelledModel> levelled = MakeLevelledModel(seed);
    if (!levelled) continue;
    ++models;
    const auto& [model, over_bins, over_values] = *levelled;
    ASSERT_EQ(model.domain(), over_values.domain);
    ASSERT_EQ(model.tree().domain(), over_bins.domain);
    MarginalQuery values = model.Query();
    MarginalQuery bins = model.QueryBins();
    for (unsigned subset = 0; subset < 1U << over_bins.domain.size(); ++subset) {
      const Clique clique = CliqueOfBits(subset, over_bins.domain);
      ASSERT_THAT(values.Answer(clique), Pointwise(DoubleNear(1e-10), MarginalByBruteForce(over_values, clique)));
      ASSERT_THAT(bins.Answer(clique), Pointwise(DoubleNear(1e-10), MarginalByBruteForce(over_bins, clique)));
    }
  }
  EXPECT_GT(models, 80);
}

TEST(ModelWithLevels, HasDensitiesOverValuesThatAddUpToOne) {
  int impossible = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::optional<LevelledModel> levelled = MakeLevelledModel(seed + 1000);
    if (!levelled) continue;
    const Domain& domain = levelled->over_values.domain;
    const std::vector<double> expected = MarginalByBruteForce(levelled->over_values, AllAttributes(domain));
    double sum = 0;
    for (std::size_t cell = 0; cell < expected.size(); ++cell) {
      const double density = std::exp(levelled->model.LogDensity(DecodeRecord(domain, cell)));
      ASSERT_NEAR(density, expected[cell], 1e-10) << levelled->over_bins.Describe();
      ASSERT_EQ(density == 0, expected[cell] == 0);
      impossible += density == 0 ? 1 : 0;
      sum += density;
    }
    ASSERT_NEAR(sum, 1, 1e-9);
  }
  EXPECT_GT(impossible, 100);
}

TEST(ModelWithLevels, KeepsThemUnderAnotherTotalAndWhenItMoves) {
  LevelledModel levelled = MakeLevelledModel(4).value();
  const Levels levels = *levelled.model.levels();
  ASSERT_TRUE(levels.bins().HasBins());
  const Clique all = AllAttributes(levelled.over_values.domain);
  MarginalQuery query = levelled.model.Query();
  const std::vector<double> before = query.Answer(all);
  const Model scaled = std::move(levelled.model).WithTotal(7);
  EXPECT_EQ(scaled.total(), 7);
  ASSERT_NE(scaled.levels(), nullptr);
  EXPECT_EQ(*scaled.levels(), levels);
  EXPECT_EQ(scaled.Query().Answer(all), before);
  EXPECT_EQ(query.Answer(all), before);
}

TEST(ModelWithLevels, OfSingleValuesIsTheModel) {
  const RandomModel random_model = MakeRandomModel(5, {2, 0});
  const Model plain = Calibrate(random_model).value();
  EXPECT_EQ(plain.levels(), nullptr);
  const std::vector<std::vector<double>> none(random_model.domain.size());
  const Model levelled = Calibrate(random_model)
                             .value()
                             .WithLevels(Levels::Create(Bins::OfSingleValues(random_model.domain), none).value());
  const Clique all = AllAttributes(random_model.domain);
  EXPECT_EQ(levelled.Query().Answer(all), plain.Query().Answer(all));
  const std::vector<std::uint32_t> record(random_model.domain.size(), 0);
  EXPECT_EQ(levelled.LogDensity(record), plain.LogDensity(record));
}

}  // namespace
}  // namespace flaim
