#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/random_source.h"
#include "secagg/crypto/signature.h"

namespace flaim::runtime {

// A key that signs, kept in a file that only its owner can read: "FLSK", version (1 byte, 1), the 32-byte seed of RFC
// 8032, the first 8 bytes of SHA-256 of all that. Who has the file is the site; who loses it has to be invited anew.

// Draws a new key. AlreadyExists if there is a file.
absl::StatusOr<secagg::SigningKey> CreateSigningKey(const std::string& path, RandomSource& random);
// PermissionDenied if others can read it, DataLoss if it is damaged; see ReadPrivateFile.
absl::StatusOr<secagg::SigningKey> LoadSigningKey(const std::string& path);

}  // namespace flaim::runtime
