#include "secagg/graph/committee.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/status.h"
#include "secagg/graph/hypergeometric.h"
#include "secagg/graph/neighbour_graph.h"

namespace flaim::secagg {
namespace {

constexpr int kLargestCommittee = 1000;

bool IsEverybody(int participants, int committee) { return committee == 0 || committee >= participants; }

// log2 of the probability that a committee holds `least` or more of those who are marked.
double TailLog2(int participants, int marked, int committee, int least) {
  return std::min(
      0.0, LogHypergeometricTail(participants, std::min(marked, participants), committee, least) / std::numbers::ln2);
}

}  // namespace

int QuorumOf(int participants, int colluders, int committee) {
  if (IsEverybody(participants, committee)) return ConfirmationsNeeded(participants, colluders) + 1;
  return 7 * committee / 10 + 1;
}

double CommitteeSecurityLog2(int participants, int colluders, int committee) {
  if (IsEverybody(participants, committee)) return -std::numeric_limits<double>::infinity();
  const int quorum = QuorumOf(participants, colluders, committee);
  return TailLog2(participants, colluders, committee, 2 * quorum - committee);
}

double CommitteeCorrectnessLog2(const ParticipantBounds& bounds, int committee) {
  const int quorum = QuorumOf(bounds.invited, bounds.colluders, committee);
  if (IsEverybody(bounds.invited, committee)) {
    return quorum <= bounds.LeastSurvivors() ? -std::numeric_limits<double>::infinity() : 0;
  }
  return TailLog2(bounds.invited, bounds.dropouts, committee, committee - quorum + 1);
}

absl::StatusOr<int> ChooseCommittee(const ParticipantBounds& bounds, const FailureBits& bits) {
  const auto keeps = [&](int committee) {
    return CommitteeSecurityLog2(bounds.invited, bounds.colluders, committee) <= -bits.security &&
           CommitteeSecurityLog2(bounds.LeastSurvivors(), bounds.colluders, committee) <= -bits.security &&
           CommitteeCorrectnessLog2(bounds, committee) <= -bits.correctness;
  };
  if (bounds.invited > kCompleteUpTo) {
    for (int committee = 10; committee <= std::min(kLargestCommittee, bounds.LeastSurvivors()); committee += 10) {
      if (keeps(committee)) return committee;
    }
  }
  if (keeps(0)) return 0;
  return InvalidArgument(
      "with {} dropouts and {} colluders among {} participants, two sets of survivors could both find a majority: "
      "allow "
      "fewer dropouts or fewer colluders, or invite more sites",
      bounds.dropouts, bounds.colluders, bounds.invited);
}

std::vector<int> DrawCommittee(int participants, int committee, const Digest& seed) {
  std::vector<int> members;
  if (IsEverybody(participants, committee)) {
    members.resize(participants);
    std::iota(members.begin(), members.end(), 0);
    return members;
  }
  members = RandomOrder(participants, seed);
  members.resize(committee);
  std::sort(members.begin(), members.end());
  return members;
}

}  // namespace flaim::secagg
