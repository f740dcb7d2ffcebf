#include "model/inference/condition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/small_levels_testing.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
constexpr double kTotal = 1000;

absl::StatusOr<Model> ConditionOn(const Model& model, const std::vector<Evidence>& evidence) {
  Parallel parallel(1);
  return Condition(model, evidence, parallel);
}

std::vector<Evidence> RandomEvidence(const Domain& domain, RandomSource& random) {
  std::vector<Evidence> evidence(random.NextBelow(4));
  for (Evidence& item : evidence) {
    item.attribute = static_cast<AttributeIndex>(random.NextBelow(domain.size()));
    const std::uint64_t allowed = 1 + random.NextBelow(3);
    for (std::uint64_t i = 0; i < allowed; ++i) {
      item.allowed.push_back(static_cast<std::uint32_t>(random.NextBelow(domain[item.attribute].size)));
    }
  }
  return evidence;
}

Clique RandomClique(const Domain& domain, RandomSource& random) {
  std::vector<AttributeIndex> attributes;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    if (random.NextBelow(2) == 0) attributes.push_back(attribute);
  }
  return Clique(attributes);
}

bool Fits(const std::vector<std::uint32_t>& record, const std::vector<Evidence>& evidence) {
  for (const auto& [attribute, allowed] : evidence) {
    if (std::find(allowed.begin(), allowed.end(), record[attribute]) == allowed.end()) return false;
  }
  return true;
}

// A model, and the same distribution as a model over values, for brute force.
struct ModelAndDefinition {
  std::optional<Model> model;
  RandomModel over_values;
};

// Every other model has levels.
ModelAndDefinition MakeModel(std::uint64_t seed, const RandomModelOptions& options) {
  RandomModel over_bins = MakeRandomModel(seed, options);
  std::optional<Model> model = Calibrate(over_bins);
  if (!model || seed % 4 >= 2) return {std::move(model), std::move(over_bins)};
  SeededRandomSource random(seed, "levels");
  const Levels levels = RandomLevels(over_bins.domain, random);
  return {std::move(*model).WithLevels(levels), OverValues(over_bins, levels)};
}

// P(clique and evidence), by listing all records.
std::vector<double> JointWithEvidence(const RandomModel& model, const Clique& clique,
                                      const std::vector<Evidence>& evidence) {
  const std::vector<double> joint = MarginalByBruteForce(model, AllAttributes(model.domain));
  std::vector<double> marginal(CellCount(model.domain, clique).value());
  for (std::size_t index = 0; index < joint.size(); ++index) {
    const std::vector<std::uint32_t> record = DecodeRecord(model.domain, index);
    if (!Fits(record, evidence)) continue;
    std::int64_t cell = 0;
    for (const AttributeIndex attribute : clique) cell = cell * model.domain[attribute].size + record[attribute];
    marginal[cell] += joint[index];
  }
  return marginal;
}

TEST(Condition, EqualsBruteForceAndIsAnErrorExactlyWhenNothingRemains) {
  int possible = 0;
  int impossible = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const auto [model, random_model] = MakeModel(seed, {2, seed % 2 == 0 ? 0.2 : 0.0});
    if (!model) continue;
    SeededRandomSource random(seed, "evidence");
    const std::vector<Evidence> evidence = RandomEvidence(random_model.domain, random);
    const double probability = JointWithEvidence(random_model, Clique(), evidence)[0];
    const absl::StatusOr<Model> conditioned = ConditionOn(*model, evidence);
    ASSERT_EQ(conditioned.ok(), probability > 0) << random_model.Describe();
    ++(conditioned.ok() ? possible : impossible);
    if (!conditioned.ok()) continue;
    ASSERT_NEAR(conditioned->total(), kTotal * probability, 1e-9 * kTotal);
    MarginalQuery query = conditioned->Query();
    for (int i = 0; i < 4; ++i) {
      const Clique clique = RandomClique(random_model.domain, random);
      std::vector<double> expected = JointWithEvidence(random_model, clique, evidence);
      for (double& cell : expected) cell /= probability;
      ASSERT_THAT(query.Answer(clique), testing::Pointwise(testing::DoubleNear(1e-9), expected))
          << random_model.Describe();
    }
  }
  EXPECT_GT(possible, 300);
  EXPECT_GT(impossible, 20);
}

TEST(Condition, OneAfterTheOtherIsAllAtOnce) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto [model, random_model] = MakeModel(seed + 700, {2, 0});
    SeededRandomSource random(seed, "more evidence");
    const std::vector<Evidence> evidence = RandomEvidence(random_model.domain, random);
    const absl::StatusOr<Model> at_once = ConditionOn(*model, evidence);
    absl::StatusOr<Model> stepwise = ConditionOn(*model, {});
    for (const Evidence& item : evidence) {
      if (stepwise.ok()) stepwise = ConditionOn(*stepwise, {item});
    }
    ASSERT_EQ(at_once.ok(), stepwise.ok());
    if (!at_once.ok()) continue;
    EXPECT_NEAR(stepwise->total(), at_once->total(), 1e-9 * kTotal);
    const Clique all = AllAttributes(random_model.domain);
    EXPECT_THAT(stepwise->Query().Answer(all),
                testing::Pointwise(testing::DoubleNear(1e-9), at_once->Query().Answer(all)));
  }
}

