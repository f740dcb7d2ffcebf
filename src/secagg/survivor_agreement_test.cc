#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "secagg/hostile_testing.h"
#include "secagg/members.h"
#include "secagg/neighbourhood.h"
#include "secagg/ring_vector.h"
#include "secagg/session_keys.h"
#include "secagg/two_stories_testing.h"

// A server that lies about who survived. The central promise: of nobody honest can it collect both the own seed and the
// mask key, whatever it tells whom.

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;

constexpr ParticipantId kVictim = 0;

TEST(SurvivorSet, OnWhichNotEnoughAgreeUnmasksNobody) {
  for (const bool shows_all_confirmations : {true, false}) {
    TwoStories stories({.participants = 6, .dropouts = 1});
    stories.Confirm([](ParticipantId id) { return id <= 2 ? 0 : 1; }, kVictim);
    EXPECT_EQ(stories.confirmed(), 6);
    stories.Unmask(shows_all_confirmations);
    EXPECT_EQ(stories.unmasked(), 0);
    const std::string reason = shows_all_confirmations ? "different stories" : "confirmed the survivors; 3 must";
    for (ParticipantId id = 0; id < 6; ++id) {
      EXPECT_THAT(std::string(stories.ErrorOf(id).message()), HasSubstr(reason));
    }
  }
}

TEST(SurvivorSet, OnWhichAllAgreeUnmasksEverybody) {
  TwoStories stories({.participants = 6, .dropouts = 1});
  stories.Confirm([](ParticipantId) { return 0; }, kVictim);
  stories.Unmask(false);
  EXPECT_EQ(stories.unmasked(), 6);
  EXPECT_FALSE(stories.HoldsBothKindsOf(kVictim));
}

struct Tally {
  int sessions = 0;
  int unmasked = 0;
  int closest = 1000;  // so many shares of the second kind were missing when the first was known
};

void ExpectNeverBothKinds(TwoStories& stories, int invited, int colluders, Tally& tally) {
  stories.Unmask(false);
  ++tally.sessions;
  tally.unmasked += stories.unmasked();
  for (ParticipantId id = colluders; static_cast<int>(id) < invited; ++id) {
    EXPECT_FALSE(stories.HoldsBothKindsOf(id)) << "participant " << id << " of " << invited;
    tally.closest = std::min(tally.closest, stories.MissingForBothKindsOf(id));
  }
}

// All ways to tell each honest participant one of two stories, of which one says that the victim vanished. The first
// `colluders` work for the server: they sign everything and give all their shares.
TEST(TwoStories, NeverYieldBothKindsOfShareHoweverTheyAreSplit) {
  Tally tally;
  for (int invited = 3; invited <= 5; ++invited) {
    for (int dropouts = 1; dropouts < invited; ++dropouts) {
      for (int colluders = 0; colluders < invited; ++colluders) {
        if (!ChooseGraph({invited, dropouts, colluders}).ok() || invited - dropouts - colluders < 2) continue;
        const int honest = invited - colluders;
        const auto victim = static_cast<ParticipantId>(colluders);
        for (unsigned split = 0; split < (1U << (honest - 1)); ++split) {
          TwoStories stories({.participants = invited, .dropouts = dropouts, .colluders = colluders});
          stories.Confirm([&](ParticipantId id) { return id == victim ? 0 : static_cast<int>(split >> (id - victim - 1) & 1U); },
                          victim);
          ExpectNeverBothKinds(stories, invited, colluders, tally);
        }
      }
    }
  }
  EXPECT_GT(tally.sessions, 50);
  EXPECT_GT(tally.unmasked, tally.sessions);
  EXPECT_EQ(tally.closest, 1) << "the attack is not as strong as it could be";
}

TEST(TwoStories, NeverYieldBothKindsOfShareWhenStoriesAndInboxesAreDrawnAtRandom) {
  SeededRandomSource random(11);
  Tally tally;
  for (int trial = 0; trial < 120; ++trial) ExpectNeverBothKindsInRandomStories(random, tally.sessions, tally.unmasked, tally.closest);
  EXPECT_GT(tally.unmasked, 100);
  EXPECT_LE(tally.closest, 1);
}

}  // namespace
}  // namespace flaim::secagg
