#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/ring_vector.h"
#include "secagg/protocol/session_keys.h"

// Key lists that a server has tampered with.

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;

constexpr ParticipantId kVictim = 1;

// Nobody gives anything away: no counts are asked for, and there is no sum.
void ExpectUseless(StudyForTest& study, const Tampering& tampering, const std::string& reason) {
  const auto server = study.MakeServer();
  const auto clients = study.MakeClients();
  const SessionErrors errors = RunTampered(*server, clients, tampering);
  EXPECT_TRUE(absl::IsAborted(server->outcome().status()));
  for (ParticipantId id = 0; id < clients.size(); ++id) {
    EXPECT_EQ(study.AskedOf(id), 0) << id;
    EXPECT_TRUE(clients[id]->IsOver()) << id;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(errors.of_client[0])) << errors.of_client[0];
  EXPECT_THAT(std::string(errors.of_client[0].message()), HasSubstr(reason));
}

// The server's own keys in place of the victim's, in what everybody is told.
Tampering ShowingKeysOf(const SigningKey& signer, SeededRandomSource& random) {
  const AgreementPublicKey mask_key = AgreementKey::Generate(random).public_key();
  const AgreementPublicKey sealing_key = AgreementKey::Generate(random).public_key();
  return {.to_client = On<KeyList>([&signer, mask_key, sealing_key](ParticipantId to, KeyList& list) {
            const Digest offer = list.neighbours.front().offer;
            ShowInstead(kVictim, AdvertiseAs(signer, kVictim, offer, mask_key, sealing_key), to, list);
          })};
}

TEST(SwappedKeys, ThatTheServerSignedItselfAreRefused) {
  StudyForTest study({});
  SeededRandomSource random(5);
  ExpectUseless(study, ShowingKeysOf(study.server_key(), random), "not signed by it");
}

TEST(SwappedKeys, ThatAnotherParticipantSignedAreRefused) {
  StudyForTest study({});
  SeededRandomSource random(5);
  ExpectUseless(study, ShowingKeysOf(study.KeyOf(3), random), "not signed by it");
}

TEST(SwappedKeys, AreRefusedEvenIfTheListStillHoldsTheRightDigest) {
  for (const bool is_mask_key : {true, false}) {
    StudyForTest study({});
    ExpectUseless(study, {.to_client = On<KeyList>([&](ParticipantId, KeyList& list) {
                            Advertise& shown = list.neighbours.front();
                            (is_mask_key ? shown.mask_key : shown.sealing_key)[3] ^= 1;
                          })},
                  "not those in the list");
  }
}

TEST(SwappedKeys, OfAnotherParticipantShownUnderTheVictimsNameAreRefused) {
  StudyForTest study({});
  ExpectUseless(study, {.to_client = On<KeyList>([&](ParticipantId to, KeyList& list) {
                          const ParticipantId lender = to == 4 ? 3 : 4;
                          const Advertise lent = list.neighbours[PlaceAmongNeighbours(list, lender, to)];
                          ShowInstead(kVictim, lent, to, list);
                        })},
                "not signed by it");
}

TEST(SwappedKeys, OfAnEarlierSessionAreRefused) {
  StudyForTest study({});
  const Advertise old =
      BodyOf<Advertise>(study.MakeClient(kVictim)->Receive(study.MakeServer(7)->MessageFor(1)).value());
  ExpectUseless(
      study, {.to_client = On<KeyList>([&](ParticipantId to, KeyList& list) { ShowInstead(kVictim, old, to, list); })},
      "answered another offer");
}

// The victim works for the server: its signature is genuine.
TEST(LowOrderKeys, ForSealingAreRefusedByWhoeverIsShownThem) {
  for (const AgreementPublicKey& weak : secagg::LowOrderKeys()) {
    StudyForTest study({});
    SeededRandomSource random(6);
    const AgreementPublicKey strong = AgreementKey::Generate(random).public_key();
    const auto show = [&](ParticipantId to, KeyList& list) {
      const Digest offer = list.neighbours.front().offer;
      ShowInstead(kVictim, AdvertiseAs(study.KeyOf(kVictim), kVictim, offer, strong, weak), to, list);
    };
    ExpectUseless(study, {.to_client = On<KeyList>(show)}, "low order");
  }
}

// A weak mask key is found when masks are made with its owner, who has sent shares; still before counts are asked for.
TEST(LowOrderKeys, ForMasksEndTheSessionBeforeCountsAreAsked) {
  for (const AgreementPublicKey& weak : secagg::LowOrderKeys()) {
    StudyForTest study({.participants = 3, .dropouts = 0, .blocks = {{.entries = 4}}});
    const auto client = study.MakeClient(0);
    const Invitation invitation = study.InvitationTo();
    const Offer offer = MakeOffer(invitation);
    const Digest offer_digest = DigestOf(invitation.session, offer);
    std::vector<Advertise> all = {BodyOf<Advertise>(client->Receive(Encode(invitation.session, offer)).value())};
    SeededRandomSource random(7);
    std::vector<AgreementKey> sealing_keys;
    KeyList list;
    for (ParticipantId id = 1; id < 3; ++id) {
      sealing_keys.push_back(AgreementKey::Generate(random));
      const AgreementPublicKey mask_key = id == 1 ? weak : AgreementKey::Generate(random).public_key();
      all.push_back(AdvertiseAs(study.KeyOf(id), id, offer_digest, mask_key, sealing_keys.back().public_key()));
      list.neighbours.push_back(all.back());
    }
    for (ParticipantId id = 0; id < 3; ++id) list.everyone.push_back({id, DigestOf(id, all[id])});
    ASSERT_TRUE(client->Receive(Encode(invitation.session, list)).ok());
    const Digest key_list = DigestOf(offer_digest, list);
    Inbox inbox;
    for (ParticipantId id = 1; id < 3; ++id) {
      const Secret32 agreed = sealing_keys[id - 1].Agree(all[0].sealing_key).value();
      const Digest context = Transcript("flaim shares").Add(key_list).Add(id).Add(std::uint64_t{0}).Finish();
      const Bytes box = Seal(SealingKey(agreed, key_list, id, 0), context, Bytes(2 * Share::kBytes));
      std::copy(box.begin(), box.end(), inbox.entries.emplace_back(Inbox::Entry{.from = id, .box = {}}).box.begin());
    }
    const absl::Status refusal = client->Receive(Encode(invitation.session, inbox)).status();
    EXPECT_TRUE(absl::IsInvalidArgument(refusal));
    EXPECT_THAT(std::string(refusal.message()), HasSubstr("low order"));
    EXPECT_EQ(study.AskedOf(0), 0);
  }
}

