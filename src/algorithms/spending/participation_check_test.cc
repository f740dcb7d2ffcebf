#include "algorithms/spending/participation_check.h"

#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

constexpr int kAttributes = 4;

Rational LessNoise(const Rational& sigma_squared) {
  return {sigma_squared.numerator() - 1, sigma_squared.denominator()};
}

std::vector<Clique> OneWays() {
  std::vector<Clique> one_ways;
  for (AttributeIndex attribute = 0; attribute < kAttributes; ++attribute) one_ways.push_back(Clique({attribute}));
  return one_ways;
}

// The first of all pairs.
std::vector<Clique> Marginals(std::size_t count) {
  std::vector<Clique> marginals;
  for (AttributeIndex one = 0; one < kAttributes; ++one) {
    for (AttributeIndex other = one + 1; other < kAttributes; ++other) marginals.push_back(Clique({one, other}));
  }
  marginals.resize(count);
  return marginals;
}

class ParticipationCheckTest : public testing::Test {
 protected:
  // What RunMethod asks a group of flaim-once for, when so many marginals are watched or were chosen before.
  std::vector<CountsRequest> PlannedRound(std::size_t marginals) const {
    const auto plan = MakeSpendingPlan(method_, budget_, kAttributes).value();
    const RoundSpending round = *plan->Next(marginals).value();
    std::vector<CountsRequest> requests = {{{"run", 1, "one-ways"}, OneWays(), *round.one_way_sigma_squared}};
    if (marginals > 0) requests.push_back({{"run", 1, "watched"}, Marginals(marginals), *round.sigma_squared});
    return requests;
  }
  absl::Status CheckAll(const std::vector<CountsRequest>& requests) const {
    std::vector<CountsRequest> before;
    for (const CountsRequest& request : requests) {
      const absl::Status status = check_.Check(before, request);
      if (!status.ok()) return status;
      before.push_back(request);
    }
    return absl::OkStatus();
  }
  void ExpectRefused(const std::vector<CountsRequest>& requests, const char* why) const {
    const absl::Status status = CheckAll(requests);
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(why));
  }

  Method method_ = FindMethod("flaim-once").value();
  PrivacyBudget budget_ = PrivacyBudget::Create(1, 1e-6).value();
  ParticipationCheck check_{MakeSpendingPlan(method_, budget_, kAttributes).value(), kAttributes};
};

TEST_F(ParticipationCheckTest, TakesTheRoundsOfThePlan) {
  for (const std::size_t marginals : {0, 1, 3, 6}) EXPECT_TRUE(CheckAll(PlannedRound(marginals)).ok()) << marginals;
}

TEST_F(ParticipationCheckTest, TakesMoreNoiseAndFewerMarginals) {
  std::vector<CountsRequest> requests = PlannedRound(3);
  requests[1].cliques.pop_back();
  for (CountsRequest& request : requests) {
    request.sigma_squared = Rational(request.sigma_squared.numerator() + 1, request.sigma_squared.denominator());
  }
  EXPECT_TRUE(CheckAll(requests).ok());
  EXPECT_TRUE(CheckAll({requests[1]}).ok()) << "without the one-ways";
}

TEST_F(ParticipationCheckTest, RefusesLessNoiseAnywhere) {
  std::vector<CountsRequest> requests = PlannedRound(3);
  requests[1].sigma_squared = LessNoise(requests[1].sigma_squared);
  ExpectRefused(requests, "so many marginals");
  requests = PlannedRound(3);
  requests[0].sigma_squared = LessNoise(requests[0].sigma_squared);
  ExpectRefused(requests, "one-way");
  requests = PlannedRound(0);
  requests[0].sigma_squared = LessNoise(requests[0].sigma_squared);
  ExpectRefused(requests, "one-way");
}

// A plan that measures nothing else has all of its budget for the one-ways.
TEST_F(ParticipationCheckTest, RefusesMarginalsAfterOneWaysThatHadTheWholeBudget) {
  std::vector<CountsRequest> requests = PlannedRound(2);
  requests[0] = PlannedRound(0)[0];
  ExpectRefused(requests, "one-way");
}

TEST_F(ParticipationCheckTest, RefusesTheOneWaysASecondTime) {
  std::vector<CountsRequest> requests = PlannedRound(1);
  requests.push_back(requests[0]);
  requests.back().sigma_squared = Rational(Rational::kMaxTerm, 1);
  ExpectRefused(requests, "measured once");
}

TEST_F(ParticipationCheckTest, RefusesMoreMarginalsThanTheNoiseIsFor) {
  std::vector<CountsRequest> requests = PlannedRound(3);
  requests[1].cliques = Marginals(4);
  ExpectRefused(requests, "so many marginals");
}

TEST_F(ParticipationCheckTest, CountsTheMarginalsOfAllRequestsTogether) {
  std::vector<CountsRequest> requests = PlannedRound(3);
  requests.push_back(requests[1]);
  requests[2].cliques = {Clique({0, 1, 2})};
  requests[2].sigma_squared = Rational(Rational::kMaxTerm, 1);
  ExpectRefused(requests, "so many marginals");
}

TEST_F(ParticipationCheckTest, TakesSingleColumnsForMarginalsUnlessTheyAreAll) {
  std::vector<CountsRequest> requests = PlannedRound(2);
  requests[1].cliques = {Clique({0}), Clique({1})};
  EXPECT_TRUE(CheckAll(requests).ok());
  requests[1].cliques = {Clique({0}), Clique({1}), Clique({2})};
  ExpectRefused(requests, "so many marginals");
}

TEST(ParticipationCheck, CoversMethodsThatReleaseCountsInOneParticipation) {
  EXPECT_TRUE(ParticipationCheck::Covers(FindMethod("flaim-once").value()));
  for (const char* preset : {"naive-flaim", "augflaim-private", "flaim-random", "fed-naive-bayes", "dist-aim-once"}) {
    EXPECT_FALSE(ParticipationCheck::Covers(FindMethod(preset).value())) << preset;
  }
  Method method = FindMethod("flaim-once").value();
  method.participation_cap = 2;
  EXPECT_FALSE(ParticipationCheck::Covers(method));
  method = FindMethod("flaim-once").value();
  method.selection = Selection::kSummedScores;
  EXPECT_FALSE(ParticipationCheck::Covers(method));
}

}  // namespace
}  // namespace flaim
