#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "secagg/crypto/hex_testing.h"
#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/neighbourhood.h"

// Searches everything that is sent in a session for what must not be there: planted counts, and what participants drew.

namespace flaim::secagg {
namespace {

constexpr int kParticipants = 5;
constexpr ParticipantId kVanished = 4;  // after sending shares, before its vector
constexpr std::int64_t kPlanted = 0x05'EC'2E'75'EC'2E'7000;

// All runs of eight bytes in what was added, wherever they begin. Anything of eight bytes that is in there by chance is
// one in 2^64 for each run.
class Haystack {
 public:
  void Add(ByteView bytes) {
    for (std::size_t i = 0; i + 8 <= bytes.size(); ++i) runs_.insert(WordAt(bytes, i));
  }

  // Whether any eight bytes of the needle, taken from a multiple of eight, are there: forwards or backwards.
  bool HasAnyOf(ByteView needle) const {
    Bytes backwards(needle.rbegin(), needle.rend());
    bool found = false;
    for (std::size_t i = 0; i + 8 <= needle.size(); i += 8) {
      found |= runs_.contains(WordAt(needle, i)) || runs_.contains(WordAt(backwards, i));
    }
    return found;
  }
  bool Has(std::uint64_t word) const {
    std::uint8_t bytes[8];
    std::memcpy(bytes, &word, 8);
    return HasAnyOf(bytes);
  }

 private:
  static std::uint64_t WordAt(ByteView bytes, std::size_t place) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + place, 8);
    return word;
  }

  std::unordered_set<std::uint64_t> runs_;
};

// What one participant knows that nobody else should.
struct Knowledge {
  SecretsForTest secrets;
  std::vector<Share> seed_shares;  // for the others, in ascending order
  std::vector<Share> mask_key_shares;
  std::vector<std::uint64_t> coefficients;  // in all forms that they could be sent in
};

class SecureTranscript : public testing::Test {
 protected:
  SecureTranscript() {
    for (ParticipantId id = 0; id < kParticipants; ++id) {
      std::vector<std::int64_t>& counts = study_.CountsOf(id, 0);
      for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = kPlanted + static_cast<std::int64_t>(16 * i + id);
      knowledge_.push_back(KnowledgeOf(id));
    }
    const auto server = study_.MakeServer();
    const auto see = [this](ParticipantId, MessageBody& body) {
      const Bytes bytes = Encode({}, body);
      (std::holds_alternative<Unmask>(body) ? at_the_end_ : before_).Add(bytes);
    };
    RunTampered(*server, study_.MakeClients(),
                {.to_client = see, .to_server = see, .vanishes = [](ParticipantId id, int stage) {
                   return id == kVanished && stage == 2;
                 }});
    EXPECT_TRUE(server->outcome().ok()) << server->outcome().status();
  }

  Knowledge KnowledgeOf(ParticipantId id) const {
    const auto twin = study_.TwinOfRandom(id);
    Knowledge knowledge{DrawSecrets(*twin), {}, {}, {}};
    std::vector<SharePoint> points;
    for (ParticipantId other = 0; other < kParticipants; ++other) {
      if (other != id) points.push_back(PointOf(other));
    }
    const int threshold = study_.terms().graph.threshold;
    knowledge.seed_shares = SplitSecret(knowledge.secrets.seed, threshold, points, *twin);
    knowledge.mask_key_shares = SplitSecret(knowledge.secrets.mask_key.secret(), threshold, points, *twin);
    // Two secrets of five limbs with threshold - 1 coefficients each; a few more for what is drawn again.
    const auto again = study_.TwinOfRandom(id);
    (void)DrawSecrets(*again);
    for (int i = 0; i < 2 * 5 * (threshold - 1) + 4; ++i) {
      const std::uint64_t drawn = again->NextU64();
      knowledge.coefficients.insert(knowledge.coefficients.end(), {drawn, drawn >> 3, drawn & ((1ULL << 61) - 1)});
    }
    return knowledge;
  }

  // Of `owner`, for `holder`.
  static const Share& ShareFor(const std::vector<Share>& shares, ParticipantId owner, ParticipantId holder) {
    return shares[holder - (holder > owner ? 1 : 0)];
  }

  StudyForTest study_{{.participants = kParticipants,
                       .dropouts = 1,
                       .blocks = {{.entries = 16}},
                       .entry_bound = kPlanted + 1000,
                       .ring_bits = 64}};
  std::vector<Knowledge> knowledge_;
  Haystack before_;      // all but the last answers
  Haystack at_the_end_;  // the last answers
};

TEST_F(SecureTranscript, HoldsNobodysCounts) {
  for (ParticipantId id = 0; id < kParticipants; ++id) {
    for (const std::int64_t count : study_.CountsOf(id, 0)) {
      EXPECT_FALSE(before_.Has(static_cast<std::uint64_t>(count)));
      EXPECT_FALSE(at_the_end_.Has(static_cast<std::uint64_t>(count)));
    }
  }
}

TEST_F(SecureTranscript, HoldsPublicKeysSoTheSearchFindsWhatIsThere) {
  for (const Knowledge& one : knowledge_) {
    EXPECT_TRUE(before_.HasAnyOf(one.secrets.mask_key.public_key()));
    EXPECT_TRUE(before_.HasAnyOf(one.secrets.sealing_key.public_key()));
    EXPECT_TRUE(before_.HasAnyOf(CommitmentTo(one.secrets.seed)));
  }
}

