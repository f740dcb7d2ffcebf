#include "secagg/hostile/fault_schedule_testing.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "base/check.h"
#include "secagg/graph/neighbour_graph.h"
#include "secagg/hostile/hostile_testing.h"
#include "secagg/protocol/contribution.h"
#include "secagg/protocol/neighbourhood.h"

namespace flaim::secagg {
namespace {

// Probabilities of an event, in thousandths. Drawn once for each schedule, so that some networks are good.
struct Faults {
  std::uint64_t loss = 0;
  std::uint64_t duplication = 0;
  std::uint64_t replay = 0;  // of something old, in a step
  std::uint64_t crash = 0;   // of somebody, in a step
  std::uint64_t start = 0;   // of somebody who is not there, in a step
  std::uint64_t close_early = 0;
  std::uint64_t resend = 0;
  std::uint64_t give_up = 0;
  std::uint64_t join_late = 0;
};

Faults DrawFaults(SeededRandomSource& random) {
  const auto one_of = [&random](std::vector<std::uint64_t> rates) { return rates[random.NextBelow(rates.size())]; };
  return {.loss = one_of({0, 0, 10, 50, 200}),
          .duplication = one_of({0, 50, 200}),
          .replay = one_of({0, 20, 100}),
          .crash = one_of({0, 0, 5, 30}),
          .start = one_of({0, 50, 200}),
          .close_early = one_of({0, 0, 0, 3, 10}),
          .resend = one_of({0, 50, 200}),
          .give_up = one_of({0, 0, 0, 0, 0, 0, 1}),
          .join_late = one_of({0, 0, 100})};
}

// Looks at everything that is sent.
class Observer {
 public:
  Observer(const StudyForTest& study, const StudyOptions& options) : study_(study), options_(options) {}

  void SeeMessage(ByteView bytes) {
    const Message message = Decode(bytes).value();
    const KeyList* list = std::get_if<KeyList>(&message.body);
    if (list != nullptr && !list_) list_ = *list;
  }

  void SeeAnswer(ParticipantId from, ByteView bytes) {
    const Message message = Decode(bytes).value();
    const auto [place, is_new] = answers_.try_emplace({from, message.body.index()}, bytes.begin(), bytes.end());
    if (!is_new) Violated(fmt::format("participant {} answered a stage twice", from));
    if (options_.protocol == Protocol::kClear) return;
    if (const Masked* masked = std::get_if<Masked>(&message.body)) SeeVector(from, *masked);
    if (const Unmask* unmask = std::get_if<Unmask>(&message.body)) SeeShares(from, *unmask);
  }

  void SeeEnd(const SumServer& server) {
    for (ParticipantId id = 0; static_cast<int>(id) < options_.participants; ++id) {
      if (study_.AskedOf(id) > 1) Violated(fmt::format("counts of participant {} were asked for twice", id));
      CheckSharesOf(id);
    }
    if (!server.outcome().ok()) {
      if (!absl::IsAborted(server.outcome().status())) Violated("an end that is neither sum nor abort");
      return;
    }
    const SumOutcome& outcome = *server.outcome();
    if (static_cast<int>(outcome.contributors.size()) < study_.terms().bounds.LeastSurvivors()) {
      Violated("a sum of too few");
    }
    if (!study_.IsExact(outcome)) Violated("a wrong sum");
  }

  std::vector<std::string> TakeViolations() { return std::move(violations_); }

 private:
  void Violated(const std::string& what) { violations_.push_back(fmt::format("schedule {}: {}", options_.seed, what)); }

  void SeeVector(ParticipantId from, const Masked& masked) {
    SeededRandomSource unused(0);
    const ContributionSource own = [&] { return study_.ContributionOf(from); };
    RingVector hidden(study_.terms().ring_bits, EntriesOf(study_.terms()));
    CHECK(AddContribution(study_.terms(), {}, own, 0, unused, hidden).ok());
    if (hidden.Pack() == masked.packed) Violated(fmt::format("the vector of participant {} is not masked", from));
  }

  void SeeShares(ParticipantId from, const Unmask& unmask) {
    seeds_.insert(from);
    for (const Unmask::Entry& entry : unmask.entries) {
      (entry.kind == ShareKind::kSeed ? seed_shares_ : mask_key_shares_)[entry.of].insert(from);
    }
  }

