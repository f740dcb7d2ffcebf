#include "evaluation/log_likelihood.h"

#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using testing_tables::DomainOfSizes;
using testing_tables::RandomRows;
using testing_tables::TableOf;

std::size_t CellOf(const Domain& domain, const std::vector<std::uint32_t>& record) {
  std::size_t cell = 0;
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
    cell = cell * static_cast<std::size_t>(domain[attribute].size) + record[static_cast<std::size_t>(attribute)];
  }
  return cell;
}

Model UniformModel(const Domain& domain) {
  Parallel parallel(1);
  const auto cells = static_cast<std::size_t>(domain[0].size);
  return Model::Create(domain, {Clique({0})}, std::vector<double>(cells, 0.0), 10, 1 << 20, parallel).value();
}

// Two equally likely records of four: (0, 0) and (1, 1).
Model DiagonalModel() {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  Parallel parallel(1);
  return Model::Create(DomainOfSizes({2, 2}), {Clique({0, 1})}, {0, kNever, kNever, 0}, 10, 1 << 20, parallel).value();
}

TEST(LogLikelihood, IsTheMeanOverTheRecordsOfWhatListingAllRecordsGives) {
  std::uint64_t impossible_in_all = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomModel random_model =
        MakeRandomModel(seed, {.magnitude = 3, .zero_probability = seed % 2 == 0 ? 0.0 : 0.1});
    const std::optional<Model> model = Calibrate(random_model);
    if (!model) continue;
    const Domain& domain = model->domain();
    const std::vector<double> joint = MarginalByBruteForce(random_model, AllAttributes(domain));
    SeededRandomSource random(seed, "held out");
    const auto rows = RandomRows(domain, 1 + random.NextBelow(30), random);
    const double share = random.NextUnit() * 0.5 + 1e-3;

    double smoothed = 0;
    double exact = 0;
    std::uint64_t impossible = 0;
    for (const std::vector<std::uint32_t>& row : rows) {
      const double probability = joint[CellOf(domain, row)];
      smoothed -= std::log((1 - share) * probability + share / static_cast<double>(joint.size()));
      exact -= std::log(probability);
      impossible += probability == 0 ? 1 : 0;
    }
    const auto count = static_cast<double>(rows.size());
    const HeldOutLikelihood likelihood =
        EvaluateLikelihood(*model, TableOf(domain, rows), {.uniform_share = share}).value();
    EXPECT_EQ(likelihood.records, rows.size());
    EXPECT_EQ(likelihood.impossible_records, impossible);
    EXPECT_NEAR(likelihood.smoothed_nats, smoothed / count, 1e-9);
    if (impossible == 0) {
      EXPECT_NEAR(likelihood.exact_nats, exact / count, 1e-9);
    } else {
      EXPECT_EQ(likelihood.exact_nats, std::numeric_limits<double>::infinity());
    }
    impossible_in_all += impossible;
  }
  EXPECT_GT(impossible_in_all, 100U);
}

TEST(LogLikelihood, OfTheUniformModelIsTheLogarithmOfTheDomainWhateverTheSmoothing) {
  const Domain domain = DomainOfSizes({3, 300, 70000});
  const Model model = UniformModel(domain);
  SeededRandomSource random(1);
  const Table held_out = TableOf(domain, RandomRows(domain, 20, random));
  for (const double share : {0.0, LikelihoodOptions::kDefaultUniformShare, 0.5, 1.0}) {
    const HeldOutLikelihood likelihood = EvaluateLikelihood(model, held_out, {.uniform_share = share}).value();
    EXPECT_NEAR(likelihood.smoothed_nats, std::log(3.0 * 300 * 70000), 1e-9);
    EXPECT_NEAR(likelihood.exact_nats, std::log(3.0 * 300 * 70000), 1e-9);
  }
}

TEST(LogLikelihood, ReadsEveryRowOfATableOfManyBlocks) {
  const Table held_out = [] {
    std::vector<std::vector<std::uint32_t>> rows(5000, {0, 0});
    for (std::uint32_t row = 0; row < 1250; ++row) rows[row * 4] = {0, 1};
    return TableOf(DomainOfSizes({2, 2}), rows);
  }();
  const HeldOutLikelihood likelihood = EvaluateLikelihood(DiagonalModel(), held_out).value();
  EXPECT_EQ(likelihood.records, 5000U);
  EXPECT_EQ(likelihood.impossible_records, 1250U);
}

TEST(LogLikelihood, ChargesAnImpossibleRecordWhatTheHeaderSays) {
  const Table held_out = TableOf(DomainOfSizes({2, 2}), {{0, 1}});
  const HeldOutLikelihood likelihood = EvaluateLikelihood(DiagonalModel(), held_out).value();
  EXPECT_NEAR(likelihood.smoothed_nats, std::log(4.0) - std::log(LikelihoodOptions::kDefaultUniformShare), 1e-9);
  EXPECT_EQ(EvaluateLikelihood(DiagonalModel(), held_out, {.uniform_share = 0})->smoothed_nats,
            std::numeric_limits<double>::infinity());
}

TEST(LogLikelihood, IsHardlyMovedByTheDefaultSmoothingWhereTheModelBeatsTheUniformOne) {
  const Table held_out = TableOf(DomainOfSizes({2, 2}), {{0, 0}, {1, 1}, {1, 1}});
  const HeldOutLikelihood likelihood = EvaluateLikelihood(DiagonalModel(), held_out).value();
  EXPECT_NEAR(likelihood.exact_nats, std::log(2.0), 1e-12);
  EXPECT_NEAR(likelihood.smoothed_nats, likelihood.exact_nats, 1.1e-6);
  EXPECT_EQ(likelihood.impossible_records, 0U);
}

TEST(LogLikelihood, KeepsProbabilitiesThatNoDoubleCouldHold) {
  const Domain domain = DomainOfSizes({2});
  Parallel parallel(1);
  const Model model = Model::Create(domain, {Clique({0})}, {0.0, -5000.0}, 10, 1 << 20, parallel).value();
  const HeldOutLikelihood likelihood = EvaluateLikelihood(model, TableOf(domain, {{1}})).value();
  EXPECT_NEAR(likelihood.exact_nats, 5000, 1e-9);
  EXPECT_EQ(likelihood.impossible_records, 0U);
}

TEST(LogLikelihood, RefusesNoRowsAnotherDomainAndSharesThatAreNone) {
  const Domain domain = DomainOfSizes({2, 2});
  const Table one_row = TableOf(domain, {{0, 0}});
  const auto message = [](const absl::StatusOr<HeldOutLikelihood>& result) {
    return std::string(result.status().message());
  };
  EXPECT_THAT(message(EvaluateLikelihood(DiagonalModel(), TableOf(domain, {}))), HasSubstr("no held-out rows"));
  EXPECT_THAT(message(EvaluateLikelihood(UniformModel(DomainOfSizes({2, 3})), one_row)),
              HasSubstr("different columns"));
  for (const double share : {-1e-9, 1.1, std::nan("")}) {
    EXPECT_THAT(message(EvaluateLikelihood(DiagonalModel(), one_row, {.uniform_share = share})), HasSubstr("share"));
  }
}

}  // namespace
}  // namespace flaim
