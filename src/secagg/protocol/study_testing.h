#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/seeded_random_source.h"
#include "secagg/protocol/invitation.h"
#include "secagg/protocol/participation.h"
#include "secagg/protocol/sum_protocol.h"

// For tests only: a study with participants whose counts are known to the test, and ways to run its sessions.

namespace flaim::secagg {

enum class Protocol { kSecure, kClear };

struct StudyOptions {
  Protocol protocol = Protocol::kSecure;
  int participants = 5;
  int dropouts = 1;
  int colluders = 0;
  int committee = 0;
  bool is_circle = false;                               // the sparse graph, however few take part
  std::optional<GraphParameters> graph = std::nullopt;  // this one, instead of what is chosen
  std::vector<Block> blocks = {{.entries = 7}, {.entries = 3}, {.entries = 4}};
  std::int64_t entry_bound = 1000;
  int ring_bits = 0;  // as few as will do
  MaskCipher cipher = MaskCipher::kAes128Ctr;
  int least_participants = 2;
  double security_bits = 40;  // of a circle, asked for and insisted on
  std::uint64_t seed = 1;
};

// Everything is drawn from the seed: keys, counts.
class StudyForTest {
 public:
  explicit StudyForTest(const StudyOptions& options);

  const SessionTerms& terms() const { return terms_; }
  const Roster& roster() const { return *roster_; }
  const SigningKey& server_key() const { return server_key_; }
  const SigningKey& KeyOf(ParticipantId id) const { return keys_[id]; }
  ManualClock& clock() { return clock_; }
  AnsweredSessions& AnsweredBy(ParticipantId id) { return answered_[id]; }
  // How often a participant's contribution was asked for.
  int AskedOf(ParticipantId id) const { return asked_[id]; }
  const std::vector<std::int64_t>& CountsOf(ParticipantId id, BlockIndex block) const { return counts_[id][block]; }
  std::vector<std::int64_t>& CountsOf(ParticipantId id, BlockIndex block) { return counts_[id][block]; }

  // What it adds to a sum: its counts in all blocks.
  Contribution ContributionOf(ParticipantId id) const;

  // What a participant brings; tests may change it.
  Participation ParticipationOf(ParticipantId id);
  Surroundings SurroundingsOf(ParticipantId id);
  Invitation InvitationTo(std::uint64_t session_number = 1);
  Parallel& parallel() { return parallel_; }

  // A source that gives what the participant's own gave from the beginning: whoever draws from it in the same order
  // knows all its secrets.
  std::unique_ptr<RandomSource> TwinOfRandom(ParticipantId id) const;

  std::unique_ptr<SumClient> MakeClient(ParticipantId id);
  std::vector<std::unique_ptr<SumClient>> MakeClients();
  std::unique_ptr<SumServer> MakeServer(std::uint64_t session_number = 1);

  // Without noise: the sum of these participants' counts in a block.
  std::vector<std::int64_t> ExactSum(const std::vector<ParticipantId>& contributors, BlockIndex block) const;
  // Whether the outcome is, in every block, the exact sum of those whom it names.
  bool IsExact(const SumOutcome& outcome) const;

 private:
  StudyOptions options_;
  SeededRandomSource random_;
  Parallel parallel_{1};
  ManualClock clock_;
  SigningKey server_key_;
  std::vector<SigningKey> keys_;
  std::unique_ptr<Roster> roster_;
  SessionTerms terms_;
  std::vector<std::vector<std::vector<std::int64_t>>> counts_;  // by participant and block
  std::vector<AnsweredSessionsInMemory> answered_;
  std::vector<std::unique_ptr<SeededRandomSource>> randoms_;
  std::vector<int> asked_;  // by participant
};

// Whether an answer of `id` in the stage (0: to the offer) gets lost, and with it everything `id` does afterwards.
using VanishesAt = std::function<bool(ParticipantId id, int stage)>;
inline bool NobodyVanishes(ParticipantId, int) { return false; }

// Carries every message to everybody at once and in order, until the session is over. Everything that was sent is
// appended to `transcript`, if given.
void RunSession(SumServer& server, const std::vector<std::unique_ptr<SumClient>>& clients,
                const VanishesAt& vanishes = NobodyVanishes, std::vector<Bytes>* transcript = nullptr);

}  // namespace flaim::secagg
