#include "algorithms/spending/participation_check.h"

#include <limits>

#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

constexpr int kAttributes = 4;

Rational MoreNoise(const Rational& sigma_squared, std::int64_t units) {
  return {sigma_squared.numerator() + units, sigma_squared.denominator()};
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
    const auto plan = MakeSpendingPlan(method_, budget_, kAttributes, SumNoise::kSplit).value();
    const RoundSpending round = *plan->Next(marginals).value();
    std::vector<CountsRequest> requests = {{{"run", 1, "one-ways"}, OneWays(), *round.one_way_sigma_squared}};
    if (marginals > 0) requests.push_back({{"run", 1, "watched"}, Marginals(marginals), *round.sigma_squared});
    for (CountsRequest& request : requests) request.round_marginals = static_cast<int>(marginals);
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
  ParticipationCheck check_{MakeSpendingPlan(method_, budget_, kAttributes, SumNoise::kSplit).value(), kAttributes};
};

TEST_F(ParticipationCheckTest, TakesTheRoundsOfThePlan) {
  for (const std::size_t marginals : {0, 1, 3, 6}) EXPECT_TRUE(CheckAll(PlannedRound(marginals)).ok()) << marginals;
}

TEST_F(ParticipationCheckTest, TakesLessOfARound) {
  std::vector<CountsRequest> requests = PlannedRound(3);
  requests[1].cliques.pop_back();
  EXPECT_TRUE(CheckAll(requests).ok());
  EXPECT_TRUE(CheckAll({requests[1]}).ok()) << "without the one-ways";
}

// More noise can be worse, because the delta of discrete noise is a saw-tooth:
// ExactParticipation.WouldNotKeepItsPromiseWithMoreOrFinerNoise.
TEST_F(ParticipationCheckTest, RefusesAnyOtherNoise) {
  for (const std::int64_t units : {-1, 1, 1'000'000}) {
    std::vector<CountsRequest> requests = PlannedRound(3);
    requests[1].sigma_squared = MoreNoise(requests[1].sigma_squared, units);
    ExpectRefused(requests, "other noise in the marginals");
    requests = PlannedRound(3);
    requests[0].sigma_squared = MoreNoise(requests[0].sigma_squared, units);
    ExpectRefused(requests, "other noise in the one-way");
    requests = PlannedRound(0);
    requests[0].sigma_squared = MoreNoise(requests[0].sigma_squared, units);
    ExpectRefused(requests, "other noise in the one-way");
  }
}

// Whoever asks must say what follows before it has seen anything: otherwise it could follow from what was seen.
TEST_F(ParticipationCheckTest, RefusesToGoOnWithAnotherRound) {
  std::vector<CountsRequest> requests = {PlannedRound(4)[0], PlannedRound(3)[1]};
  ExpectRefused(requests, "changed on the way");
  requests = {PlannedRound(0)[0], PlannedRound(2)[1]};
  ExpectRefused(requests, "changed on the way");
}

TEST_F(ParticipationCheckTest, RefusesTheOneWaysASecondTime) {
  std::vector<CountsRequest> requests = PlannedRound(1);
  ExpectRefused({requests[0], requests[0]}, "measured once");
}

// Each sum has a resolution of its own, and the accountant counts on this order.
TEST_F(ParticipationCheckTest, RefusesOtherSumsThanTheOneWaysAndThenTheMarginals) {
  const std::vector<CountsRequest> requests = PlannedRound(2);
  ExpectRefused({requests[1], requests[0]}, "come last, and in one sum");
  std::vector<CountsRequest> halves = {requests[0], requests[1], requests[1]};
  halves[1].cliques = {Clique({0, 1})};
  halves[2].cliques = {Clique({0, 2})};
  ExpectRefused(halves, "come last, and in one sum");
}

TEST_F(ParticipationCheckTest, RefusesMoreMarginalsThanTheNoiseIsFor) {
  std::vector<CountsRequest> requests = PlannedRound(3);
  requests[1].cliques = Marginals(4);
  ExpectRefused(requests, "more marginals");
  for (const int impossible : {std::numeric_limits<int>::max(), -1}) {
    requests = PlannedRound(3);
    for (CountsRequest& request : requests) request.round_marginals = impossible;
    EXPECT_TRUE(absl::IsPermissionDenied(CheckAll(requests))) << impossible;
  }
}

TEST_F(ParticipationCheckTest, TakesSingleColumnsForMarginalsUnlessTheyAreAll) {
  std::vector<CountsRequest> requests = PlannedRound(2);
  requests[1].cliques = {Clique({0}), Clique({1})};
  EXPECT_TRUE(CheckAll(requests).ok());
  requests[1].cliques = {Clique({0}), Clique({1}), Clique({2})};
  ExpectRefused(requests, "more marginals");
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
