#include "secagg/noise/contribution_groups.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random_source.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "secagg/noise/noise_plan_testing.h"
#include "secagg/protocol/study_testing.h"

namespace flaim::secagg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Study {
  BlockChoices choices;
  ParticipantBounds bounds;
};

// Up to thirty participants who choose among eight blocks, two of them rarely; blocks 10 and 11 are always counted.
Study RandomStudy(RandomSource& random) {
  Study study;
  do {
    const int invited = 1 + static_cast<int>(random.NextBelow(30));
    study.bounds = {invited, static_cast<int>(random.NextBelow(4)), static_cast<int>(random.NextBelow(4))};
  } while (!ChooseGraph(study.bounds).ok());
  study.choices.always = {11, 10};
  for (int participant = 0; participant < study.bounds.invited; ++participant) {
    std::vector<int> chosen;
    for (const int block : {5, 3, 0, 1, 2, 4, 6, 7, 10}) {
      if (random.NextBelow(block > 5 ? 12 : 2) == 0) chosen.push_back(block);
    }
    study.choices.chosen.push_back(std::move(chosen));
  }
  return study;
}

// How often each participant is counted in each block.
std::map<std::pair<int, int>, int> Coverage(const std::vector<PlannedSum>& sums) {
  std::map<std::pair<int, int>, int> coverage;
  for (const PlannedSum& sum : sums) {
    for (const int participant : sum.participants) {
      for (const int block : sum.blocks) ++coverage[{participant, block}];
    }
  }
  return coverage;
}

TEST(PerBlockGroups, CountEveryChoiceExactlyOnceAndNothingElse) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Study study = RandomStudy(random);
    std::map<std::pair<int, int>, int> wanted;
    for (int participant = 0; participant < study.bounds.invited; ++participant) {
      for (const int block : study.choices.always) wanted[{participant, block}] = 1;
      for (const int block : study.choices.chosen[participant]) wanted[{participant, block}] = 1;
    }
    EXPECT_EQ(Coverage(PlanSums(study.choices, study.bounds, GroupPolicy::kPerBlock).value()), wanted);
  }
}

TEST(UnionOfChoices, IsOneSumOfEverybodyOverWhateverAnybodyChose) {
  SeededRandomSource random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Study study = RandomStudy(random);
    std::set<int> blocks(study.choices.always.begin(), study.choices.always.end());
    for (const std::vector<int>& chosen : study.choices.chosen) blocks.insert(chosen.begin(), chosen.end());
    const std::vector<PlannedSum> sums = PlanSums(study.choices, study.bounds).value();
    ASSERT_THAT(sums, SizeIs(1));
    EXPECT_THAT(sums[0].participants, SizeIs(study.bounds.invited));
    EXPECT_EQ(sums[0].blocks, std::vector<int>(blocks.begin(), blocks.end()));
    EXPECT_EQ(sums[0].bounds, study.bounds);
    EXPECT_EQ(sums[0].IsAlone(), study.bounds.invited == 1);
  }
}

// The fewest shares that can be in the sum and unknown to the server, given that one honest contribution is: of the
// group, as many as the study fears vanish and collude.
int FewestHonestShares(const PlannedSum& sum, const ParticipantBounds& study) {
  return std::max(1, static_cast<int>(sum.participants.size()) - study.dropouts - study.colluders);
}

TEST(ContributionGroups, NeverCarryLessThanThePromisedVariance) {
  SeededRandomSource random(3);
  const Rational sigma_squared(25, 3);
  int undivided = 0;
  int divided = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Study study = RandomStudy(random);
    for (const GroupPolicy policy : {GroupPolicy::kUnion, GroupPolicy::kPerBlock}) {
      const std::vector<PlannedSum> sums = PlanSums(study.choices, study.bounds, policy).value();
      for (const PlannedSum& sum : sums) {
        const NoisePlan plan = PlanNoise(sigma_squared, sum).value();
        EXPECT_GE(plan.VarianceOf(FewestHonestShares(sum, study.bounds)), sigma_squared.ToDouble() * (1 - 1e-12));
        ++(sum.undivided_noise ? undivided : divided);
      }
    }
  }
  EXPECT_GT(undivided, 100);
  EXPECT_GT(divided, 100);
}

TEST(ContributionGroups, SplitNoiseOnlyWhereAGraphProtectsWhatIsSplit) {
  SeededRandomSource random(4);
  for (int trial = 0; trial < 300; ++trial) {
    const Study study = RandomStudy(random);
    const std::vector<PlannedSum> sums = PlanSums(study.choices, study.bounds, GroupPolicy::kPerBlock).value();
    for (const PlannedSum& sum : sums) {
      EXPECT_EQ(sum.bounds.invited, sum.participants.size());
      EXPECT_TRUE(ChooseGraph(sum.bounds).ok());
      const int most = sum.bounds.invited - 1;
      const ParticipantBounds wished{sum.bounds.invited, std::min(study.bounds.dropouts, most),
                                     std::min(study.bounds.colluders, most)};
      EXPECT_EQ(sum.undivided_noise, !ChooseGraph(wished).ok());
      if (!sum.undivided_noise) {
        EXPECT_EQ(sum.bounds, wished);
      }
    }
  }
}

