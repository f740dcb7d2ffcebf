#include "runtime/site/roster_consent.h"

#include <algorithm>

#include "gtest/gtest.h"

namespace flaim::runtime {
namespace {

Digest DigestForTest(std::uint8_t first) { return Digest{first}; }

TEST(RosterConsent, IsToOneRosterOrToAnyOrIsNotNeeded) {
  EXPECT_TRUE(absl::IsUnauthenticated(RosterConsent{}.Check(DigestForTest(1))));
  const RosterConsent one{.roster = DigestForTest(1), .is_any = false, .known = std::nullopt};
  EXPECT_TRUE(one.Check(DigestForTest(1)).ok());
  EXPECT_FALSE(one.Check(DigestForTest(2)).ok());
  EXPECT_TRUE((RosterConsent{.roster = {}, .is_any = true, .known = {}}).Check(DigestForTest(2)).ok());
  EXPECT_TRUE((RosterConsent{.roster = {}, .is_any = false, .known = 0}).Check(DigestForTest(2)).ok());
  EXPECT_FALSE((RosterConsent{.roster = {}, .is_any = false, .known = 1}).Check(DigestForTest(2)).ok());
}

// The worst that a coordinator can do: the shares of known sites that are certainly in the sum, with this site in it.
int LeastKnownInSum(int known, int roster_size, const secagg::ParticipantBounds& bounds) {
  int least = known;
  for (int invited = 0; invited <= known; ++invited) {
    const int invented = bounds.invited - 1 - invited;
    if (invented < 0 || invented > roster_size - 1 - known) continue;
    least = std::min(least, std::max(0, invited - bounds.dropouts));
  }
  return least;
}

// In units of one share: what is drawn by this site and by those it knows makes up for all that privacy rests on, and
// for no more than that, however many of the others are invented.
TEST(StandsInFor, MakesUpForEverybodyWhomTheSiteDoesNotKnowWhateverTheCoordinatorDoes) {
  int cases = 0;
  for (int roster = 2; roster <= 8; ++roster) {
    for (int invited = 2; invited <= roster; ++invited) {
      for (int dropouts = 0; dropouts < invited; ++dropouts) {
        for (int colluders = 0; colluders < invited - dropouts; ++colluders) {
          const secagg::ParticipantBounds bounds{invited, dropouts, colluders};
          const int needed = invited - dropouts - colluders;
          for (int known = 0; known < roster; ++known) {
            const int own = 1 + StandsInFor({.roster = {}, .is_any = true, .known = known}, roster, bounds);
            const int certain = own + LeastKnownInSum(known, roster, bounds);
            EXPECT_GE(certain, needed) << roster << invited << dropouts << colluders << known;
            EXPECT_TRUE(own == 1 || certain == needed);
            ++cases;
          }
          EXPECT_EQ(StandsInFor({.roster = {}, .is_any = true, .known = roster - 1 - colluders}, roster, bounds), 0)
              << "to know all but the colluders is what the manifest assumes";
          EXPECT_EQ(StandsInFor({.roster = {}, .is_any = true, .known = 0}, roster, bounds), needed - 1);
          EXPECT_EQ(StandsInFor({}, roster, bounds), 0);
        }
      }
    }
  }
  EXPECT_GT(cases, 1000);
}

}  // namespace
}  // namespace flaim::runtime
