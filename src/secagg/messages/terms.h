#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "io/digest.h"
#include "privacy/numbers/rational.h"
#include "secagg/crypto/mask_stream.h"
#include "secagg/graph/committee.h"
#include "secagg/graph/graph_parameters.h"
#include "secagg/noise/noise_plan.h"

namespace flaim::secagg {

// A block is a run of entries that are asked for together (to a caller, say, one marginal). Blocks have numbers, no
// meaning.
using BlockIndex = std::uint32_t;

struct Block {
  std::uint32_t entries = 0;
  Rational sigma_squared{0, 1};  // of the noise in the sum; 0: the sum is exact

  bool operator==(const Block&) const = default;
};

// What a sum is about and how it is made. All who take part must have agreed to the same terms: they are signed by the
// server, compared by every client with its own, and bound into every mask, so that those who were told different terms
// do not add up to anything.
struct SessionTerms {
  Digest roster{};
  Digest model{};     // of the model that everybody compares its counts with
  Digest workload{};  // of what the blocks mean
  std::vector<Block> blocks;
  std::int64_t entry_bound = 0;  // no count of any one participant is above it, nor below its negative
  ParticipantBounds bounds;
  GraphParameters graph;
  int committee = 0;   // how many confirm the survivors; 0: everybody
  int ring_bits = 32;  // sums are modulo 2^ring_bits
  MaskCipher cipher = MaskCipher::kAes128Ctr;

  bool operator==(const SessionTerms&) const = default;
};

// Of all blocks together: the length of a contribution.
std::size_t EntriesOf(const SessionTerms& terms);

// How the noise of a block is split. REQUIRES: ValidateTerms(terms).
NoisePlan NoiseOf(const SessionTerms& terms, BlockIndex block);

// The fewest bits in which a sum of these terms fits, whatever the counts, together with its noise except with
// probability below 2^-100. InvalidArgument if 64 are not enough, or the noise cannot be split.
absl::StatusOr<int> LeastRingBits(const SessionTerms& terms);

// InvalidArgument if no sum should be made on these terms; says why and what to change.
//
// An exact sum of which all but one contribution may be known to the server, by collusion or because there is only one,
// is refused: it is that contribution.
absl::Status ValidateTerms(const SessionTerms& terms);

// The first term in which the two differ, for people; empty if none.
std::string FirstDifference(const SessionTerms& ours, const SessionTerms& theirs);

// Degree and threshold when so many took up the offer: never more than there are neighbours.
GraphParameters GraphAmong(const SessionTerms& terms, int participants);

}  // namespace flaim::secagg
