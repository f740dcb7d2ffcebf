#include "secagg/protocol/study_testing.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"
#include "secagg/cost/made_up_counts.h"
#include "secagg/protocol/clear_sum.h"
#include "secagg/protocol/secure_client.h"
#include "secagg/protocol/secure_server.h"

namespace flaim::secagg {
namespace {

GraphParameters GraphOf(const StudyOptions& options, const ParticipantBounds& bounds) {
  if (options.graph) return *options.graph;
  const FailureBits bits{.security = options.security_bits};
  absl::StatusOr<GraphParameters> graph = options.is_circle ? ChooseCircle(bounds, bits) : ChooseGraph(bounds, bits);
  CHECK(graph.ok(), "{}", std::string(graph.status().message()));
  return *graph;
}

std::string RandomLabel(ParticipantId id) { return fmt::format("participant {}", id); }

}  // namespace

StudyForTest::StudyForTest(const StudyOptions& options)
    : options_(options),
      random_(options.seed, "study"),
      clock_(std::chrono::system_clock::time_point(std::chrono::hours(24 * 365 * 50))),
      server_key_(SigningKey::Generate(random_)),
      answered_(options.participants),
      asked_(options.participants) {
  std::vector<VerifyingKey> verifying_keys;
  for (int i = 0; i < options.participants; ++i) {
    keys_.push_back(SigningKey::Generate(random_));
    verifying_keys.push_back(keys_.back().verifying_key());
    randoms_.push_back(std::make_unique<SeededRandomSource>(options.seed, RandomLabel(static_cast<ParticipantId>(i))));
    counts_.emplace_back();
    for (BlockIndex block = 0; block < options.blocks.size(); ++block) {
      std::vector<std::int64_t>& counts = counts_.back().emplace_back();
      for (std::uint32_t entry = 0; entry < options.blocks[block].entries; ++entry) {
        const auto width = static_cast<std::uint64_t>(2 * options.entry_bound + 1);
        counts.push_back(static_cast<std::int64_t>(random_.NextBelow(width)) - options.entry_bound);
      }
    }
  }
  absl::StatusOr<Roster> roster = Roster::Make(server_key_.verifying_key(), std::move(verifying_keys));
  CHECK(roster.ok());
  roster_ = std::make_unique<Roster>(*std::move(roster));
  terms_.roster = roster_->digest();
  terms_.model.fill(0x11);
  terms_.workload.fill(0x22);
  terms_.blocks = options.blocks;
  terms_.entry_bound = options.entry_bound;
  terms_.bounds = {.invited = options.participants, .dropouts = options.dropouts, .colluders = options.colluders};
  terms_.graph = GraphOf(options, terms_.bounds);
  terms_.cipher = options.cipher;
  terms_.committee = options.committee;
  const absl::StatusOr<int> least_bits = LeastRingBits(terms_);
  CHECK(least_bits.ok(), "{}", std::string(least_bits.status().message()));
  terms_.ring_bits = options.ring_bits > 0 ? options.ring_bits : *least_bits;
}

Contribution StudyForTest::ContributionOf(ParticipantId id) const { return MadeUpCounts(counts_[id]); }

std::unique_ptr<RandomSource> StudyForTest::TwinOfRandom(ParticipantId id) const {
  return std::make_unique<SeededRandomSource>(options_.seed, RandomLabel(id));
}

Participation StudyForTest::ParticipationOf(ParticipantId id) {
  return {.roster = *roster_,
          .self = id,
          .signing_key = keys_[id],
          .agreed = terms_,
          .contribution =
              [this, id] {
                ++asked_[id];
                return ContributionOf(id);
              },
          .least_participants = options_.least_participants,
          .security_bits = options_.security_bits};
}

Surroundings StudyForTest::SurroundingsOf(ParticipantId id) {
  return {.answered = answered_[id], .clock = clock_, .random = *randoms_[id]};
}

Invitation StudyForTest::InvitationTo(std::uint64_t session_number) {
  std::vector<ParticipantId> invited;
  for (int i = 0; i < options_.participants; ++i) invited.push_back(static_cast<ParticipantId>(i));
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now().time_since_epoch());
  return {.roster = *roster_,
          .signing_key = server_key_,
          .session = Transcript("session for test").Add(session_number).Finish(),
          .deadline_unix_ms = now.count() + 60'000,
          .terms = terms_,
          .invited = std::move(invited)};
}

std::unique_ptr<SumClient> StudyForTest::MakeClient(ParticipantId id) {
  auto client = options_.protocol == Protocol::kSecure ? MakeSecureClient(ParticipationOf(id), SurroundingsOf(id))
                                                       : MakeClearClient(ParticipationOf(id), SurroundingsOf(id));
  CHECK(client.ok(), "{}", std::string(client.status().message()));
  return *std::move(client);
}

std::vector<std::unique_ptr<SumClient>> StudyForTest::MakeClients() {
  std::vector<std::unique_ptr<SumClient>> clients;
  for (int i = 0; i < options_.participants; ++i) clients.push_back(MakeClient(static_cast<ParticipantId>(i)));
  return clients;
}

std::unique_ptr<SumServer> StudyForTest::MakeServer(std::uint64_t session_number) {
  auto server = options_.protocol == Protocol::kSecure ? MakeSecureServer(InvitationTo(session_number), parallel_)
                                                       : MakeClearServer(InvitationTo(session_number));
  CHECK(server.ok(), "{}", std::string(server.status().message()));
  return *std::move(server);
}

std::vector<std::int64_t> StudyForTest::ExactSum(const std::vector<ParticipantId>& contributors,
                                                 BlockIndex block) const {
  std::vector<std::int64_t> sum(terms_.blocks[block].entries);
  for (const ParticipantId id : contributors) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += counts_[id][block][i];
  }
  return sum;
}

bool StudyForTest::IsExact(const SumOutcome& outcome) const {
  if (outcome.blocks.size() != terms_.blocks.size()) return false;
  for (BlockIndex block = 0; block < terms_.blocks.size(); ++block) {
    if (outcome.blocks[block].counts != ExactSum(outcome.contributors, block)) return false;
  }
  return true;
}

void RunSession(SumServer& server, const std::vector<std::unique_ptr<SumClient>>& clients, const VanishesAt& vanishes,
                std::vector<Bytes>* transcript) {
  std::set<ParticipantId> vanished;
  for (int stage = 0; !server.IsOver(); ++stage) {
    for (const ParticipantId id : server.Recipients()) {
      if (vanished.contains(id)) continue;
      const Bytes message = server.MessageFor(id);
      if (transcript != nullptr) transcript->push_back(message);
      const absl::StatusOr<Bytes> answer = clients[id]->Receive(message);
      if (vanishes(id, stage)) {
        vanished.insert(id);
      } else if (answer.ok() && !answer->empty()) {
        if (transcript != nullptr) transcript->push_back(*answer);
        (void)server.Receive(id, *answer);
      }
    }
    server.CloseStage();
  }
}

}  // namespace flaim::secagg
