#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/secure_client.h"

// A server that repeats, reorders, invents and replays messages.

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;

// All messages of an honest session to participant 0, and its answers.
struct Dialogue {
  std::vector<Bytes> messages;
  std::vector<Bytes> answers;
};

Dialogue HonestDialogue(StudyForTest& study, std::uint64_t session_number) {
  Dialogue dialogue;
  const auto server = study.MakeServer(session_number);
  const auto clients = study.MakeClients();
  for (bool is_last = false; !is_last;) {
    is_last = server->IsOver();
    for (const ParticipantId id : server->Recipients()) {
      const Bytes message = server->MessageFor(id);
      const Bytes answer = clients[id]->Receive(message).value();
      if (id == 0) dialogue.messages.push_back(message);
      if (id == 0) dialogue.answers.push_back(answer);
      EXPECT_EQ(server->Receive(id, answer).ok(), !is_last);
    }
    if (!is_last) server->CloseStage();
  }
  return dialogue;
}

TEST(HostileServer, GetsOneAnswerAStageWhateverItSendsAgain) {
  StudyForTest study({});
  const auto server = study.MakeServer();
  const auto clients = study.MakeClients();
  std::vector<Bytes> sent;
  while (!server->IsOver()) {
    for (const ParticipantId id : server->Recipients()) {
      const Bytes message = server->MessageFor(id);
      const Bytes answer = clients[id]->Receive(message).value();
      if (id == 0) {
        sent.push_back(message);
        for (const Bytes& old : sent) EXPECT_TRUE(absl::IsAlreadyExists(clients[0]->Receive(old).status()));
      }
      EXPECT_TRUE(server->Receive(id, answer).ok());
    }
    server->CloseStage();
  }
  EXPECT_EQ(sent.size(), 5U);
  EXPECT_TRUE(server->outcome().ok());
  EXPECT_EQ(study.AskedOf(0), 1);
}

// Another inbox, other survivors, other confirmations: none is answered in place of those that were.
TEST(HostileServer, GetsNoSecondAnswerForAnotherMessageOfAStage) {
  StudyForTest study({});
  const auto server = study.MakeServer();
  const auto clients = study.MakeClients();
  const SessionId session = study.InvitationTo().session;
  RunUpTo(3, *server, clients);
  const Bytes truth = server->MessageFor(0);
  ASSERT_TRUE(clients[0]->Receive(truth).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(clients[0]->Receive(Encode(session, Survivors{.members = {0x0f}})).status()));
  EXPECT_TRUE(absl::IsAlreadyExists(clients[0]->Receive(Encode(session, Inbox{})).status()));
  EXPECT_TRUE(absl::IsAlreadyExists(clients[0]->Receive(Encode(session, KeyList{})).status()));
  EXPECT_FALSE(clients[0]->IsOver());
}

TEST(HostileServer, GetsNoAnswerToMessagesBeforeTheirTurn) {
  StudyForTest study({});
  const Dialogue dialogue = HonestDialogue(study, 1);
  StudyForTest again({});
  const auto client = again.MakeClient(0);
  ASSERT_EQ(dialogue.messages.size(), 6U);
  for (std::size_t stage = 0; stage < 5; ++stage) {
    for (std::size_t later = stage + 1; later < 6; ++later) {
      EXPECT_TRUE(absl::IsFailedPrecondition(client->Receive(dialogue.messages[later]).status()));
    }
    // The same randomness, so nothing changed in between.
    EXPECT_EQ(client->Receive(dialogue.messages[stage]).value(), dialogue.answers[stage]) << stage;
  }
}

TEST(HostileServer, ChangesNothingByWhatOnlyParticipantsSendOrNobody) {
  StudyForTest study({});
  const Dialogue dialogue = HonestDialogue(study, 1);
  StudyForTest again({});
  const auto client = again.MakeClient(0);
  for (std::size_t stage = 0; stage < 5; ++stage) {
    for (std::size_t other = 0; other < 5; ++other) {
      EXPECT_TRUE(absl::IsFailedPrecondition(client->Receive(dialogue.answers[other]).status()));
    }
    EXPECT_TRUE(absl::IsInvalidArgument(client->Receive({}).status()));
    Bytes malformed = dialogue.messages[stage];
    malformed[0] ^= 0x40;
    EXPECT_TRUE(absl::IsInvalidArgument(client->Receive(malformed).status()));
    EXPECT_TRUE(absl::IsInvalidArgument(client->Receive(ByteView(dialogue.messages[stage]).first(20)).status()));
    EXPECT_EQ(client->Receive(dialogue.messages[stage]).value(), dialogue.answers[stage]) << stage;
  }
}

