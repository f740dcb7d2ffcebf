#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "secagg/hostile/hostile_testing.h"

// For tests only: a server that tells different participants different stories about who survived, with the help of
// participants who work for it.

namespace flaim::secagg {

// Honest participants are the library's own clients; the first `colluders` follow the protocol
// until their vectors are in, then sign whatever the server likes and hand it all the shares that they hold.
class LyingServer {
 public:
  using Story = std::vector<bool>;  // who survived

  // Whether the server passes a box on.
  using Delivers = std::function<bool(ParticipantId from, ParticipantId to)>;

  // Runs the session until all masked vectors are in.
  LyingServer(const StudyOptions& options, int colluders, const Delivers& delivers);
  LyingServer(const StudyOptions& options, int colluders);

  // Tells every honest participant its story.
  void Tell(const std::function<Story(ParticipantId)>& story_of);
  // Shows every honest participant who confirmed all the confirmations of its story, or of all stories.
  void ShowConfirmations(bool of_all_stories = false);

  int masked() const { return masked_; }
  int confirmed() const { return static_cast<int>(told_.size()); }
  int unmasked() const { return static_cast<int>(unmasked_.size()); }
  // Why it gave no answer; OK if it did.
  const absl::Status& ErrorOf(ParticipantId id) const { return errors_[id]; }

  // Of everything that the server and its helpers hold: how many shares are missing to know the seed and the mask key
  // of `id`. 0: its vector can be unmasked.
  int MissingForBothKindsOf(ParticipantId id) const;

  // How many different stories those who unmasked had been told.
  std::size_t StoriesUnmasked() const;
  // In a graph of degree 4: the participants as they stand on the circle.
  std::vector<int> Circle() const;

  Story Everybody() const { return Story(participants_, true); }
  Story AllBut(ParticipantId id) const;

 private:
  bool IsHonest(ParticipantId id) const { return static_cast<int>(id) >= colluders_; }
  Bundle BundleFor(ParticipantId id, bool of_all_stories) const;

  StudyForTest study_;
  int participants_;
  int colluders_;
  int masked_ = 0;
  SessionId session_;
  Digest key_list_{};
  std::vector<std::unique_ptr<SumClient>> clients_;
  std::vector<absl::Status> errors_;
  std::map<ParticipantId, Story> told_;  // only who confirmed it
  std::map<ParticipantId, Signature> confirmations_;
  std::set<ParticipantId> unmasked_;
  std::vector<int> seed_shares_;
  std::vector<int> mask_key_shares_;
};

}  // namespace flaim::secagg
