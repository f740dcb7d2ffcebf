#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "secagg/graph/neighbour_graph.h"
#include "secagg/hostile/lying_server_testing.h"
#include "secagg/protocol/neighbourhood.h"

// A server that lies about who survived. The central promise: of nobody honest can it collect both the own seed and the
// mask key, whatever it tells whom.

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;
using Story = LyingServer::Story;

constexpr ParticipantId kVictim = 0;

TEST(SurvivorAgreement, LetsNobodyUnmaskWhenHalfAreToldThatOneVanished) {
  for (const bool shows_all_confirmations : {true, false}) {
    LyingServer server({.participants = 6, .dropouts = 1}, 0);
    server.Tell([&](ParticipantId id) { return id <= 2 ? server.Everybody() : server.AllBut(kVictim); });
    EXPECT_EQ(server.confirmed(), 6);
    server.ShowConfirmations(shows_all_confirmations);
    EXPECT_EQ(server.unmasked(), 0);
    const std::string reason = shows_all_confirmations ? "different stories" : "3 confirmed the survivors; 4 must";
    for (ParticipantId id = 0; id < 6; ++id) {
      EXPECT_THAT(std::string(server.ErrorOf(id).message()), HasSubstr(reason));
    }
  }
}

TEST(SurvivorAgreement, LetsEverybodyUnmaskWhenAllAreToldTheSame) {
  LyingServer server({.participants = 6, .dropouts = 1}, 0);
  server.Tell([&](ParticipantId) { return server.Everybody(); });
  server.ShowConfirmations();
  EXPECT_EQ(server.unmasked(), 6);
  EXPECT_GT(server.MissingForBothKindsOf(kVictim), 0);
}

bool IsAdmissible(int invited, int dropouts, int colluders) {
  return invited - dropouts - colluders >= 2 && ChooseGraph({invited, dropouts, colluders}).ok();
}

// What a server learns in many sessions.
struct Tally {
  int sessions = 0;
  int unmasked = 0;

  void Add(const LyingServer& server, int invited, int colluders) {
    ++sessions;
    unmasked += server.unmasked();
    for (ParticipantId id = colluders; static_cast<int>(id) < invited; ++id) {
      EXPECT_GT(server.MissingForBothKindsOf(id), 0) << "participant " << id << " of " << invited;
    }
  }
};

// All ways to tell each honest participant either that the victim survived or that it vanished.
TEST(SurvivorAgreement, NeverYieldsBothKindsOfShareHoweverTwoStoriesAreSplit) {
  Tally tally;
  for (int invited = 3; invited <= 6; ++invited) {
    for (int dropouts = 1; dropouts < invited; ++dropouts) {
      for (int colluders = 0; IsAdmissible(invited, dropouts, colluders); ++colluders) {
        const auto victim = static_cast<ParticipantId>(colluders);
        for (unsigned split = 0; split < (1U << (invited - colluders - 1)); ++split) {
          LyingServer server({.participants = invited, .dropouts = dropouts, .colluders = colluders}, colluders);
          server.Tell([&](ParticipantId id) {
            const bool is_told_the_truth = id == victim || (split >> (id - victim - 1) & 1U) == 0;
            return is_told_the_truth ? server.Everybody() : server.AllBut(victim);
          });
          server.ShowConfirmations();
          tally.Add(server, invited, colluders);
        }
      }
    }
  }
  EXPECT_GT(tally.sessions, 80);
  EXPECT_GT(tally.unmasked, tally.sessions / 2);
}

// So the attack is a real one: it only takes more helpers than the study allows for.
TEST(SurvivorAgreement, YieldsBothKindsOnceMoreColludeThanTheStudySays) {
  LyingServer server({.participants = 5, .dropouts = 1, .colluders = 0}, 2);
  const ParticipantId victim = 2;
  server.Tell([&](ParticipantId id) { return id == victim ? server.Everybody() : server.AllBut(victim); });
  server.ShowConfirmations();
  EXPECT_EQ(server.unmasked(), 3);
  EXPECT_EQ(server.MissingForBothKindsOf(victim), 0);
}

