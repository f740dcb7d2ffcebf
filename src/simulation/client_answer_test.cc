#include "federation/client_answer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"
#include "marginal/random_tables_testing.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "simulation/account_book.h"
#include "simulation/research/oracle.h"

// Beside the accounts that pay for so many clients.

namespace flaim {
namespace {

using ::testing::ElementsAre;
using testing_tables::DomainOfSizes;
using testing_tables::TableOf;
using Scores = std::vector<long double>;

constexpr std::size_t kDraws = 40'000;

// For `draws` clients, each of which pays for all steps of the request.
std::vector<LocalPayments> Pay(const LocalSelection& request, std::size_t draws) {
  AccountBook book(draws, Rho::RoundDown(4000));
  std::vector<AccountIndex> payers(draws);
  std::iota(payers.begin(), payers.end(), AccountIndex{0});
  std::vector<LocalPayments> payments(draws);
  for (int step = 0; step < request.steps; ++step) {
    auto selections = book.DebitEach(payers, {"run", step, "select"}, MechanismOf(request).value()).value();
    for (std::size_t i = 0; i < draws; ++i) payments[i].selections.push_back(std::move(selections[i]));
    if (!request.refit || step + 1 == request.steps) continue;
    auto measurements =
        book.DebitEach(payers, {"run", step, "keep"}, GaussianMechanism{request.refit->sigma_squared}).value();
    for (std::size_t i = 0; i < draws; ++i) payments[i].measurements.push_back(std::move(measurements[i]));
  }
  return payments;
}

std::vector<std::size_t> Choose(const Table& rows, const LocalSelection& request, const ModelShares& shares,
                                std::uint64_t seed) {
  SeededRandomSource noise(seed, "one client");
  ShareDistanceMeter meter;
  TableRows own(rows, meter);
  const std::vector<ScaledDistance> heterogeneity = HeterogeneityOf(own, request, shares).value();
  return ChooseForClient(own, request, shares, heterogeneity, std::move(Pay(request, 1)[0]), noise).value().candidates;
}

std::vector<std::int64_t> ScoresOf(const Table& rows, const ScoresRequest& request, const ModelShares& shares) {
  ShareDistanceMeter meter;
  TableRows own(rows, meter);
  return SummedScores(own, request, shares).value();
}

// How often each sequence of choices is made; the first choice is the highest digit.
Counts DrawChoices(const Table& rows, const LocalSelection& request, const ModelShares& shares,
                   std::span<const PublicShares> everybody = {}) {
  std::vector<LocalPayments> payments = Pay(request, kDraws);
  SeededRandomSource noise(17, "draws");
  ShareDistanceMeter meter;
  TableRows own(rows, meter);
  std::vector<const PublicShares*> told;
  for (const PublicShares& own_shares : everybody) told.push_back(&own_shares);
  const std::vector<ScaledDistance> heterogeneity =
      (told.empty() ? HeterogeneityOf(own, request, shares) : TrueHeterogeneity(own, request.candidates, told)).value();
  Counts counts;
  for (LocalPayments& payment : payments) {
    const LocalChoice choice = ChooseForClient(own, request, shares, heterogeneity, std::move(payment), noise).value();
    std::int64_t code = 0;
    for (const std::size_t candidate : choice.candidates) code = 10 * code + static_cast<std::int64_t>(candidate);
    ++counts[code];
  }
  return counts;
}

// |M_q - n m_q|_1 in records, by its definition and in floating point.
long double DistanceOf(const Table& rows, const Clique& clique, std::vector<double> shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  const Marginal marginal = CountMarginal(rows, clique).value();
  long double distance = 0;
  for (std::size_t cell = 0; cell < shares.size(); ++cell) {
    distance += std::abs(static_cast<long double>(marginal.counts()[cell]) -
                         static_cast<long double>(rows.rows()) * shares[cell] / sum);
  }
  return distance;
}

// The exponential mechanism's own formula, over the candidates that are left.
Probabilities Softmax(const Scores& scores, long double factor, const std::set<std::size_t>& gone = {}) {
  Probabilities probabilities;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!gone.contains(i)) probabilities[static_cast<std::int64_t>(i)] = std::exp(factor * scores[i]);
  }
  Normalise(probabilities);
  return probabilities;
}

