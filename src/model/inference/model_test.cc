#include "model/inference/model.h"

#include <cmath>
#include <limits>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMaxCells = 1 << 20;

absl::Status StatusOf(std::vector<Clique> cliques, std::vector<double> potentials, double total = 10,
                      std::int64_t max_cells = kMaxCells) {
  Parallel parallel(1);
  const Domain domain = Domain::Create({{"a", 2}, {"b", 3}}).value();
  return Model::Create(domain, std::move(cliques), std::move(potentials), total, max_cells, parallel).status();
}

TEST(Model, LogDensityEqualsBruteForceAndSumsToOneOverAllRecords) {
  int models = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomModel random_model = MakeRandomModel(seed, {3, seed % 2 == 0 ? 0.15 : 0.0});
    const std::optional<Model> model = Calibrate(random_model);
    const bool is_possible = std::isfinite(InferByBruteForce(random_model).log_partition);
    ASSERT_EQ(model.has_value(), is_possible);
    if (!is_possible) continue;
    ++models;
    const std::vector<double> joint = MarginalByBruteForce(random_model, AllAttributes(random_model.domain));
    double sum = 0;
    for (std::size_t index = 0; index < joint.size(); ++index) {
      const double density = std::exp(model->LogDensity(DecodeRecord(random_model.domain, index)));
      ASSERT_NEAR(density, joint[index], 1e-10) << random_model.Describe();
      ASSERT_EQ(density == 0, joint[index] == 0);
      sum += density;
    }
    ASSERT_NEAR(sum, 1, 1e-9);
  }
  EXPECT_GT(models, 200);
}

TEST(Model, NodeMarginalsEqualBruteForceInTheOrderOfTheNode) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const RandomModel random_model = MakeRandomModel(seed + 500, {2, 0});
    const Model model = Calibrate(random_model).value();
    const std::vector<double> joint = MarginalByBruteForce(random_model, AllAttributes(random_model.domain));
    for (std::size_t i = 0; i < model.tree().nodes().size(); ++i) {
      std::vector<double> expected(model.tree().nodes()[i].cells());
      for (std::size_t index = 0; index < joint.size(); ++index) {
        const std::vector<std::uint32_t> record = DecodeRecord(random_model.domain, index);
        std::int64_t cell = 0;
        for (const AttributeIndex attribute : model.tree().nodes()[i].attributes) {
          cell = cell * random_model.domain[attribute].size + record[attribute];
        }
        expected[cell] += joint[index];
      }
      const std::span<const double> marginal = model.NodeMarginal(static_cast<int>(i));
      EXPECT_THAT(std::vector<double>(marginal.begin(), marginal.end()),
                  testing::Pointwise(testing::DoubleNear(1e-10), expected));
    }
  }
}

TEST(Model, KeepsItsDistributionUnderAnotherTotal) {
  const RandomModel random_model = MakeRandomModel(3, {2, 0});
  Model model = Calibrate(random_model).value();
  const std::vector<double> before = model.Query().Answer(AllAttributes(model.domain()));
  EXPECT_EQ(model.total(), 1000);
  const Model scaled = std::move(model).WithTotal(7);
  EXPECT_EQ(scaled.total(), 7);
  EXPECT_EQ(scaled.Query().Answer(AllAttributes(scaled.domain())), before);
}

TEST(Model, RefusesANumberOfRecordsThatIsNotPositive) {
  const std::vector<double> zeros(6, 0.0);
  EXPECT_TRUE(StatusOf({Clique({0, 1})}, zeros, 0.5).ok());
  for (const double total : {0.0, -1.0, kInfinity, std::nan("")}) {
    EXPECT_THAT(std::string(StatusOf({Clique({0, 1})}, zeros, total).message()),
                testing::HasSubstr("positive number of records"));
  }
}

TEST(Model, RefusesPotentialsThatDoNotFitTheCliques) {
  EXPECT_THAT(std::string(StatusOf({Clique({0, 1})}, std::vector<double>(5, 0.0)).message()),
              testing::HasSubstr("6 cells, but there are 5 potentials"));
  for (const double potential : {kInfinity, std::nan("")}) {
    EXPECT_THAT(std::string(StatusOf({Clique({0})}, {0, potential}).message()),
                testing::HasSubstr("not a number below infinity"));
  }
}

TEST(Model, RefusesPotentialsThatExcludeEveryRecord) {
  EXPECT_TRUE(StatusOf({Clique({0})}, {-kInfinity, 0}).ok());
  EXPECT_THAT(std::string(StatusOf({Clique({0})}, {-kInfinity, -kInfinity}).message()),
              testing::HasSubstr("exclude every record"));
  EXPECT_THAT(std::string(StatusOf({Clique({0}), Clique({0})}, {-kInfinity, 0, 0, -kInfinity}).message()),
              testing::HasSubstr("exclude every record"));
}

TEST(Model, RefusesATreeAboveTheLimitOfCells) {
  EXPECT_TRUE(StatusOf({Clique({0, 1})}, std::vector<double>(6, 0.0), 10, 6).ok());
  EXPECT_FALSE(StatusOf({Clique({0, 1})}, std::vector<double>(6, 0.0), 10, 5).ok());
}

}  // namespace
}  // namespace flaim