  // The first participants collude, and hold a share of both kinds of each of their neighbours.
  void CheckSharesOf(ParticipantId id) {
    if (!list_ || static_cast<int>(id) < options_.colluders) return;
    std::set<ParticipantId> for_seed = seed_shares_[id];
    std::set<ParticipantId> for_mask_key = mask_key_shares_[id];
    for (const ParticipantId neighbour : NeighboursOf(id)) {
      if (static_cast<int>(neighbour) >= options_.colluders) continue;
      for_seed.insert(neighbour);
      for_mask_key.insert(neighbour);
    }
    const int participants = static_cast<int>(list_->everyone.size());
    const auto threshold = static_cast<std::size_t>(GraphAmong(study_.terms(), participants).threshold);
    const bool has_seed = seeds_.contains(id) || for_seed.size() >= threshold;
    if (has_seed && for_mask_key.size() >= threshold) {
      Violated(fmt::format("both secrets of participant {} can be had", id));
    }
  }

  std::vector<ParticipantId> NeighboursOf(ParticipantId id) const {
    if (list_->neighbours.empty()) return {};
    const int participants = static_cast<int>(list_->everyone.size());
    const Digest key_list = DigestOf(list_->neighbours.front().offer, *list_);
    const NeighbourGraph graph(participants, GraphAmong(study_.terms(), participants).degree, GraphSeed(key_list));
    for (int rank = 0; rank < participants; ++rank) {
      if (list_->everyone[rank].id != id) continue;
      std::vector<ParticipantId> ids;
      for (const int neighbour : graph.NeighboursOf(rank)) ids.push_back(list_->everyone[neighbour].id);
      return ids;
    }
    return {};
  }

  const StudyForTest& study_;
  const StudyOptions& options_;
  std::optional<KeyList> list_;
  std::map<std::pair<ParticipantId, std::size_t>, Bytes> answers_;  // by sender and kind
  std::set<ParticipantId> seeds_;
  std::map<ParticipantId, std::set<ParticipantId>> seed_shares_;
  std::map<ParticipantId, std::set<ParticipantId>> mask_key_shares_;
  std::vector<std::string> violations_;
};

class Schedule {
 public:
  explicit Schedule(const StudyOptions& options)
      : options_(options),
        study_(options),
        random_(options.seed, "schedule"),
        faults_(DrawFaults(random_)),
        observer_(study_, options_),
        server_(study_.MakeServer()),
        clients_(study_.MakeClients()) {
    for (auto& client : clients_) {
      if (Happens(faults_.join_late)) client.reset();
    }
  }

  ScheduleResult Play() {
    SendStage();
    // Few schedules need a tenth of this; whatever is left then runs into the server's timeouts.
    const int steps_max = 400 * options_.participants;
    for (int step = 0; !server_->IsOver(); ++step) Step(step >= steps_max);
    SendStage();
    while (!network_.empty()) DeliverOne();
    observer_.SeeEnd(*server_);
    ScheduleResult result{
        .has_sum = server_->outcome().ok(), .contributors = 0, .violations = observer_.TakeViolations()};
    if (result.has_sum) result.contributors = static_cast<int>(server_->outcome()->contributors.size());
    return result;
  }

 private:
  struct InFlight {
    ParticipantId participant = 0;
    bool is_to_server = false;
    Bytes bytes;
  };

  bool Happens(std::uint64_t thousandths) { return random_.NextBelow(1000) < thousandths; }
  ParticipantId Anybody() { return static_cast<ParticipantId>(random_.NextBelow(options_.participants)); }

  void Step(bool is_late) {
    if (Happens(faults_.crash)) clients_[Anybody()].reset();
    if (Happens(faults_.start)) Start(Anybody());
    if (Happens(faults_.replay) && !sent_.empty()) network_.push_back(sent_[random_.NextBelow(sent_.size())]);
    if (Happens(faults_.resend)) SendTo(Anybody());
    if (Happens(faults_.give_up)) return server_->GiveUp();
    const bool is_done = server_->IsStageComplete() && Happens(500);
    if (is_late || is_done || network_.empty() || Happens(faults_.close_early)) {
      server_->CloseStage();
      return SendStage();
    }
    DeliverOne();
  }

  void SendStage() {
    for (const ParticipantId id : server_->Recipients()) SendTo(id);
  }

