#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "secagg/messages/messages.h"
#include "secagg/messages/terms.h"
#include "secagg/protocol/paid_counts.h"
#include "secagg/protocol/ring_vector.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::secagg {

// Which of some public candidates a participant stands for: a one for each, zeros for the others. Nothing is paid for
// it here, so the choice must be a released value, paid for when it was made, or made without looking at any rows.
class Ballot {
 public:
  // REQUIRES: each that is chosen is below `candidates`.
  Ballot(std::size_t candidates, std::span<const std::size_t> chosen);

  // One.
  std::span<const std::vector<std::int64_t>> blocks() const { return {&ones_, 1}; }

 private:
  std::vector<std::int64_t> ones_;
};

// The only two things that can go into a sum.
using Contribution = std::variant<PaidCounts, Ballot>;

// A participant's contribution: asked for at most once a session, and only once the session is certain to need it. It
// leaves with noise, and counts as released even if the session comes to nothing.
using ContributionSource = std::function<absl::StatusOr<Contribution>()>;

// The name under which a payment for counts in this session is put on record.
SumName NameOfSum(const SessionId& session);

// Adds a contribution and this participant's share of the noise to a vector, which may be masked already. A count
// beyond the bound in the terms counts as the bound: to refuse would tell the server that there is one, and a record
// moves a clamped count by no more than a bare one. Whoever has so many rows should say so to its own people
// beforehand.
//
// Who does not count on others for their noise stands in for them (NoisePlan::AddShares): the sum has more noise
// then, and nobody sees by whom.
//
// The error of `source`; InvalidArgument if it does not fit the blocks of the terms, or has counts that were paid for
// another sum, or for more noise than the terms promise in some block.
absl::Status AddContribution(const SessionTerms& terms, const SessionId& session, const ContributionSource& source,
                             int stands_in_for, RandomSource& noise, RingVector& vector);

// The sum of contributions, block by block.
std::vector<BlockSum> ReadSum(const SessionTerms& terms, const RingVector& sum, int contributors);

}  // namespace flaim::secagg