TEST_F(SecureTranscript, HoldsNoKeyAndNoCoefficient) {
  for (const Knowledge& one : knowledge_) {
    for (const Haystack* haystack : {&before_, &at_the_end_}) {
      EXPECT_FALSE(haystack->HasAnyOf(one.secrets.mask_key.secret().bytes()));
      EXPECT_FALSE(haystack->HasAnyOf(one.secrets.sealing_key.secret().bytes()));
      for (const std::uint64_t coefficient : one.coefficients) EXPECT_FALSE(haystack->Has(coefficient));
    }
  }
}

TEST_F(SecureTranscript, HoldsSeedsOnlyOfSurvivorsAndOnlyAtTheEnd) {
  for (ParticipantId id = 0; id < kParticipants; ++id) {
    EXPECT_FALSE(before_.HasAnyOf(knowledge_[id].secrets.seed.bytes()));
    EXPECT_EQ(at_the_end_.HasAnyOf(knowledge_[id].secrets.seed.bytes()), id != kVanished);
  }
}

TEST_F(SecureTranscript, HoldsSharesOnlyOfTheRightKindAndOnlyAtTheEnd) {
  for (ParticipantId owner = 0; owner < kParticipants; ++owner) {
    for (ParticipantId holder = 0; holder < kParticipants; ++holder) {
      if (holder == owner) continue;
      const Share& of_seed = ShareFor(knowledge_[owner].seed_shares, owner, holder);
      const Share& of_mask_key = ShareFor(knowledge_[owner].mask_key_shares, owner, holder);
      EXPECT_FALSE(before_.HasAnyOf(of_seed.bytes()));
      EXPECT_FALSE(before_.HasAnyOf(of_mask_key.bytes()));
      EXPECT_EQ(at_the_end_.HasAnyOf(of_seed.bytes()), holder != kVanished && owner != kVanished);
      EXPECT_EQ(at_the_end_.HasAnyOf(of_mask_key.bytes()), owner == kVanished);
    }
  }
}

// The same search where nothing is hidden.
TEST(ClearTranscripts, HoldEverybodysCounts) {
  StudyForTest study(
      {.protocol = Protocol::kClear, .blocks = {{.entries = 4}}, .entry_bound = kPlanted + 1000, .ring_bits = 64});
  study.CountsOf(2, 0)[1] = kPlanted;
  std::vector<Bytes> transcript;
  RunSession(*study.MakeServer(), study.MakeClients(), NobodyVanishes, &transcript);
  Haystack haystack;
  for (const Bytes& message : transcript) haystack.Add(message);
  EXPECT_TRUE(haystack.Has(static_cast<std::uint64_t>(kPlanted)));
}

// Everything that goes wrong is said without private numbers, in any notation.
TEST(ErrorMessages, HoldNoCountsAndNoSecrets) {
  const std::vector<Tampering> tamperings = {
      {.to_client = On<KeyList>([](ParticipantId, KeyList& list) { list.neighbours[0].mask_key[0] ^= 1; })},
      {.to_client = On<Inbox>([](ParticipantId, Inbox& inbox) { inbox.entries[0].box[0] ^= 1; })},
      {.to_client = On<Survivors>([](ParticipantId, Survivors& survivors) { survivors.members[0] = 1; })},
      {.to_client = On<Bundle>([](ParticipantId, Bundle& bundle) { bundle.entries[0].signature[0] ^= 1; })},
      {.to_server = On<Masked>([](ParticipantId, Masked& masked) { masked.packed.pop_back(); })},
      {.to_server = On<Unmask>([](ParticipantId, Unmask& unmask) { unmask.entries[0].kind = ShareKind::kMaskKey; })},
      {.to_server = On<Unmask>([](ParticipantId, Unmask& unmask) {
         unmask.seed.Wipe();
         for (Unmask::Entry& entry : unmask.entries) entry.share.bytes()[0] ^= 1;
       })},
      {}};
  int errors_seen = 0;
  for (const Tampering& tampering : tamperings) {
    StudyForTest study({.blocks = {{.entries = 4}}, .entry_bound = kPlanted, .ring_bits = 64});
    std::fill_n(study.CountsOf(0, 0).begin(), 4, kPlanted + 1);  // beyond the bound: an error by itself
    std::fill_n(study.CountsOf(1, 0).begin(), 4, kPlanted - 1);
    const auto server = study.MakeServer();
    const SessionErrors errors = RunTampered(*server, study.MakeClients(), tampering);
    std::string said(server->outcome().status().message());
    for (const auto* statuses : {&errors.of_client, &errors.of_server}) {
      for (const absl::Status& status : *statuses) {
        errors_seen += status.ok() ? 0 : 1;
        said += std::string(status.message());
      }
    }
    Haystack haystack;
    haystack.Add(AsBytes(said));
    for (ParticipantId id = 0; id < 5; ++id) {
      const auto twin = study.TwinOfRandom(id);
      const SecretsForTest secrets = DrawSecrets(*twin);
      for (const ByteView secret : {ByteView(secrets.seed.bytes()), ByteView(secrets.mask_key.secret().bytes())}) {
        EXPECT_FALSE(haystack.HasAnyOf(secret));
        EXPECT_EQ(said.find(ToHex(secret.first(4))), std::string::npos);
      }
    }
    for (const std::int64_t count : {kPlanted + 1, kPlanted - 1}) {
      EXPECT_EQ(said.find(fmt::format("{}", count)), std::string::npos);
      EXPECT_EQ(said.find(fmt::format("{:x}", count)), std::string::npos);
    }
  }
  EXPECT_GT(errors_seen, 20);
}

}  // namespace
}  // namespace flaim::secagg
