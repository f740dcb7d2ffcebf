#include "secagg/confirmations.h"

#include <algorithm>

#include "base/status.h"

namespace flaim::secagg {
namespace {

bool IsSurvivor(const ConfirmedSet& set, ParticipantId id) {
  const auto found = std::lower_bound(set.ids.begin(), set.ids.end(), id);
  return found != set.ids.end() && *found == id && set.survivors[static_cast<std::size_t>(found - set.ids.begin())];
}

}  // namespace

absl::Status CheckConfirmations(const Roster& roster, const ConfirmedSet& set, ParticipantId self, int needed,
                                const Bundle& bundle) {
  if (bundle.entries.size() < static_cast<std::size_t>(needed)) {
    return InvalidArgument("{} others confirmed the survivors; {} must", bundle.entries.size(), needed);
  }
  for (std::size_t i = 0; i < bundle.entries.size(); ++i) {
    const Bundle::Entry& entry = bundle.entries[i];
    const bool is_new = i == 0 || entry.from > bundle.entries[i - 1].from;
    if (!is_new || entry.from == self || !IsSurvivor(set, entry.from)) {
      return InvalidArgument("a confirmation by participant {}, who has none to give", entry.from);
    }
    if (!IsSignedBy(roster.KeyOf(entry.from), set.digest, entry.signature)) {
      return InvalidArgument("participant {} did not confirm these survivors: the server tells different stories",
                             entry.from);
    }
  }
  return absl::OkStatus();
}

}  // namespace flaim::secagg