// A client of eleven rows, and a public model that is wrong about them.
class ClientAnswer : public testing::Test {
 protected:
  ClientAnswer() {
    request_.name = {"run", 1, "select"};
    request_.candidates = {{Clique({0}), 2}, {Clique({1}), 3}, {Clique({0, 1}), 1}, {Clique({1, 2}), 2}};
    request_.penalty_records = {0.5, 0, 1.25, 3};
    for (const auto& shares : shares_) model_.of_candidates.emplace_back(shares);
    request_.epsilon = Rational(3, 2);
  }

  // w_q (distance - penalty - heterogeneity), in records.
  Scores ScoresWith(const std::vector<long double>& heterogeneity) const {
    Scores scores;
    for (std::size_t i = 0; i < request_.candidates.size(); ++i) {
      const auto& [clique, weight] = request_.candidates[i];
      scores.push_back(static_cast<long double>(weight) *
                       (DistanceOf(rows_, clique, shares_[i]) - request_.penalty_records[i] - heterogeneity[i]));
    }
    return scores;
  }

  const Table rows_ = TableOf(DomainOfSizes({2, 3, 2}), {{0, 0, 0},
                                                         {0, 0, 1},
                                                         {0, 1, 1},
                                                         {0, 2, 1},
                                                         {0, 0, 0},
                                                         {1, 0, 0},
                                                         {0, 1, 0},
                                                         {0, 0, 1},
                                                         {1, 2, 1},
                                                         {0, 0, 0},
                                                         {0, 0, 1}});
  const std::vector<std::vector<double>> shares_ = {
      {0.5, 0.5}, {0.2, 0.3, 0.5}, {0.1, 0.1, 0.1, 0.1, 0.1, 0.5}, {1, 1, 1, 1, 1, 3}};
  LocalSelection request_;
  ModelShares model_;
  static constexpr long double kMaxWeight = 3;
};

TEST_F(ClientAnswer, ChoosesByTheExponentialMechanism) {
  const long double factor = 1.5L / (2 * 2 * kMaxWeight);
  const Probabilities expected = Softmax(ScoresWith({0, 0, 0, 0}), factor);
  EXPECT_GT(ChiSquaredPValue(DrawChoices(rows_, request_, model_), expected), kTestAlpha);
  const Probabilities half = Softmax(ScoresWith({0, 0, 0, 0}), factor / 2);
  EXPECT_LT(ChiSquaredPValue(DrawChoices(rows_, request_, model_), half), kTestAlpha) << "the test has no power";
}

TEST_F(ClientAnswer, SubtractsTheMeanDistanceOfTheOneWays) {
  const std::vector<std::vector<double>> one_ways = {{0.9, 0.1}, {0.4, 0.4, 0.2}, {0.3, 0.7}};
  std::vector<long double> distances;
  for (std::size_t attribute = 0; attribute < one_ways.size(); ++attribute) {
    model_.of_attributes.emplace_back(one_ways[attribute]);
    distances.push_back(DistanceOf(rows_, Clique({static_cast<AttributeIndex>(attribute)}), one_ways[attribute]));
  }
  request_.heterogeneity = Heterogeneity::kProxy;
  const Scores scores =
      ScoresWith({distances[0], distances[1], (distances[0] + distances[1]) / 2, (distances[1] + distances[2]) / 2});
  const Probabilities expected = Softmax(scores, 1.5L / (2 * 4 * kMaxWeight));
  EXPECT_GT(ChiSquaredPValue(DrawChoices(rows_, request_, model_), expected), kTestAlpha);
}

TEST_F(ClientAnswer, SubtractsTheDistanceFromEverybodyIfAnOracleTells) {
  const std::vector<std::vector<double>> everybody = {{5, 1}, {1, 1, 1}, {4, 3, 2, 1, 0, 1}, {1, 2, 1, 2, 1, 2}};
  std::vector<PublicShares> told;
  std::vector<long double> distances;
  for (std::size_t i = 0; i < everybody.size(); ++i) {
    told.emplace_back(everybody[i]);
    distances.push_back(DistanceOf(rows_, request_.candidates[i].clique, everybody[i]));
  }
  request_.heterogeneity = Heterogeneity::kProxy;
  const Probabilities expected = Softmax(ScoresWith(distances), 1.5L / (2 * 4 * kMaxWeight));
  EXPECT_GT(ChiSquaredPValue(DrawChoices(rows_, request_, model_, told), expected), kTestAlpha);
}