// On a circle those near each other could agree among themselves on a set that others do not hold.
TEST(SurvivorAgreement, IsOneForAllOfACircleHoweverItsArcsAreToldDifferentStories) {
  constexpr int kParticipants = 40;
  int unmasked = 0;
  for (int arc = 4; arc <= kParticipants / 2; ++arc) {
    const int committee = arc % 2 == 0 ? 0 : 20;
    LyingServer server(
        {.participants = kParticipants, .dropouts = 2, .committee = committee, .graph = GraphParameters{4, 3}}, 0);
    const std::vector<int> order = server.Circle();
    const auto vanished_in_arc = static_cast<ParticipantId>(order[arc / 2]);
    const auto vanished_elsewhere = static_cast<ParticipantId>(order[(arc + kParticipants) / 2]);
    server.Tell([&](ParticipantId id) {
      const bool is_in_arc = std::find(order.begin(), order.begin() + arc, static_cast<int>(id)) != order.begin() + arc;
      const ParticipantId vanished = is_in_arc ? vanished_in_arc : vanished_elsewhere;
      return id == vanished ? server.Everybody() : server.AllBut(vanished);
    });
    server.ShowConfirmations();
    EXPECT_LE(server.StoriesUnmasked(), 1U) << "an arc of " << arc;
    unmasked += server.unmasked();
  }
  EXPECT_GT(unmasked, 0);
}

// A story that the terms allow and that contains whoever is told it.
Story RandomStory(SeededRandomSource& random, int invited, int dropouts, ParticipantId told) {
  Story story(invited, true);
  for (int i = 0; i < dropouts; ++i) {
    const std::size_t gone = random.NextBelow(invited);
    if (gone != told) story[gone] = false;
  }
  return story;
}

TEST(SurvivorAgreement, NeverYieldsBothKindsOfShareWhenStoriesAndDeliveriesAreDrawnAtRandom) {
  SeededRandomSource random(11);
  Tally tally;
  for (int invited = 3; invited <= 8; ++invited) {
    for (int dropouts = 1; dropouts < invited; ++dropouts) {
      for (int colluders = 0; IsAdmissible(invited, dropouts, colluders); ++colluders) {
        for (int trial = 0; trial < 3; ++trial) {
          std::set<std::pair<ParticipantId, ParticipantId>> lost;
          for (std::uint64_t i = random.NextBelow(3); i > 0; --i) {
            lost.emplace(random.NextBelow(invited), random.NextBelow(invited));
          }
          LyingServer server({.participants = invited, .dropouts = dropouts, .colluders = colluders}, colluders,
                             [&](ParticipantId from, ParticipantId to) {
                               return !lost.contains({from, to});
                             });
          const std::vector<Story> stories = {RandomStory(random, invited, dropouts, invited - 1),
                                              RandomStory(random, invited, dropouts, colluders)};
          const std::uint64_t likelier = 1 + random.NextBelow(4);
          server.Tell([&](ParticipantId) { return stories[random.NextBelow(5) < likelier ? 0 : 1]; });
          server.ShowConfirmations();
          tally.Add(server, invited, colluders);
        }
      }
    }
  }
  EXPECT_GT(tally.sessions, 80);
  EXPECT_GT(tally.unmasked, tally.sessions / 4);
}

// The honest server's set of survivors, changed for everybody alike.
void ExpectRefused(const StudyOptions& options, const std::function<void(ParticipantId, Survivors&)>& change,
                   const std::string& reason, const VanishesAt& vanishes = NobodyVanishes) {
  StudyForTest study(options);
  const auto server = study.MakeServer();
  const auto clients = study.MakeClients();
  const SessionErrors errors =
      RunTampered(*server, clients, {.to_client = On<Survivors>(change), .vanishes = vanishes});
  EXPECT_TRUE(absl::IsAborted(server->outcome().status()));
  EXPECT_TRUE(absl::IsInvalidArgument(errors.of_client[0])) << errors.of_client[0];
  EXPECT_THAT(std::string(errors.of_client[0].message()), HasSubstr(reason));
  EXPECT_TRUE(clients[0]->IsOver());
}

void Flip(Survivors& survivors, ParticipantId id) {
  survivors.members[id / 8] = static_cast<std::uint8_t>(survivors.members[id / 8] ^ (1U << (id % 8)));
}

TEST(SurvivorSet, WithoutItsReceiverIsRefused) {
  ExpectRefused(
      {}, [](ParticipantId to, Survivors& survivors) { Flip(survivors, to); }, "counts this participant as vanished");
}

TEST(SurvivorSet, WithSomebodyWhoNeverSentSharesIsRefused) {
  ExpectRefused(
      {}, [](ParticipantId, Survivors& survivors) { Flip(survivors, 3); }, "cannot have survived",
      [](ParticipantId id, int stage) { return id == 3 && stage == 1; });
}

TEST(SurvivorSet, OfTooFewIsRefused) {
  ExpectRefused(
      {},
      [](ParticipantId, Survivors& survivors) {
        Flip(survivors, 3);
        Flip(survivors, 4);
      },
      "the terms promise 4");
}

