#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "io/digest.h"
#include "secagg/messages/roster.h"

namespace flaim::runtime {

// Who takes part in a study, from its beginning to its end: names and what their
// fingerprints are made of, in the order of participants. Signed by the
// coordinator together with the manifest; pinned by each site when it first sees it.
struct StudyRoster {
  std::vector<std::string> sites;
  std::vector<secagg::VerifyingKey> keys;
  std::vector<Digest> requests;  // digests of the certificate requests

  bool operator==(const StudyRoster&) const = default;
};

std::string Encode(const StudyRoster& roster);
// InvalidArgument if it cannot be read, or names, keys and requests do not fit together, or a name is there twice.
absl::StatusOr<StudyRoster> DecodeRoster(const std::string& bytes);

// What the coordinator signs.
Digest DigestOfRoster(const Digest& manifest, const std::string& roster);

}  // namespace flaim::runtime
