#include "secagg/messages/roster.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/status.h"

namespace flaim::secagg {

Roster::Roster(const VerifyingKey& server, std::vector<VerifyingKey> participants)
    : server_(server), participants_(std::move(participants)) {
  Transcript transcript("flaim roster");
  transcript.Add(server_).Add(participants_.size());
  for (const VerifyingKey& key : participants_) transcript.Add(key);
  digest_ = transcript.Finish();
}

absl::StatusOr<Roster> Roster::Make(const VerifyingKey& server, std::vector<VerifyingKey> participants) {
  std::vector<VerifyingKey> keys = participants;
  keys.push_back(server);
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) {
    return InvalidArgument("two members of the roster have the same key; each needs one of its own");
  }
  return Roster(server, std::move(participants));
}

const VerifyingKey& Roster::KeyOf(ParticipantId id) const {
  CHECK(Has(id), "participant {} of {}", id, size());
  return participants_[id];
}

}  // namespace flaim::secagg