  void SendTo(ParticipantId id) {
    const std::vector<ParticipantId> recipients = server_->Recipients();
    if (!std::binary_search(recipients.begin(), recipients.end(), id)) return;
    const Bytes message = server_->MessageFor(id);
    observer_.SeeMessage(message);
    Send({.participant = id, .is_to_server = false, .bytes = message});
  }

  void Send(const InFlight& message) {
    sent_.push_back(message);
    if (!Happens(faults_.loss)) network_.push_back(message);
    if (Happens(faults_.duplication)) network_.push_back(message);
  }

  void DeliverOne() {
    const std::size_t chosen = random_.NextBelow(network_.size());
    std::swap(network_[chosen], network_.back());
    const InFlight message = std::move(network_.back());
    network_.pop_back();
    if (message.is_to_server) {
      (void)server_->Receive(message.participant, message.bytes);
    } else if (clients_[message.participant] != nullptr) {
      const absl::StatusOr<Bytes> answer = clients_[message.participant]->Receive(message.bytes);
      if (!answer.ok() || answer->empty()) return;
      observer_.SeeAnswer(message.participant, *answer);
      Send({.participant = message.participant, .is_to_server = true, .bytes = *answer});
    }
  }

  // Who is started again has forgotten everything but which sessions it answered, and may get it all once more.
  void Start(ParticipantId id) {
    if (clients_[id] != nullptr) return;
    clients_[id] = study_.MakeClient(id);
    for (const InFlight& message : sent_) {
      if (message.participant == id && !message.is_to_server && Happens(500)) network_.push_back(message);
    }
  }

  const StudyOptions options_;
  StudyForTest study_;
  SeededRandomSource random_;
  const Faults faults_;
  Observer observer_;
  std::unique_ptr<SumServer> server_;
  std::vector<std::unique_ptr<SumClient>> clients_;  // null: has not joined, or crashed
  std::vector<InFlight> network_;
  std::vector<InFlight> sent_;
};

}  // namespace

ScheduleResult PlaySchedule(const StudyOptions& options) { return Schedule(options).Play(); }

StudyOptions StudyOfSchedule(std::uint64_t number, Protocol protocol) {
  SeededRandomSource random(number, "study of schedule");
  StudyOptions options{.protocol = protocol,
                       .blocks = {{.entries = 6}, {.entries = 2}},
                       .entry_bound = 1 + static_cast<std::int64_t>(random.NextBelow(1'000'000)),
                       .cipher = random.NextBelow(2) == 0 ? MaskCipher::kAes128Ctr : MaskCipher::kChaCha20,
                       .seed = number};
  if (random.NextBelow(20) == 0) {
    options.is_circle = true;
    options.participants = 8 + static_cast<int>(random.NextBelow(5));
    options.colluders = static_cast<int>(random.NextBelow(2));
    return options;
  }
  const bool is_small = random.NextBelow(10) > 0;
  options.participants =
      is_small ? 2 + static_cast<int>(random.NextBelow(4)) : 6 + static_cast<int>(random.NextBelow(7));
  do {
    options.dropouts = static_cast<int>(random.NextBelow(options.participants));
    options.colluders = static_cast<int>(random.NextBelow(std::min(options.participants, 3)));
  } while (options.participants - options.dropouts - options.colluders < 2 ||
           !ChooseGraph({options.participants, options.dropouts, options.colluders}).ok());
  return options;
}

ScheduleCounts PlaySchedules(std::uint64_t first, int count, Protocol protocol) {
  std::vector<ScheduleResult> results(count);
  std::vector<int> participants(count);
  Parallel parallel(Parallel::HardwareThreads());
  parallel.For(count, [&](std::size_t i, int) {
    const StudyOptions options = StudyOfSchedule(first + i, protocol);
    participants[i] = options.participants;
    results[i] = PlaySchedule(options);
  });
  ScheduleCounts counts;
  for (int i = 0; i < count; ++i) {
    const ScheduleResult& result = results[i];
    ++(result.has_sum ? counts.sums : counts.aborts);
    if (result.has_sum && result.contributors < participants[i]) ++counts.sums_of_some;
    counts.violations.insert(counts.violations.end(), result.violations.begin(), result.violations.end());
  }
  return counts;
}

}  // namespace flaim::secagg
