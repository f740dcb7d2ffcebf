#include "federation/requests.h"

#include "federation/trust.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/score.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

const ReleaseName kName = {"run", 1, "query"};
const std::vector<WeightedQuery> kCandidates = {{Clique({0}), 2}, {Clique({1}), 5}, {Clique({0, 1}), 3}};

LocalSelection LocalSelectionOf(const std::vector<WeightedQuery>& candidates, Heterogeneity heterogeneity) {
  LocalSelection request;
  request.candidates = candidates;
  request.heterogeneity = heterogeneity;
  request.epsilon = Rational(1, 3);
  return request;
}

SumSelection SumSelectionOf(const std::vector<WeightedQuery>& candidates) {
  SumSelection request;
  request.candidates = candidates;
  request.epsilon = Rational(1, 3);
  return request;
}

// One record is in one cell of each marginal.
TEST(MechanismOfCounts, PaysForEveryMarginal) {
  const std::vector<Clique> cliques = {Clique({0}), Clique({1}), Clique({0, 1}), Clique({2})};
  for (std::size_t count = 1; count <= cliques.size(); ++count) {
    const CountsRequest request{kName, {cliques.begin(), cliques.begin() + static_cast<std::ptrdiff_t>(count)}, {7, 2}};
    EXPECT_EQ(MechanismOf(request), (GaussianMechanism{Rational(7, 2), static_cast<std::int64_t>(count)}));
  }
}

TEST(MechanismOfCounts, PaysForAsManyAsAClientChose) {
  CountsRequest request{kName, {Clique({0}), Clique({1}), Clique({0, 1})}, {7, 2}, Contributors::kChoosers};
  EXPECT_EQ(MechanismOf(request), (GaussianMechanism{Rational(7, 2), 1}));
  request.choices_per_client = 2;
  EXPECT_EQ(MechanismOf(request), (GaussianMechanism{Rational(7, 2), 2}));
}

// Each score moves by at most two records, which are 32 units.
TEST(MechanismOfScores, PaysForEveryCandidate) {
  ScoresRequest request;
  request.sigma_squared = Rational(7, 2);
  for (std::int64_t count = 1; count <= 5; ++count) {
    request.candidates.push_back(Clique({static_cast<AttributeIndex>(count)}));
    EXPECT_EQ(MechanismOf(request), (GaussianMechanism{Rational(7, 2), count * 32 * 32}));
  }
}

TEST(MechanismOfSelections, TakesTheLargestWeightAndWhatARecordMoves) {
  EXPECT_EQ(*MechanismOf(SumSelectionOf(kCandidates)), (ExponentialMechanism{Rational(1, 3), 5 * kScoreScale}));
  EXPECT_EQ(*MechanismOf(LocalSelectionOf(kCandidates, Heterogeneity::kIgnored)),
            (ExponentialMechanism{Rational(1, 3), 2 * 5 * kScoreScale}));
  EXPECT_EQ(*MechanismOf(LocalSelectionOf(kCandidates, Heterogeneity::kProxy)),
            (ExponentialMechanism{Rational(1, 3), 4 * 5 * kScoreScale}));
}

TEST(MechanismOfSelections, RefusesWeightsThatNoScoreCanHave) {
  for (const std::int64_t weight : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 62}) {
    const std::vector<WeightedQuery> candidates = {{Clique({0}), 1}, {Clique({1}), weight}};
    EXPECT_FALSE(MechanismOf(SumSelectionOf(candidates)).ok()) << weight;
    EXPECT_FALSE(MechanismOf(LocalSelectionOf(candidates, Heterogeneity::kIgnored)).ok()) << weight;
    EXPECT_FALSE(MechanismOf(LocalSelectionOf(candidates, Heterogeneity::kProxy)).ok()) << weight;
  }
  EXPECT_FALSE(MechanismOf(SumSelectionOf({})).ok());
  EXPECT_FALSE(MechanismOf(LocalSelectionOf({}, Heterogeneity::kIgnored)).ok());
}

TEST(TrustModel, SaysWhoMustBeTrusted) {
  EXPECT_THAT(ToString({}), HasSubstr("secure sums only"));
  EXPECT_THAT(ToString({.local_choices = true}), HasSubstr("choices of single clients"));
  EXPECT_THAT(ToString({.compute_parties = true}), HasSubstr("do not collude"));
}

}  // namespace
}  // namespace flaim