TEST(HostileServer, CannotReplayASessionToTheSameParticipant) {
  StudyForTest study({});
  const Bytes offer = study.MakeServer()->MessageFor(0);
  const auto client = study.MakeClient(0);
  ASSERT_TRUE(client->Receive(offer).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(client->Receive(offer).status()));
}

TEST(HostileServer, CannotReplayASessionToAParticipantThatWasStartedAgain) {
  StudyForTest study({});
  const Dialogue dialogue = HonestDialogue(study, 1);
  const int asked = study.AskedOf(0);
  const auto restarted = study.MakeClient(0);
  EXPECT_TRUE(absl::IsAlreadyExists(restarted->Receive(dialogue.messages[0]).status()));
  for (const Bytes& message : dialogue.messages) EXPECT_FALSE(restarted->Receive(message).ok());
  EXPECT_EQ(study.AskedOf(0), asked);
}

// The same session with other terms, deadline or signature is still the same session.
TEST(HostileServer, CannotReuseASessionForAnotherOffer) {
  StudyForTest study({});
  ASSERT_TRUE(study.MakeClient(0)->Receive(study.MakeServer()->MessageFor(0)).ok());
  Invitation later = study.InvitationTo();
  later.deadline_unix_ms += 1000;
  EXPECT_TRUE(absl::IsAlreadyExists(study.MakeClient(0)->Receive(Encode(later.session, MakeOffer(later))).status()));
}

Bytes Relabelled(const Bytes& bytes, const SessionId& session) { return Encode(session, Decode(bytes).value().body); }

TEST(HostileServer, CannotUseMessagesOfAnOldSessionInANewOne) {
  StudyForTest study({});
  const Dialogue old = HonestDialogue(study, 1);
  for (std::size_t stage = 1; stage < 5; ++stage) {
    const auto server = study.MakeServer(2 + stage);
    const auto clients = study.MakeClients();
    RunUpTo(static_cast<int>(stage), *server, clients);
    const SessionId current = study.InvitationTo(2 + stage).session;
    EXPECT_TRUE(absl::IsFailedPrecondition(clients[0]->Receive(old.messages[stage]).status()));
    EXPECT_FALSE(clients[0]->IsOver());
    // A set of survivors looks the same in every session; their confirmations do not.
    const absl::StatusOr<Bytes> answer = clients[0]->Receive(Relabelled(old.messages[stage], current));
    EXPECT_EQ(answer.ok(), stage == 3) << stage;
    EXPECT_EQ(clients[0]->IsOver(), stage != 3) << stage;
  }
}

TEST(HonestServer, RefusesMessagesOfAnOldSession) {
  StudyForTest study({});
  const Dialogue old = HonestDialogue(study, 1);
  for (std::size_t stage = 0; stage < 5; ++stage) {
    const auto server = study.MakeServer(2 + stage);
    RunUpTo(static_cast<int>(stage), *server, study.MakeClients());
    EXPECT_TRUE(absl::IsInvalidArgument(server->Receive(0, old.answers[stage])));
    // Boxes, vectors and shares do not say which session they are of; keys and confirmations do.
    const bool says_so = stage == 0 || stage == 3;
    const absl::Status relabelled =
        server->Receive(0, Relabelled(old.answers[stage], study.InvitationTo(2 + stage).session));
    EXPECT_EQ(absl::IsInvalidArgument(relabelled), says_so) << stage;
  }
}