TEST_F(ClientAnswer, PeelsByTheSameScoresWithoutWhatItChose) {
  request_.steps = 2;
  const long double factor = 1.5L / (2 * 2 * kMaxWeight);
  const Scores scores = ScoresWith({0, 0, 0, 0});
  Probabilities expected;
  for (const auto& [first, first_probability] : Softmax(scores, factor)) {
    for (const auto& [second, probability] : Softmax(scores, factor, {static_cast<std::size_t>(first)})) {
      expected[10 * first + second] = first_probability * probability;
    }
  }
  EXPECT_GT(ChiSquaredPValue(DrawChoices(rows_, request_, model_), expected), kTestAlpha);
}

TEST_F(ClientAnswer, NeverChoosesACandidateTwice) {
  request_.steps = 4;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<std::size_t> choices = Choose(rows_, request_, model_, seed);
    std::sort(choices.begin(), choices.end());
    ASSERT_THAT(choices, ElementsAre(0, 1, 2, 3));
  }
}

TEST_F(ClientAnswer, IsEquallyUndecidedWithoutRows) {
  request_.penalty_records = {0, 0, 0, 0};
  const Table no_rows = rows_.Slice(0, 0);
  const Probabilities expected = {{0, 0.25L}, {1, 0.25L}, {2, 0.25L}, {3, 0.25L}};
  EXPECT_GT(ChiSquaredPValue(DrawChoices(no_rows, request_, model_), expected), kTestAlpha);
}

TEST_F(ClientAnswer, RefusesAMarginalTooWideForTheMeanOfItsOneWays) {
  const Table wide = TableOf(DomainOfSizes(std::vector<std::int64_t>(11, 2)), {});
  LocalSelection request;
  ModelShares shares;
  std::vector<AttributeIndex> attributes;
  for (AttributeIndex attribute = 0; attribute < 11; ++attribute) {
    attributes.push_back(attribute);
    shares.of_attributes.emplace_back(std::vector<double>{1, 1});
  }
  request.candidates = {{Clique(attributes), 1}};
  shares.of_candidates.emplace_back(std::vector<double>(1 << 11, 1));
  request.penalty_records = {0};
  request.epsilon = Rational(1, 1);
  request.heterogeneity = Heterogeneity::kProxy;
  TableRows own(wide);
  EXPECT_TRUE(absl::IsInvalidArgument(HeterogeneityOf(own, request, shares).status()));
}

TEST_F(ClientAnswer, SumsScoresThatAreTheDistancesInSixteenths) {
  SeededRandomSource random(5, "scores");
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Table rows =
        TableOf(rows_.domain(), testing_tables::RandomRows(rows_.domain(), random.NextBelow(20), random));
    ScoresRequest request;
    for (const WeightedQuery& query : request_.candidates) request.candidates.push_back(query.clique);
    const std::vector<std::int64_t> scores = ScoresOf(rows, request, model_);
    ASSERT_EQ(scores.size(), 4U);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const auto distance = static_cast<double>(DistanceOf(rows, request.candidates[i], shares_[i]));
      EXPECT_LE(static_cast<double>(scores[i]), 16 * distance + 1e-3);
      EXPECT_GT(static_cast<double>(scores[i]), 16 * distance - 1.001);
    }
  }
}

