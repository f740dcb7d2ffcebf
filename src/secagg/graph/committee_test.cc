#include "secagg/graph/committee.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/seeded_random_source.h"
#include "secagg/protocol/study_testing.h"

namespace flaim::secagg {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

TEST(Committee, OfEverybodyHasAQuorumThatTwoSetsCannotShare) {
  for (int participants = 1; participants <= 60; ++participants) {
    for (int colluders = 0; colluders < participants; ++colluders) {
      // Honest participants sign once, colluders twice.
      const int quorum = QuorumOf(participants, colluders, 0);
      EXPECT_GT(2 * quorum, participants + colluders);
      EXPECT_LE(2 * (quorum - 1), participants + colluders);
      EXPECT_EQ(CommitteeSecurityLog2(participants, colluders, 0), kImpossible);
    }
  }
}

TEST(Committee, ThatIsDrawnBearsColludersUpToFourTenths) {
  for (int committee = 10; committee <= 200; ++committee) {
    const int quorum = QuorumOf(1000, 50, committee);
    const int borne = 2 * quorum - committee - 1;
    EXPECT_GE(borne, 2 * committee / 5 - 1);
    EXPECT_EQ(CommitteeSecurityLog2(1000, borne, committee), kImpossible);
    EXPECT_GT(CommitteeSecurityLog2(1000, borne + 1, committee), kImpossible);
  }
}

TEST(Committee, IsChosenToKeepItsBoundsAndIsTheSmallestInTens) {
  for (const int invited : {300, 1000, 10'000, 1'000'000}) {
    for (const int share : {20, 10}) {
      const ParticipantBounds bounds{invited, invited / share, invited / share};
      const int committee = ChooseCommittee(bounds).value();
      ASSERT_GT(committee, 0);
      EXPECT_LE(CommitteeSecurityLog2(invited, bounds.colluders, committee), -40);
      EXPECT_LE(CommitteeSecurityLog2(bounds.LeastSurvivors(), bounds.colluders, committee), -40);
      EXPECT_LE(CommitteeCorrectnessLog2(bounds, committee), -20);
      const int smaller = committee - 10;
      EXPECT_TRUE(CommitteeSecurityLog2(bounds.LeastSurvivors(), bounds.colluders, smaller) > -40 ||
                  CommitteeCorrectnessLog2(bounds, smaller) > -20);
    }
  }
}

TEST(Committee, IsEverybodyUpToTwoHundredAndWhereADrawnOneWouldNotDo) {
  EXPECT_EQ(ChooseCommittee({200, 10, 10}).value(), 0);
  EXPECT_EQ(ChooseCommittee({5, 1, 1}).value(), 0);
  EXPECT_EQ(ChooseCommittee({1000, 300, 100}).value(), 0);
  EXPECT_FALSE(ChooseCommittee({1000, 500, 100}).ok());
}

// A committee of 20 among 100 of whom 40 collude is split more often than not; the formula must see it.
TEST(Committee, IsSplitAsOftenAsTheFormulaSays) {
  constexpr int kDraws = 20'000;
  const int quorum = QuorumOf(100, 40, 20);
  int split = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const Digest seed = Transcript("draw").Add(static_cast<std::uint64_t>(draw)).Finish();
    const std::vector<int> members = DrawCommittee(100, 20, seed);
    const auto colluders = std::count_if(members.begin(), members.end(), [](int rank) { return rank < 40; });
    if (2 * quorum <= 20 + colluders) ++split;
  }
  const double expected = std::exp2(CommitteeSecurityLog2(100, 40, 20));
  EXPECT_GT(expected, 0.1);
  EXPECT_LT(expected, 0.9);
  // Six standard deviations: alpha = 2e-9.
  EXPECT_NEAR(split / static_cast<double>(kDraws), expected, 6 * std::sqrt(expected * (1 - expected) / kDraws));
}

TEST(DrawCommittee, GivesDistinctAscendingRanksTheSameForTheSameSeed) {
  const std::vector<int> members = DrawCommittee(1000, 50, Sha256(AsBytes("one")));
  EXPECT_EQ(members.size(), 50U);
  EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
  EXPECT_EQ(std::adjacent_find(members.begin(), members.end()), members.end());
  EXPECT_GE(members.front(), 0);
  EXPECT_LT(members.back(), 1000);
  EXPECT_EQ(members, DrawCommittee(1000, 50, Sha256(AsBytes("one"))));
  EXPECT_NE(members, DrawCommittee(1000, 50, Sha256(AsBytes("two"))));
  EXPECT_EQ(DrawCommittee(7, 0, {}).size(), 7U);
  EXPECT_EQ(DrawCommittee(7, 9, {}).size(), 7U);
}

TEST(Committee, OfSomeIsEnoughForASumWhoeverOfTheRestVanishes) {
  StudyForTest study({.participants = 30, .dropouts = 3, .committee = 20});
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients(),
             [](ParticipantId id, int stage) { return id < 3 && stage == static_cast<int>(id) + 1; });
  ASSERT_TRUE(server->outcome().ok()) << server->outcome().status();
  EXPECT_EQ(server->outcome()->blocks[0].counts, study.ExactSum(server->outcome()->contributors, 0));
}

TEST(Committee, ThatColludersCouldSplitIsRefused) {
  StudyForTest study({.participants = 30, .dropouts = 0, .colluders = 10, .committee = 10});
  const auto server = study.MakeServer();
  RunSession(*server, study.MakeClients());
  EXPECT_TRUE(absl::IsAborted(server->outcome().status()));
  EXPECT_EQ(study.AskedOf(0), 0);
}

}  // namespace
}  // namespace flaim::secagg
