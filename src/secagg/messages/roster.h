#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "io/digest.h"
#include "secagg/crypto/signature.h"

namespace flaim::secagg {

// A participant is its place in the roster.
using ParticipantId = std::uint32_t;

// Who may take part in a study, and the server that runs its sums: everybody's signing key, pinned before the first
// session. A key that is not in the roster has no voice. Immutable.
class Roster {
 public:
  // InvalidArgument if two share a key: one party would count as two.
  static absl::StatusOr<Roster> Make(const VerifyingKey& server, std::vector<VerifyingKey> participants);

  std::size_t size() const { return participants_.size(); }
  bool Has(ParticipantId id) const { return id < participants_.size(); }
  const VerifyingKey& server_key() const { return server_; }
  // REQUIRES: Has(id).
  const VerifyingKey& KeyOf(ParticipantId id) const;
  // Of the server's key and all the others in their order.
  const Digest& digest() const { return digest_; }

 private:
  Roster(const VerifyingKey& server, std::vector<VerifyingKey> participants);

  VerifyingKey server_;
  std::vector<VerifyingKey> participants_;
  Digest digest_;
};

}  // namespace flaim::secagg
