#include "secagg/hostile/hostile_testing.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/check.h"
#include "secagg/crypto/hex_testing.h"

namespace flaim::secagg {
namespace {

Bytes Changed(const Bytes& bytes, ParticipantId id, const Tamper& tamper) {
  if (!tamper) return bytes;
  absl::StatusOr<Message> message = Decode(bytes);
  CHECK(message.ok(), "both sides are the library's own");
  tamper(id, message->body);
  return Encode(message->session, message->body);
}

void KeepFirst(const absl::Status& status, absl::Status& first) {
  if (first.ok()) first = status;
}

}  // namespace

SessionErrors RunTampered(SumServer& server, const std::vector<std::unique_ptr<SumClient>>& clients,
                          const Tampering& tampering) {
  SessionErrors errors{.of_client = std::vector<absl::Status>(clients.size()),
                       .of_server = std::vector<absl::Status>(clients.size())};
  std::set<ParticipantId> vanished;
  for (int stage = 0;; ++stage) {
    const bool is_last = server.IsOver();
    for (const ParticipantId id : server.Recipients()) {
      if (vanished.contains(id)) continue;
      const absl::StatusOr<Bytes> answer =
          clients[id]->Receive(Changed(server.MessageFor(id), id, tampering.to_client));
      KeepFirst(answer.status(), errors.of_client[id]);
      if (tampering.vanishes(id, stage)) {
        vanished.insert(id);
      } else if (answer.ok() && !answer->empty()) {
        KeepFirst(server.Receive(id, Changed(*answer, id, tampering.to_server)), errors.of_server[id]);
      }
    }
    if (is_last) return errors;
    server.CloseStage();
  }
}

void RunUpTo(int stage, SumServer& server, const std::vector<std::unique_ptr<SumClient>>& clients) {
  for (int i = 0; i < stage; ++i) {
    for (const ParticipantId id : server.Recipients()) {
      const absl::StatusOr<Bytes> answer = clients[id]->Receive(server.MessageFor(id));
      CHECK(answer.ok() && server.Receive(id, *answer).ok(), "an honest session");
    }
    server.CloseStage();
  }
}

SecretsForTest DrawSecrets(RandomSource& twin) {
  SecretsForTest secrets{
      .mask_key = AgreementKey::Generate(twin), .sealing_key = AgreementKey::Generate(twin), .seed = {}};
  twin.Fill(std::as_writable_bytes(std::span(secrets.seed.bytes())));
  return secrets;
}

Advertise AdvertiseAs(const SigningKey& signer, ParticipantId id, const Digest& offer,
                      const AgreementPublicKey& mask_key, const AgreementPublicKey& sealing_key) {
  Advertise advertisement;
  advertisement.offer = offer;
  advertisement.mask_key = mask_key;
  advertisement.sealing_key = sealing_key;
  advertisement.seed_commitment = CommitmentTo(Secret32());
  advertisement.signature = signer.Sign(DigestOf(id, advertisement));
  return advertisement;
}

std::size_t PlaceAmongNeighbours(const KeyList& list, ParticipantId id, ParticipantId to) {
  CHECK(list.neighbours.size() + 1 == list.everyone.size() && id != to);
  const auto found = std::find_if(list.everyone.begin(), list.everyone.end(),
                                  [id](const KeyList::Entry& entry) { return entry.id == id; });
  CHECK(found != list.everyone.end());
  return static_cast<std::size_t>(found - list.everyone.begin()) - (to < id ? 1 : 0);
}

void ShowInstead(ParticipantId id, const Advertise& advertisement, ParticipantId to, KeyList& list) {
  for (KeyList::Entry& entry : list.everyone) {
    if (entry.id == id) entry.advertisement = DigestOf(id, advertisement);
  }
  if (to != id) list.neighbours[PlaceAmongNeighbours(list, id, to)] = advertisement;
}

std::vector<AgreementPublicKey> LowOrderKeys() {
  std::vector<AgreementPublicKey> keys = {
      ArrayFromHex<32>("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
      ArrayFromHex<32>("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157")};
  for (const std::uint8_t small : {std::uint8_t{0}, std::uint8_t{1}}) {
    keys.emplace_back(AgreementPublicKey{}).front() = small;
  }
  for (const std::uint8_t low : {std::uint8_t{0xec}, std::uint8_t{0xed}, std::uint8_t{0xee}}) {
    AgreementPublicKey& key = keys.emplace_back();
    key.fill(0xff);
    key.front() = low;
    key.back() = 0x7f;
  }
  return keys;
}

}  // namespace flaim::secagg
