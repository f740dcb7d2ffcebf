#include "secagg/protocol/confirmations.h"

#include <algorithm>

#include "base/status.h"

namespace flaim::secagg {
namespace {

// A survivor who is on the committee.
bool MayConfirm(const ConfirmedSet& set, ParticipantId id) {
  const auto found = std::lower_bound(set.ids.begin(), set.ids.end(), id);
  if (found == set.ids.end() || *found != id) return false;
  const auto rank = static_cast<int>(found - set.ids.begin());
  return set.survivors[rank] && std::binary_search(set.committee.begin(), set.committee.end(), rank);
}

}  // namespace

absl::Status CheckConfirmations(const Roster& roster, const ConfirmedSet& set, ParticipantId self,
                                const Bundle& bundle) {
  const auto signatures = static_cast<int>(bundle.entries.size()) + (MayConfirm(set, self) ? 1 : 0);
  if (signatures < set.quorum) {
    return InvalidArgument("{} confirmed the survivors; {} must", signatures, set.quorum);
  }
  for (std::size_t i = 0; i < bundle.entries.size(); ++i) {
    const Bundle::Entry& entry = bundle.entries[i];
    const bool is_new = i == 0 || entry.from > bundle.entries[i - 1].from;
    if (!is_new || entry.from == self || !MayConfirm(set, entry.from)) {
      return InvalidArgument("a confirmation by participant {}, who has none to give", entry.from);
    }
    if (!IsSignedBy(roster.KeyOf(entry.from), set.digest, entry.signature)) {
      return InvalidArgument("participant {} did not confirm these survivors: the server tells different stories",
                             entry.from);
    }
  }
  return absl::OkStatus();
}

std::vector<int> CommitteeAmong(const SessionTerms& terms, int participants, const Digest& key_list) {
  return DrawCommittee(participants, terms.committee, Transcript("flaim committee").Add(key_list).Finish());
}

}  // namespace flaim::secagg
