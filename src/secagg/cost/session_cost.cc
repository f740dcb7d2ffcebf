#include "secagg/cost/session_cost.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/secure_random_source.h"
#include "base/status.h"
#include "secagg/cost/made_up_counts.h"
#include "secagg/cost/stopwatch.h"
#include "secagg/kernels/packing.h"
#include "secagg/protocol/clear_sum.h"
#include "secagg/protocol/secure_client.h"
#include "secagg/protocol/secure_server.h"

namespace flaim::secagg {
namespace {

constexpr std::int64_t kEntryBound = 100;
constexpr double kNoiseReach = 8;
constexpr int kNoiseTrials = 5;
constexpr std::size_t kMostStages = 6;

// Counts from 0 to 15 that depend on the participant and the entry: cheap to make, no use to anybody.
std::vector<std::int64_t> MakeCounts(ParticipantId id, std::uint32_t entries) {
  std::vector<std::int64_t> counts(entries);
  std::uint64_t state = (id + 1) * std::uint64_t{0x9E3779B97F4A7C15};
  for (std::int64_t& count : counts) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    count = static_cast<std::int64_t>(state >> 60);
  }
  return counts;
}

bool Vanishes(ParticipantId id, const SessionSetting& setting) {
  const auto before = [&](std::int64_t ids) { return ids * setting.vanishing / setting.bounds.invited; };
  return before(std::int64_t{id} + 1) > before(id);
}

template <typename Value>
Value Median(std::vector<Value> values) {
  CHECK(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Party {
  explicit Party(RandomSource& random) : key(SigningKey::Generate(random)) {}

  double Seconds() const { return std::accumulate(stage_seconds.begin(), stage_seconds.end(), 0.0); }

  SigningKey key;
  AnsweredSessionsInMemory answered;
  std::unique_ptr<SumClient> client;
  std::array<double, kMostStages> stage_seconds{};
  std::uint64_t upload_bytes = 0;
  std::uint64_t download_bytes = 0;
};

// The participants that are run one after another: all that they share is used by one at a time.
struct Lane {
  SecureRandomSource random;
  std::vector<std::int64_t> exact_sum;
  double counting_seconds = 0;
  absl::Status status;
};

class Session {
 public:
  Session(const SessionSetting& setting, Parallel& parallel, const SessionWatch& watch)
      : setting_(setting), parallel_(parallel), watch_(watch), lanes_(parallel.threads()) {}

  absl::StatusOr<SessionCost> Run() {
    RETURN_IF_ERROR(SetUp());
    const auto start = std::chrono::steady_clock::now();
    while (!server_->IsOver()) {
      RETURN_IF_ERROR(RunStage());
      const bool is_last = rounds_ == LastRound();
      Stopwatch stopwatch(CLOCK_PROCESS_CPUTIME_ID, is_last ? server_seconds_.unmasking : server_seconds_.rest);
      server_->CloseStage();
    }
    const int rounds = rounds_;
    RETURN_IF_ERROR(RunStage());  // everybody is told
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
    RETURN_IF_ERROR(server_->outcome().status());
    SessionCost cost;
    cost.terms = terms_;
    cost.rounds = rounds;
    cost.wall_seconds = wall.count();
    RETURN_IF_ERROR(CheckSum(cost));
    Summarise(cost);
    return cost;
  }

 private:
  // Of the stages, counted from 0, the one in which vectors are sent, and how many there are.
  int VectorStage() const { return setting_.kind == SumKind::kSecure ? 2 : 1; }
  int LastRound() const { return setting_.kind == SumKind::kSecure ? 5 : 2; }

  absl::Status SetUp() {
    ASSIGN_OR_RETURN(terms_, TermsOf(setting_));
    server_key_.emplace(SigningKey::Generate(lanes_[0].random));
    std::vector<VerifyingKey> verifying_keys;
    parties_.reserve(static_cast<std::size_t>(setting_.bounds.invited));
    for (int i = 0; i < setting_.bounds.invited; ++i) {
      verifying_keys.push_back(parties_.emplace_back(lanes_[0].random).key.verifying_key());
    }
    ASSIGN_OR_RETURN(roster_, Roster::Make(server_key_->verifying_key(), std::move(verifying_keys)));
    terms_.roster = roster_->digest();
    for (Lane& lane : lanes_) lane.exact_sum.resize(setting_.entries);
    for (std::size_t i = 0; i < parties_.size(); ++i) {
      ASSIGN_OR_RETURN(parties_[i].client, MakeClient(static_cast<ParticipantId>(i)));
    }
    ASSIGN_OR_RETURN(server_, MakeServer());
    noise_seconds_ = MeasureNoise();
    return absl::OkStatus();
  }

  Lane& LaneOf(ParticipantId id) { return lanes_[id % lanes_.size()]; }

  absl::StatusOr<std::unique_ptr<SumClient>> MakeClient(ParticipantId id) {
    Lane& lane = LaneOf(id);
    Participation participation{.roster = *roster_,
                                .self = id,
                                .signing_key = parties_[id].key,
                                .agreed = terms_,
                                .contribution = [this, id, &lane] { return Count(id, lane); }};
    const Surroundings surroundings{.answered = parties_[id].answered, .clock = clock_, .random = lane.random};
    return setting_.kind == SumKind::kSecure ? MakeSecureClient(std::move(participation), surroundings)
                                             : MakeClearClient(std::move(participation), surroundings);
  }

  absl::StatusOr<std::unique_ptr<SumServer>> MakeServer() {
    SessionId id;
    lanes_[0].random.Fill(std::as_writable_bytes(std::span(id)));
    std::vector<ParticipantId> invited(parties_.size());
    std::iota(invited.begin(), invited.end(), ParticipantId{0});
    const auto deadline = (clock_.Now() + std::chrono::hours(24 * 365)).time_since_epoch();
    Invitation invitation{.roster = *roster_,
                          .signing_key = *server_key_,
                          .session = id,
                          .deadline_unix_ms = std::chrono::duration_cast<std::chrono::milliseconds>(deadline).count(),
                          .terms = terms_,
                          .invited = std::move(invited)};
    return setting_.kind == SumKind::kSecure ? MakeSecureServer(std::move(invitation), parallel_)
                                             : MakeClearServer(std::move(invitation));
  }

  // A client asks for its counts in the middle of its work; the time is taken off again.
  PaidCounts Count(ParticipantId id, Lane& lane) {
    Stopwatch stopwatch(CLOCK_THREAD_CPUTIME_ID, lane.counting_seconds);
    std::vector<std::int64_t> counts = MakeCounts(id, setting_.entries);
    for (std::size_t i = 0; i < counts.size(); ++i) lane.exact_sum[i] += counts[i];
    std::vector<std::vector<std::int64_t>> blocks;
    blocks.push_back(std::move(counts));
    return MadeUpCounts(std::move(blocks));
  }

  // A client's noise by itself, since it cannot be told apart inside its answer.
  double MeasureNoise() {
    const NoisePlan plan = NoiseOf(terms_, 0);
    if (!plan.HasNoise()) return 0;
    std::vector<double> trials(kNoiseTrials);
    for (double& trial : trials) {
      std::vector<std::int64_t> counts = MakeCounts(0, setting_.entries);
      Stopwatch stopwatch(CLOCK_THREAD_CPUTIME_ID, trial);
      plan.AddShare(lanes_[0].random, counts);
    }
    return Median(std::move(trials));
  }

  absl::Status RunStage() {
    std::vector<std::vector<ParticipantId>> queues(lanes_.size());
    std::uint64_t expected = 0;
    for (const ParticipantId id : server_->Recipients()) {
      if (rounds_ == VectorStage() && Vanishes(id, setting_)) continue;
      queues[id % lanes_.size()].push_back(id);
      ++expected;
    }
    const std::string step =
        fmt::format("{} clients x {}, message {}: client", setting_.bounds.invited, setting_.entries, rounds_ + 1);
    std::atomic<std::uint64_t> done = 0;
    parallel_.For(lanes_.size(), [&](std::size_t lane, int) {
      for (const ParticipantId id : queues[lane]) {
        lanes_[lane].status = watch_.may_go_on();
        if (lanes_[lane].status.ok()) lanes_[lane].status = Exchange(id, lanes_[lane]);
        if (!lanes_[lane].status.ok()) return;
        watch_.progress.Report({.step = step, .done = ++done, .total = expected, .detail = ""});
      }
    });
    for (const Lane& lane : lanes_) RETURN_IF_ERROR(lane.status);
    ++rounds_;
    return absl::OkStatus();
  }

  // One message to a client, and its answer.
  absl::Status Exchange(ParticipantId id, Lane& lane) {
    Party& party = parties_[id];
    const Bytes message = MessageFor(id);
    party.download_bytes += message.size();
    double& seconds = party.stage_seconds[static_cast<std::size_t>(rounds_)];
    lane.counting_seconds = 0;
    absl::StatusOr<Bytes> answer;
    {
      Stopwatch stopwatch(CLOCK_THREAD_CPUTIME_ID, seconds);
      answer = party.client->Receive(message);
    }
    seconds -= lane.counting_seconds;
    RETURN_IF_ERROR(answer.status());
    if (answer->empty()) return absl::OkStatus();
    party.upload_bytes += answer->size();
    return Deliver(id, *answer);
  }

  Bytes MessageFor(ParticipantId id) {
    const std::lock_guard lock(server_mutex_);
    Stopwatch stopwatch(CLOCK_THREAD_CPUTIME_ID, server_seconds_.rest);
    return server_->MessageFor(id);
  }

  absl::Status Deliver(ParticipantId from, const Bytes& answer) {
    const std::lock_guard lock(server_mutex_);
    const bool is_vector = rounds_ == VectorStage();
    Stopwatch stopwatch(CLOCK_THREAD_CPUTIME_ID, is_vector ? server_seconds_.receiving : server_seconds_.rest);
    return server_->Receive(from, answer);
  }

  absl::Status CheckSum(SessionCost& cost) const {
    const SumOutcome& outcome = *server_->outcome();
    const BlockSum& sum = outcome.blocks.at(0);
    cost.contributors = static_cast<int>(outcome.contributors.size());
    cost.noise_sigma_expected = std::sqrt(sum.noise_variance);
    const double largest = sum.noise_variance == 0 ? 0 : kNoiseReach * cost.noise_sigma_expected + 0.5;
    double squares = 0;
    bool is_right = cost.contributors == setting_.bounds.invited - setting_.vanishing;
    for (std::size_t i = 0; i < sum.counts.size(); ++i) {
      std::int64_t exact = 0;
      for (const Lane& lane : lanes_) exact += lane.exact_sum[i];
      const auto difference = static_cast<double>(sum.counts[i] - exact);
      is_right = is_right && std::abs(difference) <= largest;
      squares += difference * difference;
    }
    cost.noise_sigma = std::sqrt(squares / static_cast<double>(sum.counts.size()));
    if (!is_right) return absl::InternalError("the session gave a sum that is not the sum of what was contributed");
    return absl::OkStatus();
  }

  void Summarise(SessionCost& cost) const {
    std::vector<const Party*> contributors;
    std::vector<std::uint64_t> uploads;
    std::vector<std::uint64_t> downloads;
    for (const ParticipantId id : server_->outcome()->contributors) {
      contributors.push_back(&parties_[id]);
      uploads.push_back(parties_[id].upload_bytes);
      downloads.push_back(parties_[id].download_bytes);
    }
    std::sort(contributors.begin(), contributors.end(),
              [](const Party* a, const Party* b) { return a->Seconds() < b->Seconds(); });
    cost.client = SplitUp(*contributors[(contributors.size() - 1) / 2]);
    cost.client_seconds_max = contributors.back()->Seconds();
    cost.server = server_seconds_;
    cost.vector_bytes = PackedBytes(setting_.entries, terms_.ring_bits);
    cost.upload_bytes = Median(std::move(uploads));
    cost.download_bytes = Median(std::move(downloads));
  }

  ClientSeconds SplitUp(const Party& party) const {
    ClientSeconds split;
    for (int stage = 0; stage < static_cast<int>(kMostStages); ++stage) {
      const double seconds = party.stage_seconds[static_cast<std::size_t>(stage)];
      if (stage < VectorStage()) split.keys += seconds;
      if (stage > VectorStage()) split.confirming += seconds;
      if (stage == VectorStage()) {
        split.noise = std::min(noise_seconds_, seconds);
        split.masking = seconds - split.noise;
      }
    }
    return split;
  }

  const SessionSetting setting_;
  Parallel& parallel_;
  const SessionWatch& watch_;
  const SystemClock clock_;
  SessionTerms terms_;
  std::vector<Lane> lanes_;
  std::optional<SigningKey> server_key_;
  std::optional<Roster> roster_;
  std::vector<Party> parties_;
  std::unique_ptr<SumServer> server_;
  std::mutex server_mutex_;  // a server is one machine: one message at a time
  ServerSeconds server_seconds_;
  double noise_seconds_ = 0;
  int rounds_ = 0;  // that are over
};

}  // namespace

absl::StatusOr<SessionTerms> TermsOf(const SessionSetting& setting) {
  if (setting.vanishing < 0 || setting.vanishing > setting.bounds.dropouts) {
    return InvalidArgument("{} are to vanish, and {} may", setting.vanishing, setting.bounds.dropouts);
  }
  SessionTerms terms;
  terms.blocks = {{.entries = setting.entries, .sigma_squared = setting.sigma_squared}};
  terms.entry_bound = kEntryBound;
  terms.bounds = setting.bounds;
  terms.cipher = setting.cipher;
  ASSIGN_OR_RETURN(terms.graph, ChooseGraph(setting.bounds));
  ASSIGN_OR_RETURN(terms.committee, ChooseCommittee(setting.bounds));
  terms.ring_bits = setting.ring_bits;
  if (terms.ring_bits == 0) {
    ASSIGN_OR_RETURN(terms.ring_bits, LeastRingBits(terms));
  }
  RETURN_IF_ERROR(ValidateTerms(terms));
  return terms;
}

absl::StatusOr<SessionCost> MeasureSession(const SessionSetting& setting, Parallel& parallel,
                                           const SessionWatch& watch) {
  return Session(setting, parallel, watch).Run();
}

}  // namespace flaim::secagg