// Whatever one more record does to the scores that a client adds to the sum, it has paid for.
TEST_F(ClientAnswer, MovesItsSummedScoresByNoMoreThanItPaysFor) {
  SeededRandomSource random(6, "neighbours");
  double largest = 0;
  for (int repeat = 0; repeat < 5000; ++repeat) {
    auto codes = testing_tables::RandomRows(rows_.domain(), random.NextBelow(6), random);
    const Table smaller = TableOf(rows_.domain(), codes);
    codes.push_back(testing_tables::RandomRow(rows_.domain(), random));
    const Table larger = TableOf(rows_.domain(), codes);
    ScoresRequest request;
    request.sigma_squared = Rational(1, 1);
    ModelShares model;
    for (const WeightedQuery& query : request_.candidates) {
      std::vector<double> shares(static_cast<std::size_t>(CellCount(rows_.domain(), query.clique).value()));
      for (double& share : shares) share = random.NextBelow(3) == 0 ? 1e-6 + random.NextUnit() : 1e-6;
      request.candidates.push_back(query.clique);
      model.of_candidates.emplace_back(shares);
    }
    const std::vector<std::int64_t> before = ScoresOf(smaller, request, model);
    const std::vector<std::int64_t> after = ScoresOf(larger, request, model);
    std::int64_t moved_squared = 0;
    for (std::size_t i = 0; i < before.size(); ++i) moved_squared += (after[i] - before[i]) * (after[i] - before[i]);
    const std::int64_t paid_for = MechanismOf(request).sensitivity_squared;
    ASSERT_LE(moved_squared, paid_for);
    largest = std::max(largest, static_cast<double>(moved_squared) / static_cast<double>(paid_for));
  }
  EXPECT_GT(largest, 0.9);
}

// Two pairs of columns that are equal, in a client that the model takes for uniform.
class ClientWithLocalSteps : public testing::Test {
 protected:
  ClientWithLocalSteps() {
    request_.name = {"run", 1, "select"};
    request_.candidates = {{Clique({0, 1}), 1}, {Clique({0, 1, 2}), 1}, {Clique({3, 4}), 1}};
    for (const WeightedQuery& query : request_.candidates) {
      const std::int64_t cells = CellCount(rows_.domain(), query.clique).value();
      model_.of_candidates.emplace_back(std::vector<double>(static_cast<std::size_t>(cells), 1));
    }
    request_.penalty_records = {0, 50, 100};
    request_.steps = 2;
    request_.epsilon = Rational(50, 1);
    refit_.sigma_squared = Rational(1, 1);
  }

  static Table MakeRows() {
    std::vector<std::vector<std::uint32_t>> rows;
    for (std::uint32_t row = 0; row < 800; ++row) {
      const std::uint32_t bit = row % 2;
      const std::uint32_t other = row / 2 % 2;
      rows.push_back({bit, bit, row / 4 % 2, other, other});
    }
    return TableOf(DomainOfSizes({2, 2, 2, 2, 2}), rows);
  }

  const Table rows_ = MakeRows();
  LocalSelection request_;
  ModelShares model_;
  LocalRefit refit_{Rational(1, 1), {rows_.domain(), {}, {}, 5000, 1 << 20}, {}};
};

TEST_F(ClientWithLocalSteps, ChoosesMoreOfTheSameByPeeling) {
  EXPECT_THAT(Choose(rows_, request_, model_, 1), ElementsAre(0, 1));
}

TEST_F(ClientWithLocalSteps, ChoosesSomethingElseOnceItsOwnModelKnows) {
  request_.refit = refit_;
  EXPECT_THAT(Choose(rows_, request_, model_, 1), ElementsAre(0, 2));
}

// Noise that hides everything leaves the client's model as it was, or worse; so the noise that was paid for is there.
TEST_F(ClientWithLocalSteps, LearnsNothingFromAMeasurementThatNoiseHides) {
  request_.refit = refit_;
  request_.refit->sigma_squared = Rational(100'000'000, 1);
  int same = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) same += Choose(rows_, request_, model_, seed)[1] == 1 ? 1 : 0;
  EXPECT_GT(same, 5);
}

TEST_F(ClientWithLocalSteps, DoesNotMeasureUnpaid) {
  request_.refit = refit_;
  LocalPayments payments = std::move(Pay(request_, 1)[0]);
  payments.measurements.clear();
  SeededRandomSource noise(1, "unpaid");
  ShareDistanceMeter meter;
  TableRows own(rows_, meter);
  const std::vector<ScaledDistance> heterogeneity(request_.candidates.size());
  EXPECT_DEATH((void)ChooseForClient(own, request_, model_, heterogeneity, std::move(payments), noise), "CHECK");
}

}  // namespace
}  // namespace flaim
