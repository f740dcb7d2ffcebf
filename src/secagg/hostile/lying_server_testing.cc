#include "secagg/hostile/lying_server_testing.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "secagg/graph/neighbour_graph.h"
#include "secagg/messages/members.h"
#include "secagg/protocol/neighbourhood.h"

namespace flaim::secagg {

LyingServer::LyingServer(const StudyOptions& options, int colluders)
    : LyingServer(options, colluders, [](ParticipantId, ParticipantId) { return true; }) {}

LyingServer::LyingServer(const StudyOptions& options, int colluders, const Delivers& delivers)
    : study_(options),
      participants_(options.participants),
      colluders_(colluders),
      session_(study_.InvitationTo().session),
      clients_(study_.MakeClients()),
      errors_(options.participants),
      seed_shares_(options.participants, colluders),
      mask_key_shares_(options.participants, colluders) {
  const auto server = study_.MakeServer();
  RunUpTo(1, *server, clients_);
  const KeyList list = BodyOf<KeyList>(server->MessageFor(0));
  key_list_ = DigestOf(list.neighbours.front().offer, list);
  for (const ParticipantId id : server->Recipients()) {
    CHECK(server->Receive(id, clients_[id]->Receive(server->MessageFor(id)).value()).ok());
  }
  server->CloseStage();
  for (const ParticipantId id : server->Recipients()) {
    Inbox inbox = BodyOf<Inbox>(server->MessageFor(id));
    std::erase_if(inbox.entries, [&](const Inbox::Entry& entry) { return IsHonest(id) && !delivers(entry.from, id); });
    errors_[id] = clients_[id]->Receive(Encode(session_, inbox)).status();
    if (errors_[id].ok()) ++masked_;
  }
}

LyingServer::Story LyingServer::AllBut(ParticipantId id) const {
  Story story = Everybody();
  story[id] = false;
  return story;
}

void LyingServer::Tell(const std::function<Story(ParticipantId)>& story_of) {
  for (ParticipantId id = colluders_; id < clients_.size(); ++id) {
    if (!errors_[id].ok()) continue;
    const Story story = story_of(id);
    const absl::StatusOr<Bytes> answer =
        clients_[id]->Receive(Encode(session_, Survivors{.members = PackMembers(story)}));
    errors_[id] = answer.status();
    if (!answer.ok()) continue;
    told_[id] = story;
    confirmations_[id] = BodyOf<Confirm>(*answer).signature;
  }
}

Bundle LyingServer::BundleFor(ParticipantId id, bool of_all_stories) const {
  const Story& story = told_.at(id);
  Bundle bundle;
  for (ParticipantId from = 0; from < clients_.size(); ++from) {
    if (from == id || !story[from]) continue;
    if (!IsHonest(from)) {
      const Digest digest = DigestOfSurvivors(key_list_, PackMembers(story));
      bundle.entries.push_back({.from = from, .signature = study_.KeyOf(from).Sign(digest)});
    } else if (told_.contains(from) && (of_all_stories || told_.at(from) == story)) {
      bundle.entries.push_back({.from = from, .signature = confirmations_.at(from)});
    }
  }
  return bundle;
}

void LyingServer::ShowConfirmations(bool of_all_stories) {
  for (const auto& [id, story] : told_) {
    const absl::StatusOr<Bytes> answer = clients_[id]->Receive(Encode(session_, BundleFor(id, of_all_stories)));
    errors_[id] = answer.status();
    if (!answer.ok()) continue;
    unmasked_.insert(id);
    for (const Unmask::Entry& entry : BodyOf<Unmask>(*answer).entries) {
      ++(entry.kind == ShareKind::kSeed ? seed_shares_ : mask_key_shares_)[entry.of];
    }
  }
}

std::size_t LyingServer::StoriesUnmasked() const {
  std::set<Story> stories;
  for (const ParticipantId id : unmasked_) stories.insert(told_.at(id));
  return stories.size();
}

// Next to each other are those who have two neighbours in common, one between them and one further on.
std::vector<int> LyingServer::Circle() const {
  const NeighbourGraph graph(participants_, 4, GraphSeed(key_list_));
  const auto in_common = [&graph](int one, int other) {
    const std::vector<int> ones = graph.NeighboursOf(one);
    const std::vector<int> others = graph.NeighboursOf(other);
    return std::count_if(ones.begin(), ones.end(),
                         [&others](int id) { return std::binary_search(others.begin(), others.end(), id); });
  };
  std::vector<int> order = {0};
  while (static_cast<int>(order.size()) < participants_) {
    for (const int next : graph.NeighboursOf(order.back())) {
      const bool is_new = std::find(order.begin(), order.end(), next) == order.end();
      if (!is_new || in_common(order.back(), next) != 2) continue;
      order.push_back(next);
      break;
    }
  }
  return order;
}

int LyingServer::MissingForBothKindsOf(ParticipantId id) const {
  const int threshold = study_.terms().graph.threshold;
  const int seed_missing = unmasked_.contains(id) ? 0 : std::max(0, threshold - seed_shares_[id]);
  return seed_missing + std::max(0, threshold - mask_key_shares_[id]);
}

}  // namespace flaim::secagg
