#include "audit/watched_federation.h"

#include <cmath>
#include <deque>

#include "gtest/gtest.h"

namespace flaim {
namespace {

// Answers what it is told to.
class ToldFederation final : public Federation {
 public:
  explicit ToldFederation(const Domain& domain) : domain_(domain) {}

  const Domain& domain() const override { return domain_; }
  std::int64_t clients() const override { return 1; }
  absl::StatusOr<Group> Gather(const GroupRequest&) override { return group; }
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override {
    NoisyMarginals answer;
    answer.marginals.push_back({.clique = request.cliques.front(), .counts = counts.front()});
    counts.pop_front();
    return answer;
  }
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection&) override { return SumChoice{0, ""}; }
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest&) override { return NoisyCounts{}; }
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection&) override { return LocalChoices{}; }
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection&) override { return LocalChoices{}; }

  Group group{.round = 1, .members = 1, .newcomers = 1};
  std::deque<std::vector<std::int64_t>> counts;

 private:
  Domain domain_;
};

class WatchedFederationTest : public testing::Test {
 protected:
  CountsRequest Ages(const std::string& query) const {
    return {.name = {"run", 1, query}, .cliques = {Clique({0})}, .sigma_squared = Rational(2, 1)};
  }

  Canary canary_ = FindCanary("empty");
  ToldFederation told_{canary_.with.domain()};
  RunTranscript transcript_;
};

TEST_F(WatchedFederationTest, AddsUpWhatEachReleaseSays) {
  WatchedFederation watched(told_, canary_, OneDraw{}, transcript_);
  told_.counts = {{3, 0}, {-1, 4}};
  ASSERT_TRUE(watched.SumCounts(Ages("first")).ok());
  EXPECT_DOUBLE_EQ(transcript_.evidence.log_ratio(), (2 * 3 - 1) / 4.0);
  ASSERT_TRUE(watched.SumCounts(Ages("second")).ok());
  EXPECT_DOUBLE_EQ(transcript_.evidence.log_ratio(), (2 * 3 - 1) / 4.0 + (2 * -1 - 1) / 4.0);
  EXPECT_DOUBLE_EQ(transcript_.evidence.price, 2 / 4.0);
}

TEST_F(WatchedFederationTest, LearnsNothingFromAValueToldAgainAndMoreFromAnother) {
  WatchedFederation watched(told_, canary_, OneDraw{}, transcript_);
  told_.counts = {{3, 0}, {3, 0}, {2, 0}};
  ASSERT_TRUE(watched.SumCounts(Ages("first")).ok());
  const double once = transcript_.evidence.log_ratio();
  ASSERT_TRUE(watched.SumCounts(Ages("first")).ok());
  EXPECT_EQ(transcript_.evidence.log_ratio(), once);
  ASSERT_TRUE(watched.SumCounts(Ages("first")).ok());
  EXPECT_DOUBLE_EQ(transcript_.evidence.log_ratio(), once + 3 / 4.0);
}

TEST_F(WatchedFederationTest, EndsARunAfterItHasSeenTheAnswer) {
  WatchedFederation watched(told_, canary_, OneDraw{}, transcript_, Death{2});
  told_.counts = {{3, 0}, {2, 0}};
  EXPECT_TRUE(watched.SumCounts(Ages("first")).ok());
  EXPECT_TRUE(absl::IsCancelled(watched.SumCounts(Ages("second")).status()));
  EXPECT_DOUBLE_EQ(transcript_.evidence.log_ratio(), 5 / 4.0 + 3 / 4.0);
}

TEST_F(WatchedFederationTest, SeesNoAnswerThatACrashKeepsFromItButOwesWhatWasDrawn) {
  for (const Moment moment : {Moment::kDrawn, Moment::kRecorded}) {
    RunTranscript transcript;
    WatchedFederation watched(told_, canary_, OneDraw{}, transcript, Death{2, moment});
    told_.counts = {{3, 0}, {2, 0}};
    EXPECT_TRUE(watched.SumCounts(Ages("first")).ok());
    EXPECT_TRUE(absl::IsCancelled(watched.SumCounts(Ages("second")).status()));
    EXPECT_DOUBLE_EQ(transcript.evidence.log_ratio(), 5 / 4.0);
    EXPECT_DOUBLE_EQ(transcript.evidence.price, moment == Moment::kDrawn ? 2 / 4.0 : 1 / 4.0);
  }
}

TEST_F(WatchedFederationTest, LeavesNothingOut) {
  WatchedFederation watched(told_, canary_, OneDraw{}, transcript_);
  told_.group.members = 2;
  EXPECT_TRUE(absl::IsUnimplemented(watched.Gather({}).status()));
  EXPECT_TRUE(absl::IsUnimplemented(watched.SumScores({}).status()));
  LocalSelection two_steps;
  two_steps.steps = 2;
  EXPECT_TRUE(absl::IsUnimplemented(watched.ChooseLocally(two_steps).status()));
}

TEST(Canaries, DifferByTheirRecordAndNothingElse) {
  std::vector<Canary> canaries = AllCanaries();
  ASSERT_EQ(canaries.size(), 4U);
  canaries.push_back(OpposedAtHome());
  for (const Canary& canary : canaries) {
    ASSERT_EQ(canary.with.rows(), canary.without.rows() + 1);
    for (AttributeIndex column = 0; column < canary.with.domain().size(); ++column) {
      for (std::size_t row = 0; row < canary.without.rows(); ++row) {
        EXPECT_EQ(canary.with.at(row, column), canary.without.at(row, column));
      }
      EXPECT_EQ(canary.with.at(canary.without.rows(), column), canary.record[static_cast<std::size_t>(column)]);
    }
  }
  // Its age is beyond the bounds, and its code is unknown.
  EXPECT_EQ(FindCanary("unfit").record, (std::vector<std::uint32_t>{1, 1, 0}));
}

}  // namespace
}  // namespace flaim
