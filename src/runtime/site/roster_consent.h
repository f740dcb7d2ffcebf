#pragma once

#include <optional>

#include "absl/status/status.h"
#include "io/digest.h"
#include "secagg/graph/graph_parameters.h"

namespace flaim::runtime {

// What the site's people say of the others in the study's roster. A coordinator can invent sites: it knows their noise,
// and a lone real site among them would be left with its own share. So nothing goes into a sum before somebody has
// looked at the very roster, or has said that whoever is in it plays no role.
struct RosterConsent {
  std::optional<Digest> roster;  // the one that was looked at (DigestOfRoster)
  bool is_any = false;           // whichever the coordinator names: it is trusted not to invent sites
  // How many other sites of the roster are known to be real, and not to work with the coordinator. Nothing: as many as
  // the manifest says, all but its colluders. A secret of the site: nobody is told.
  std::optional<int> known;

  // Unauthenticated, with what to do, unless this roster may be gone by. Whoever counts on nobody need not ask.
  absl::Status Check(const Digest& of_roster) const;
};

// How many others this site draws noise for, beside its own share, because it does not count on them. Privacy rests on
// h = survivors - colluders shares. Of `known` sites, those that were not invited and those that may drop out need not
// be in the sum; the noise of the others is. The rest of h is drawn by the site itself.
int StandsInFor(const RosterConsent& consent, int roster_size, const secagg::ParticipantBounds& bounds);

}  // namespace flaim::runtime
