#pragma once

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "base/parallel.h"
#include "secagg/messages/messages.h"
#include "secagg/messages/terms.h"
#include "secagg/protocol/ring_vector.h"

namespace flaim::secagg {

// What a server knows of a session once the masked vectors are in. All lists are by rank in the key list.
struct SessionRecord {
  Digest key_list{};
  MaskCipher cipher = MaskCipher::kAes128Ctr;
  int threshold = 0;
  std::vector<ParticipantId> ids;
  std::vector<Advertise> advertisements;
  std::vector<std::vector<int>> neighbours;
  std::vector<bool> shared;    // sent shares: its neighbours' vectors have masks in common with it
  std::vector<bool> survived;  // its vector is in the sum

  // REQUIRES: `id` is in the key list.
  int RankOf(ParticipantId id) const;
};

// Takes the masks out of a sum: a survivor's own mask, by its seed; and what survivors have in common with those who
// vanished after sending shares, by the vanished one's mask key. Seeds come from their owners, or like mask keys from
// the neighbours' shares.
class MaskRemoval {
 public:
  explicit MaskRemoval(const SessionRecord& record);

  // Takes what the participant at `rank` gives back. InvalidArgument if it is not exactly what it should give: of each
  // neighbour that sent shares one share, of the kind that its survival decides.
  absl::Status Add(int rank, Unmask unmask);

  // Why it cannot be done, if a secret cannot be recovered; then `sum` is still masked.
  std::optional<AbortReason> Remove(RingVector& sum, Parallel& parallel) const;

 private:
  struct Held {
    SharePoint point = 0;
    Share share;
  };

  bool IsNeeded(int rank) const;
  // The seed or mask key of `rank`, whichever its survival decides.
  std::optional<AbortReason> Recover(int rank, Secret32& secret) const;
  bool IsGenuine(int rank, const Secret32& secret) const;

  const SessionRecord& record_;
  std::vector<std::optional<Secret32>> seeds_;  // from their owners
  std::vector<std::vector<Held>> shares_;       // of whom
};

}  // namespace flaim::secagg
