#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "secagg/messages/terms.h"
#include "secagg/protocol/ring_vector.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::secagg {

// A participant's exact counts in a block: asked for at most once a session and block, only for blocks that are always
// summed or that it chose, and only once the session is certain to need them. Whoever gives counts has paid for their
// release before: they leave with noise, and count as released even if the session comes to nothing.
using CountsOfBlock = std::function<absl::StatusOr<std::vector<std::int64_t>>(BlockIndex block)>;

// Adds to a vector, which may be masked already: counts, zeros where this participant did not choose, and its share of
// the noise everywhere. A count beyond the bound in the terms counts as the bound: to refuse would tell the server that
// there is one, and a record moves a clamped count by no more than a bare one. Whoever has so many rows should say so
// to its own people beforehand. The error of `counts`; InvalidArgument if it gives another number of entries than the
// block has.
absl::Status AddContribution(const SessionTerms& terms, const Layout& layout, const std::vector<BlockIndex>& choices,
                             const CountsOfBlock& counts, RandomSource& noise, RingVector& vector);

// The sum of contributions, block by block.
std::vector<BlockSum> ReadSum(const SessionTerms& terms, const Layout& layout, const RingVector& sum, int contributors);

}  // namespace flaim::secagg
