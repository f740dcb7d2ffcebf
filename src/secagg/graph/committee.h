#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "io/digest.h"
#include "secagg/graph/graph_parameters.h"

namespace flaim::secagg {

// Those whose signatures decide which survivors are unmasked. Nobody unmasks before a quorum of them has signed the set
// that it was told. Honest members sign one set, colluders any number, so with x colluders among m members two sets
// cannot both have a quorum q if 2q > m + x: all who unmask hold the same set.
//
// Asking one's neighbours instead would not do: on a circle different arcs could hold different sets, and the one sum
// that comes of them lack more contributions than the noise is split for.
//
// A committee is given by its size; 0, or as many as take part, is everybody: then the quorum is more than half of
// participants and colluders together, and there is no chance in it. A smaller one, for thousands of participants, is
// drawn at random; its quorum is seven tenths.

// How many members must have signed.
int QuorumOf(int participants, int colluders, int committee);

// log2 of the probability that a drawn committee holds so many colluders that two sets could have a quorum; -infinity
// if it cannot happen. With the caveat of SecurityFailureLog2 about whoever can try many draws.
double CommitteeSecurityLog2(int participants, int colluders, int committee);

// log2 of the probability that dropouts within bounds leave no quorum.
double CommitteeCorrectnessLog2(const ParticipantBounds& bounds, int committee);

// The smallest committee that keeps both within bounds; everybody up to kCompleteUpTo, and where a drawn one would not
// do. InvalidArgument if dropouts and colluders are too many even for everybody.
absl::StatusOr<int> ChooseCommittee(const ParticipantBounds& bounds, const FailureBits& bits = {});

// The ranks of its members, ascending. Anybody who knows the seed draws the same.
std::vector<int> DrawCommittee(int participants, int committee, const Digest& seed);

}  // namespace flaim::secagg