TEST(ContributionGroups, FlagWhoeverIsAloneAndGiveItAllTheNoise) {
  const BlockChoices choices{{9}, {{0}, {0, 1}, {0}, {0}, {0}, {0}}};
  const std::vector<PlannedSum> sums = PlanSums(choices, {6, 1, 1}, GroupPolicy::kPerBlock).value();
  ASSERT_THAT(sums, SizeIs(3));
  EXPECT_THAT(sums[0].blocks, ElementsAre(9));
  EXPECT_THAT(sums[1].blocks, ElementsAre(0));
  EXPECT_FALSE(sums[0].IsAlone());
  EXPECT_FALSE(sums[1].IsAlone());
  EXPECT_THAT(sums[2].participants, ElementsAre(1));
  EXPECT_TRUE(sums[2].IsAlone());
  const NoisePlan plan = PlanNoise(Rational(4, 1), sums[2]).value();
  EXPECT_EQ(plan.share_variance(), Rational(4, 1));
  SeededRandomSource random(5);
  EXPECT_NEAR(SampleVarianceOfSum(plan, 1, 100'000, random), 4, 4 * 6 * std::sqrt(2.0 / 100'000));
}

TEST(ContributionGroups, OfASmallGroupCountOnNobodyElse) {
  const BlockChoices choices{{}, {{0}, {0}, {0}, {}, {}, {}, {}, {}, {}, {}}};
  const std::vector<PlannedSum> sums = PlanSums(choices, {10, 2, 1}, GroupPolicy::kPerBlock).value();
  ASSERT_THAT(sums, SizeIs(1));
  EXPECT_TRUE(sums[0].undivided_noise);
  EXPECT_FALSE(sums[0].IsAlone());
  EXPECT_EQ(sums[0].bounds, (ParticipantBounds{3, 1, 0}));
  EXPECT_EQ(PlanNoise(Rational(4, 1), sums[0]).value(), NoisePlan::MakeUndivided(Rational(4, 1)).value());
}

TEST(ContributionGroups, CanAllBeRunAndCarryThePlannedNoise) {
  SeededRandomSource random(6);
  const Rational sigma_squared(100, 1);
  std::set<std::pair<int, bool>> run;
  for (int trial = 0; trial < 12; ++trial) {
    const Study study = RandomStudy(random);
    const std::vector<PlannedSum> sums = PlanSums(study.choices, study.bounds, GroupPolicy::kPerBlock).value();
    for (const PlannedSum& sum : sums) {
      if (!run.emplace(sum.bounds.invited, sum.undivided_noise).second) continue;
      StudyForTest session({.participants = sum.bounds.invited,
                            .dropouts = sum.bounds.dropouts,
                            .colluders = sum.bounds.colluders,
                            .is_noise_undivided = sum.undivided_noise,
                            .blocks = {{.entries = 500, .sigma_squared = sigma_squared}},
                            .least_participants = sum.IsAlone() ? 1 : 2});
      const auto server = session.MakeServer();
      RunSession(*server, session.MakeClients());
      ASSERT_TRUE(server->outcome().ok()) << server->outcome().status();
      const NoisePlan plan = PlanNoise(sigma_squared, sum).value();
      EXPECT_EQ(server->outcome()->blocks[0].noise_variance, plan.VarianceOf(sum.bounds.invited));
    }
  }
  EXPECT_GT(run.size(), 10U);
}

TEST(ContributionGroups, OfNothingAreNone) {
  EXPECT_THAT(PlanSums({{}, {{}, {}}}, {2, 0, 0}).value(), IsEmpty());
  EXPECT_THAT(PlanSums({{}, {{}, {}}}, {2, 0, 0}, GroupPolicy::kPerBlock).value(), IsEmpty());
}

TEST(ContributionGroups, RefuseWhatIsNoChoice) {
  const auto message = [](const BlockChoices& choices, const ParticipantBounds& bounds) {
    const auto sums = PlanSums(choices, bounds);
    EXPECT_EQ(sums.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(sums.status().message());
  };
  EXPECT_THAT(message({{1}, {{2}, {2}}}, {3, 0, 0}), HasSubstr("2 participants chose, but the bounds are of 3"));
  EXPECT_THAT(message({{1}, {{2, 2}, {2}}}, {2, 0, 0}), HasSubstr("named twice"));
  EXPECT_THAT(message({{1, 1}, {{2}, {2}}}, {2, 0, 0}), HasSubstr("named twice"));
  EXPECT_THAT(message({{1}, {{-2}, {2}}}, {2, 0, 0}), HasSubstr("-2 is not a block"));
  EXPECT_THAT(message({{1}, {{2}, {2}}}, {2, 1, 0}), HasSubstr("allow fewer dropouts"));
}

}  // namespace
}  // namespace flaim::secagg
