#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/neighbourhood.h"
#include "secagg/protocol/ring_vector.h"
#include "secagg/protocol/session_keys.h"

// Why everybody has a mask of its own besides those in common with neighbours: a server may declare somebody vanished,
// have its mask key recovered, and hold its vector all the same.

namespace flaim::secagg {
namespace {

constexpr ParticipantId kVictim = 0;
constexpr int kEntries = 1000;

class FeignedDropout : public testing::Test {
 protected:
  // The victim's vector arrives, but the server tells everybody that it did not.
  FeignedDropout() {
    const auto server = study_.MakeServer();
    const Tampering tampering{.to_client = On<KeyList>([this](ParticipantId to, KeyList& list) {
                                if (to == kVictim) list_ = list;
                              }),
                              .to_server = [this](ParticipantId from, MessageBody& body) {
                                if (Masked* masked = std::get_if<Masked>(&body); masked != nullptr && from == kVictim) {
                                  vector_ = masked->packed;
                                  masked->packed.clear();
                                }
                                if (Unmask* unmask = std::get_if<Unmask>(&body)) {
                                  for (const Unmask::Entry& entry : unmask->entries) {
                                    if (entry.of != kVictim) continue;
                                    EXPECT_EQ(entry.kind, ShareKind::kMaskKey);
                                    points_.push_back(PointOf(from));
                                    shares_.push_back(entry.share.Clone());
                                  }
                                }
                              }};
    RunTampered(*server, study_.MakeClients(), tampering);
    EXPECT_TRUE(server->outcome().ok());
    EXPECT_EQ(server->outcome()->contributors.size(), 4U);
  }

  // The victim's mask key, from what its neighbours gave the server.
  AgreementKey RecoveredMaskKey() const {
    std::vector<HeldShare> held;
    for (int i = 0; i < study_.terms().graph.threshold; ++i) held.push_back({points_.at(i), &shares_.at(i)});
    return AgreementKey::FromSecret(CombineShares(held).value());
  }

  // The victim's vector without the masks that it has in common with others.
  RingVector WithoutPairMasks() const {
    RingVector vector(study_.terms().ring_bits, kEntries);
    vector.AddPacked(vector_);
    const AgreementKey key = RecoveredMaskKey();
    for (std::size_t i = 0; i < list_.neighbours.size(); ++i) {
      const auto other = static_cast<ParticipantId>(i + 1);
      const Secret32 agreed = key.Agree(list_.neighbours[i].mask_key).value();
      // What the victim, who comes before all others, added.
      vector.Apply(MaskCipher::kAes128Ctr, PairMaskSeed(agreed, KeyListDigest(), kVictim, other), MaskSign::kSubtract);
    }
    return vector;
  }

  Digest KeyListDigest() const { return DigestOf(list_.neighbours.front().offer, list_); }

  StudyForTest study_{{.participants = 5, .dropouts = 1, .blocks = {{.entries = kEntries}}, .ring_bits = 32}};
  KeyList list_;
  Bytes vector_;
  std::vector<SharePoint> points_;
  std::vector<Share> shares_;
};

TEST_F(FeignedDropout, GivesTheServerTheVictimsMaskKey) {
  const auto twin = study_.TwinOfRandom(kVictim);
  EXPECT_TRUE(RecoveredMaskKey().secret().Equals(DrawSecrets(*twin).mask_key.secret()));
}

TEST_F(FeignedDropout, LeavesTheVictimsVectorUnderItsOwnMask) {
  const std::vector<std::int64_t> seen = WithoutPairMasks().ToSigned();
  const std::vector<std::int64_t>& counts = study_.CountsOf(kVictim, 0);
  int known = 0;
  for (int i = 0; i < kEntries; ++i) known += seen[i] == counts[i] ? 1 : 0;
  EXPECT_EQ(known, 0) << "each agrees by chance once in 2^32";
}

TEST_F(FeignedDropout, WouldUnmaskTheVictimHadItsSeedBeenGivenAwayToo) {
  const auto twin = study_.TwinOfRandom(kVictim);
  RingVector vector = WithoutPairMasks();
  vector.Apply(MaskCipher::kAes128Ctr, OwnMaskSeed(DrawSecrets(*twin).seed, KeyListDigest()), MaskSign::kSubtract);
  EXPECT_EQ(vector.ToSigned(), study_.CountsOf(kVictim, 0));
}

// The other half: the seed of a survivor is known in the end, and what it has in common with the others still hides it.
TEST(SurvivorsVector, StaysUnderThePairMasksThoughItsSeedIsGivenAway) {
  StudyForTest study({.participants = 5, .dropouts = 1, .blocks = {{.entries = kEntries}}, .ring_bits = 32});
  RingVector vector(32, kEntries);
  Digest key_list{};
  const auto server = study.MakeServer();
  const Tampering tampering{
      .to_client =
          On<KeyList>([&](ParticipantId, KeyList& list) { key_list = DigestOf(list.neighbours.front().offer, list); }),
      .to_server = [&](ParticipantId from, MessageBody& body) {
        if (from != kVictim) return;
        if (const Masked* masked = std::get_if<Masked>(&body)) vector.AddPacked(masked->packed);
        if (const Unmask* unmask = std::get_if<Unmask>(&body)) {
          vector.Apply(MaskCipher::kAes128Ctr, OwnMaskSeed(unmask->seed, key_list), MaskSign::kSubtract);
        }
      }};
  RunTampered(*server, study.MakeClients(), tampering);
  ASSERT_TRUE(server->outcome().ok());
  EXPECT_EQ(server->outcome()->contributors.size(), 5U);
  const std::vector<std::int64_t> seen = vector.ToSigned();
  int known = 0;
  for (int i = 0; i < kEntries; ++i) known += seen[i] == study.CountsOf(kVictim, 0)[i] ? 1 : 0;
  EXPECT_EQ(known, 0) << "each agrees by chance once in 2^32";
}

}  // namespace
}  // namespace flaim::secagg