TEST(SurvivorSet, OfAnotherSizeIsRefused) {
  ExpectRefused(
      {}, [](ParticipantId, Survivors& survivors) { survivors.members.push_back(0); }, "does not fit");
  ExpectRefused(
      {}, [](ParticipantId, Survivors& survivors) { survivors.members.clear(); }, "does not fit");
}

TEST(SurvivorSet, WithSpareBitsIsRefused) {
  ExpectRefused(
      {}, [](ParticipantId, Survivors& survivors) { Flip(survivors, 5); }, "does not fit");
  ExpectRefused(
      {}, [](ParticipantId, Survivors& survivors) { Flip(survivors, 7); }, "does not fit");
}

TEST(SurvivorSet, WithTooFewOfTheReceiversNeighboursIsRefusedInASparseGraph) {
  StudyForTest study({.participants = 12, .dropouts = 2, .graph = GraphParameters{.degree = 4, .threshold = 3}});
  const auto server = study.MakeServer();
  const auto clients = study.MakeClients();
  RunUpTo(1, *server, clients);
  const KeyList list = BodyOf<KeyList>(server->MessageFor(0));
  const NeighbourGraph graph(12, 4, GraphSeed(DigestOf(list.neighbours.front().offer, list)));
  for (int stage = 1; stage < 3; ++stage) {
    for (const ParticipantId id : server->Recipients()) {
      ASSERT_TRUE(server->Receive(id, clients[id]->Receive(server->MessageFor(id)).value()).ok());
    }
    server->CloseStage();
  }
  for (const ParticipantId id : server->Recipients()) {
    Survivors survivors = BodyOf<Survivors>(server->MessageFor(id));
    const std::vector<int> neighbours = graph.NeighboursOf(static_cast<int>(id));
    Flip(survivors, static_cast<ParticipantId>(neighbours[0]));
    Flip(survivors, static_cast<ParticipantId>(neighbours[1]));
    const absl::Status status = clients[id]->Receive(Encode(study.InvitationTo().session, survivors)).status();
    EXPECT_THAT(std::string(status.message()), HasSubstr("2 neighbours survived; masks are safe with 3"));
  }
}

TEST(Confirmations, ByStrangersOrTheVanishedOrRepeatedAreRefused) {
  const auto refuse = [](const std::function<void(ParticipantId, Bundle&)>& change) {
    StudyForTest study({});
    const auto server = study.MakeServer();
    const auto clients = study.MakeClients();
    const SessionErrors errors =
        RunTampered(*server, clients, {.to_client = On<Bundle>(change), .vanishes = [](ParticipantId id, int stage) {
                                         return id == 4 && stage == 2;
                                       }});
    EXPECT_TRUE(absl::IsAborted(server->outcome().status()));
    for (ParticipantId id = 0; id < 4; ++id) {
      EXPECT_THAT(std::string(errors.of_client[id].message()), HasSubstr("who has none to give"));
    }
  };
  refuse([](ParticipantId, Bundle& bundle) { bundle.entries.back().from = 77; });
  refuse([](ParticipantId, Bundle& bundle) { bundle.entries.back().from = 4; });
  refuse([](ParticipantId to, Bundle& bundle) { bundle.entries.back().from = to; });
  refuse([](ParticipantId, Bundle& bundle) { bundle.entries.push_back(bundle.entries.back()); });
}

TEST(Confirmations, ThatAreTooFewOrForgedAreRefused) {
  const auto refuse = [](const std::function<void(ParticipantId, Bundle&)>& change, const std::string& reason) {
    StudyForTest study({});
    const auto server = study.MakeServer();
    const auto clients = study.MakeClients();
    const SessionErrors errors = RunTampered(*server, clients, {.to_client = On<Bundle>(change)});
    EXPECT_TRUE(absl::IsAborted(server->outcome().status()));
    for (const absl::Status& error : errors.of_client) EXPECT_THAT(std::string(error.message()), HasSubstr(reason));
  };
  refuse([](ParticipantId, Bundle& bundle) { bundle.entries.resize(1); }, "2 confirmed the survivors; 3 must");
  refuse([](ParticipantId, Bundle& bundle) { bundle.entries.clear(); }, "1 confirmed the survivors; 3 must");
  refuse([](ParticipantId, Bundle& bundle) { bundle.entries[0].signature[5] ^= 1; }, "did not confirm these survivors");
  refuse([](ParticipantId, Bundle& bundle) { bundle.entries[0].signature = bundle.entries[1].signature; },
         "did not confirm these survivors");
}

}  // namespace
}  // namespace flaim::secagg
