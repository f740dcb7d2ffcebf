#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "secagg/messages/messages.h"
#include "secagg/protocol/study_testing.h"

// For tests only: sessions in which messages are changed on their way, by a server or a participant that lies.

namespace flaim::secagg {

// Changes a message to or from a participant; an empty one changes nothing.
using Tamper = std::function<void(ParticipantId id, MessageBody& body)>;

// Changes messages of one kind: On<Inbox>([](ParticipantId to, Inbox& inbox) { ... }).
template <typename Body, typename Change>
Tamper On(Change change) {
  return [change](ParticipantId id, MessageBody& body) {
    if (Body* found = std::get_if<Body>(&body)) change(id, *found);
  };
}

struct Tampering {
  Tamper to_client = nullptr;
  Tamper to_server = nullptr;
  VanishesAt vanishes = NobodyVanishes;
};

// The first error that each participant gave, and that the server gave it; OK if none.
struct SessionErrors {
  std::vector<absl::Status> of_client;
  std::vector<absl::Status> of_server;
};

// As RunSession, but with changed messages, and the last message is delivered too.
SessionErrors RunTampered(SumServer& server, const std::vector<std::unique_ptr<SumClient>>& clients,
                          const Tampering& tampering);

// The same as often as a stage says so: runs until the server waits for the answers to stage `stage` (0: the offer), so
// that a test may play the server from there.
void RunUpTo(int stage, SumServer& server, const std::vector<std::unique_ptr<SumClient>>& clients);

// REQUIRES: the bytes are a message of this kind.
template <typename Body>
Body BodyOf(ByteView bytes) {
  absl::StatusOr<Message> message = Decode(bytes);
  CHECK(message.ok(), "not a message");
  Body* body = std::get_if<Body>(&message->body);
  CHECK(body != nullptr, "a message of another kind");
  return std::move(*body);
}

// What a participant draws in its first session, before and after it knows its neighbours.
struct SecretsForTest {
  AgreementKey mask_key;
  AgreementKey sealing_key;
  Secret32 seed;
};
SecretsForTest DrawSecrets(RandomSource& twin);

// A participant of this id, with fresh keys of the test's choosing, answers the offer.
Advertise AdvertiseAs(const SigningKey& signer, ParticipantId id, const Digest& offer,
                      const AgreementPublicKey& mask_key, const AgreementPublicKey& sealing_key);

// Shows the receiver another advertisement of `id`, in the complete graph. `to` is the receiver.
void ShowInstead(ParticipantId id, const Advertise& advertisement, ParticipantId to, KeyList& list);

// The place of `id` in the key list's neighbours of `to`, in the complete graph.
std::size_t PlaceAmongNeighbours(const KeyList& list, ParticipantId id, ParticipantId to);

// All keys on the curve that agree with every other key on the same secret.
std::vector<AgreementPublicKey> LowOrderKeys();

}  // namespace flaim::secagg