Model Uniform() {
  return Calibrate(
             {Domain::Create({{"colour", 3}, {"size", 2}}).value(), {Clique({0, 1})}, std::vector<double>(6, 0.0)})
      .value();
}

TEST(Condition, WithoutEvidenceChangesNothing) {
  const Model model = Uniform();
  const absl::StatusOr<Model> same = ConditionOn(model, {});
  ASSERT_TRUE(same.ok());
  EXPECT_NEAR(same->total(), kTotal, 1e-9);
  EXPECT_EQ(same->tree().cells(), model.tree().cells());
}

TEST(Condition, ExcludesTheRecordsThatDoNotFit) {
  const absl::StatusOr<Model> red_or_blue = ConditionOn(Uniform(), {{0, {0, 2}}});
  ASSERT_TRUE(red_or_blue.ok());
  EXPECT_EQ(red_or_blue->LogDensity(std::vector<std::uint32_t>{1, 0}), kMinusInfinity);
  EXPECT_NEAR(red_or_blue->LogDensity(std::vector<std::uint32_t>{2, 0}), std::log(0.25), 1e-12);
  EXPECT_NEAR(red_or_blue->total(), kTotal * 2 / 3, 1e-9);
}

// Three ages of the bin "young", one of "old", and two sexes.
Model WithAges() {
  Model model =
      Calibrate({Domain::Create({{"age", 2}, {"sex", 2}}).value(), {Clique({0, 1})}, std::vector<double>(4, 0.0)})
          .value();
  Bins bins = Bins::Create(Domain::Create({{"age", 4}, {"sex", 2}}).value(), {{0, 0, 0, 1}, {}}).value();
  return std::move(model).WithLevels(Levels::Create(std::move(bins), {{0.5, 0.25, 0.25, 1}, {}}).value());
}

TEST(Condition, LeavesOfABinTheShareOfItsAllowedValues) {
  const absl::StatusOr<Model> two_young = ConditionOn(WithAges(), {{0, {1, 2}}});
  ASSERT_TRUE(two_young.ok());
  EXPECT_NEAR(two_young->total(), kTotal / 4, 1e-9);
  EXPECT_THAT(two_young->Query().Answer(Clique({0})),
              testing::Pointwise(testing::DoubleNear(1e-12), {0.0, 0.5, 0.5, 0.0}));
  const absl::StatusOr<Model> one_of_each = ConditionOn(WithAges(), {{0, {1, 3}}});
  ASSERT_TRUE(one_of_each.ok());
  EXPECT_NEAR(one_of_each->total(), kTotal * 5 / 8, 1e-9);
  EXPECT_THAT(one_of_each->Query().Answer(Clique({0})),
              testing::Pointwise(testing::DoubleNear(1e-12), {0.0, 0.2, 0.0, 0.8}));
}

TEST(Condition, SaysWhatIsWrongWithTheEvidence) {
  const Model model = Uniform();
  EXPECT_THAT(std::string(ConditionOn(model, {{2, {0}}}).status().message()), testing::HasSubstr("no attribute"));
  EXPECT_THAT(std::string(ConditionOn(model, {{-1, {0}}}).status().message()), testing::HasSubstr("no attribute"));
  EXPECT_THAT(std::string(ConditionOn(model, {{0, {3}}}).status().message()),
              testing::HasSubstr("'colour' has no code 3"));
  EXPECT_TRUE(ConditionOn(WithAges(), {{0, {3}}}).ok());
  EXPECT_THAT(std::string(ConditionOn(WithAges(), {{0, {4}}}).status().message()),
              testing::HasSubstr("'age' has no code 4"));
  EXPECT_THAT(std::string(ConditionOn(model, {{0, {}}}).status().message()), testing::HasSubstr("no record"));
  EXPECT_THAT(std::string(ConditionOn(model, {{0, {1}}, {0, {2}}}).status().message()),
              testing::HasSubstr("no record"));
}

TEST(Condition, OnWhatIsTooImprobableForADoubleIsAnErrorToo) {
  const Model model = Calibrate({Domain::Create({{"a", 2}}).value(), {Clique({0})}, {0, -5000}}).value();
  EXPECT_THAT(std::string(ConditionOn(model, {{0, {1}}}).status().message()), testing::HasSubstr("no record"));
  EXPECT_TRUE(ConditionOn(model, {{0, {0}}}).ok());
}

}  // namespace
}  // namespace flaim