TEST(DifferentKeyLists, OfWhoTakesPartLeadToBoxesThatDoNotOpen) {
  StudyForTest study({.participants = 6, .dropouts = 2});
  // Participants 0 to 2 are told that the last one never advertised.
  ExpectUseless(study,
                {.to_client = On<KeyList>([](ParticipantId to, KeyList& list) {
                   if (to > 2) return;
                   list.everyone.pop_back();
                   list.neighbours.pop_back();
                 }),
                 .to_server =
                     [](ParticipantId from, MessageBody& body) {
                       Shares* shares = std::get_if<Shares>(&body);
                       if (shares != nullptr && from <= 2) shares->boxes.emplace_back();
                     }},
                "");
}

TEST(DifferentKeyLists, ThatLackTheReceiverOrShowAnotherInItsPlaceAreRefused) {
  for (const bool is_missing : {true, false}) {
    StudyForTest study({});
    ExpectUseless(study, {.to_client = On<KeyList>([&](ParticipantId to, KeyList& list) {
                            if (is_missing) {
                              list.everyone.erase(list.everyone.begin() + to);
                            } else {
                              list.everyone[to].advertisement[0] ^= 1;
                            }
                          })},
                  "does not show this participant");
  }
}

TEST(DifferentKeyLists, WithStrangersRepetitionsOrTooFewAreRefused) {
  const auto refuse = [](const Tamper& to_client, const std::string& reason) {
    StudyForTest study({});
    ExpectUseless(study, {.to_client = to_client}, reason);
  };
  refuse(On<KeyList>([](ParticipantId, KeyList& list) { list.everyone.back().id = 99; }), "members of the roster");
  refuse(On<KeyList>([](ParticipantId, KeyList& list) { list.everyone[4] = list.everyone[3]; }), "ascending list");
  refuse(On<KeyList>([](ParticipantId, KeyList& list) { list.everyone.resize(3); }), "the terms allow 4 to 5");
  refuse(On<KeyList>([](ParticipantId, KeyList& list) { list.everyone.push_back({.id = 5, .advertisement = {}}); }),
         "the terms allow 4 to 5");
  refuse(On<KeyList>([](ParticipantId, KeyList& list) { list.neighbours.pop_back(); }), "neighbours; there are 4");
}

// Were somebody to send its vector nevertheless: keys derived for one offer are of no use for another.
TEST(ModelBinding, GivesMasksThatDoNotCancelBetweenDifferentModels) {
  StudyForTest study({});
  Invitation other = study.InvitationTo();
  other.terms.model[0] ^= 1;
  const Digest first = DigestOf(other.session, MakeOffer(study.InvitationTo()));
  const Digest second = DigestOf(other.session, MakeOffer(other));
  const KeyList list{.everyone = {{0, {}}, {1, {}}}, .neighbours = {}};
  SeededRandomSource random(8);
  const AgreementKey one = AgreementKey::Generate(random);
  const AgreementKey two = AgreementKey::Generate(random);
  const auto sum_of_masks = [&](const Digest& of_one, const Digest& of_two) {
    RingVector sum(32, 100);
    sum.Apply(MaskCipher::kAes128Ctr, PairMaskSeed(one.Agree(two.public_key()).value(), DigestOf(of_one, list), 0, 1),
              PairMaskSign(0, 1));
    sum.Apply(MaskCipher::kAes128Ctr, PairMaskSeed(two.Agree(one.public_key()).value(), DigestOf(of_two, list), 1, 0),
              PairMaskSign(1, 0));
    return sum.ToSigned();
  };
  EXPECT_EQ(sum_of_masks(first, first), std::vector<std::int64_t>(100));
  const std::vector<std::int64_t> different = sum_of_masks(first, second);
  EXPECT_EQ(std::count(different.begin(), different.end(), 0), 0);
}

TEST(ModelBinding, ReachesTheOwnMaskAndTheSealsToo) {
  SeededRandomSource random(9);
  Secret32 secret;
  random.Fill(std::as_writable_bytes(std::span(secret.bytes())));
  const Digest first = Sha256(AsBytes("one"));
  const Digest second = Sha256(AsBytes("another"));
  EXPECT_FALSE(OwnMaskSeed(secret, first).Equals(OwnMaskSeed(secret, second)));
  EXPECT_FALSE(SealingKey(secret, first, 0, 1).Equals(SealingKey(secret, second, 0, 1)));
  EXPECT_FALSE(SealingKey(secret, first, 0, 1).Equals(SealingKey(secret, first, 1, 0)));
}

}  // namespace
}  // namespace flaim::secagg