TEST(HonestServer, IsNotMovedByStrangersOtherStagesOrMalformedMessages) {
  StudyForTest study({});
  const Dialogue dialogue = HonestDialogue(study, 1);
  StudyForTest again({});
  const auto server = again.MakeServer();
  const auto clients = again.MakeClients();
  for (std::size_t stage = 0; !server->IsOver(); ++stage) {
    for (const ParticipantId id : server->Recipients()) {
      for (std::size_t other = 0; other < 5; ++other) {
        if (other == stage) continue;
        EXPECT_TRUE(absl::IsFailedPrecondition(server->Receive(id, dialogue.answers[other])));
      }
      for (const Bytes& message : dialogue.messages) EXPECT_FALSE(server->Receive(id, message).ok());
      EXPECT_TRUE(absl::IsInvalidArgument(server->Receive(id, {})));
      EXPECT_TRUE(absl::IsFailedPrecondition(server->Receive(99, dialogue.answers[stage])));
      const Bytes before = server->MessageFor(id);
      const Bytes answer = clients[id]->Receive(before).value();
      EXPECT_TRUE(absl::IsInvalidArgument(server->Receive(id, ByteView(answer).first(answer.size() / 2))));
      EXPECT_EQ(server->MessageFor(id), before);
      EXPECT_TRUE(server->Receive(id, answer).ok());
    }
    server->CloseStage();
  }
  ASSERT_TRUE(server->outcome().ok());
  EXPECT_EQ(server->outcome()->contributors.size(), 5U);
  EXPECT_TRUE(again.IsExact(*server->outcome()));
}

TEST(HonestServer, StaysWithItsOutcomeWhenItGivesUpTooLate) {
  for (const Protocol protocol : {Protocol::kSecure, Protocol::kClear}) {
    StudyForTest study({.protocol = protocol});
    const auto server = study.MakeServer();
    RunSession(*server, study.MakeClients());
    server->GiveUp();
    EXPECT_TRUE(server->outcome().ok());
  }
}

// Whoever keeps the counts may refuse them, say because the budget is spent: that is final.
TEST(CountsThatAreRefused, EndTheSessionAndAreNotAskedForAgain) {
  const std::vector<absl::Status> refusals = {absl::FailedPreconditionError("spent"), absl::AlreadyExistsError("spent"),
                                              absl::ResourceExhaustedError("spent"), absl::UnavailableError("spent"),
                                              absl::InternalError("spent")};
  for (const absl::Status& refusal : refusals) {
    StudyForTest study({});
    int asked = 0;
    Participation participation = study.ParticipationOf(0);
    participation.contribution = [&]() -> absl::StatusOr<Contribution> {
      ++asked;
      return refusal;
    };
    auto clients = study.MakeClients();
    clients[0] = MakeSecureClient(participation, study.SurroundingsOf(0)).value();
    const auto server = study.MakeServer();
    RunUpTo(2, *server, clients);
    const Bytes inbox = server->MessageFor(0);
    EXPECT_EQ(clients[0]->Receive(inbox).status(), refusal);
    EXPECT_TRUE(clients[0]->IsOver());
    EXPECT_FALSE(clients[0]->Receive(inbox).ok());
    EXPECT_EQ(asked, 1);
  }
}

TEST(Inbox, ThatTheServerTamperedWithIsRefusedBeforeCountsAreAsked) {
  const auto refuse = [](const std::function<void(Inbox&)>& change) {
    StudyForTest study({});
    const auto clients = study.MakeClients();
    const auto server = study.MakeServer();
    RunTampered(*server, clients, {.to_client = On<Inbox>([&](ParticipantId to, Inbox& inbox) {
                                     if (to == 0) change(inbox);
                                   })});
    EXPECT_TRUE(clients[0]->IsOver());
    EXPECT_EQ(study.AskedOf(0), 0);
    ASSERT_TRUE(server->outcome().ok());
    EXPECT_EQ(server->outcome()->contributors, (std::vector<ParticipantId>{1, 2, 3, 4}));
  };
  refuse([](Inbox& inbox) { inbox.entries[1].box[20] ^= 1; });
  refuse([](Inbox& inbox) { std::swap(inbox.entries[0].box, inbox.entries[1].box); });
  refuse([](Inbox& inbox) { inbox.entries[1] = inbox.entries[0]; });
  refuse([](Inbox& inbox) { inbox.entries.push_back(inbox.entries[0]); });
  refuse([](Inbox& inbox) { inbox.entries[0].from = 0; });
  refuse([](Inbox& inbox) { inbox.entries[0].from = 55; });
  refuse([](Inbox& inbox) { inbox.entries.resize(1); });
  refuse([](Inbox& inbox) { inbox.entries.clear(); });
}

}  // namespace
}  // namespace flaim::secagg
