#include "runtime/identity/signing_key_file.h"

#include <algorithm>
#include <cstring>

#include "base/status.h"
#include "io/digest.h"
#include "runtime/identity/private_file.h"

namespace flaim::runtime {
namespace {

constexpr std::string_view kMagic = "FLSK";
constexpr std::uint8_t kKeyFileVersion = 1;
constexpr std::size_t kSeedAt = kMagic.size() + 1;
constexpr std::size_t kChecksumAt = kSeedAt + secagg::Secret32::kBytes;
constexpr std::size_t kFileChecksumBytes = 8;
constexpr std::size_t kFileBytes = kChecksumAt + kFileChecksumBytes;

using FileBytes = secagg::SecretBytes<kFileBytes>;

Digest ChecksumOf(const FileBytes& file) { return Sha256(file.bytes().first<kChecksumAt>()); }

std::string_view AsText(const FileBytes& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), kFileBytes};
}

FileBytes FileOf(const secagg::Secret32& seed) {
  FileBytes file;
  std::copy(kMagic.begin(), kMagic.end(), file.bytes().begin());
  file.bytes()[kMagic.size()] = kKeyFileVersion;
  std::copy(seed.bytes().begin(), seed.bytes().end(), file.bytes().begin() + kSeedAt);
  const Digest checksum = ChecksumOf(file);
  std::copy_n(checksum.begin(), kFileChecksumBytes, file.bytes().begin() + kChecksumAt);
  return file;
}

absl::Status CheckFile(const FileBytes& file, const std::string& path) {
  if (!AsText(file).starts_with(kMagic)) return DataLoss("{}: is not a signing key: check the path", path);
  const Digest checksum = ChecksumOf(file);
  if (std::memcmp(checksum.data(), file.bytes().data() + kChecksumAt, kFileChecksumBytes) != 0) {
    return DataLoss("{}: the signing key is damaged: restore it from a copy, or have the site invited anew", path);
  }
  if (file.bytes()[kMagic.size()] == kKeyFileVersion) return absl::OkStatus();
  return FailedPrecondition(
      "{}: the signing key has format {}, but this version of flaim knows only {}: use a newer one", path,
      file.bytes()[kMagic.size()], kKeyFileVersion);
}

}  // namespace

absl::StatusOr<secagg::SigningKey> CreateSigningKey(const std::string& path, RandomSource& random) {
  secagg::Secret32 seed;
  random.Fill(std::as_writable_bytes(seed.bytes()));
  RETURN_IF_ERROR(CreatePrivateFile(path, AsText(FileOf(seed))));
  return secagg::SigningKey::FromSeed(seed);
}

absl::StatusOr<secagg::SigningKey> LoadSigningKey(const std::string& path) {
  ASSIGN_OR_RETURN(std::string bytes, ReadPrivateFile(path));
  if (bytes.size() != kFileBytes) {
    return DataLoss("{}: has {} bytes, and a signing key has {}: check the path, or restore the file from a copy", path,
                    bytes.size(), kFileBytes);
  }
  FileBytes file;
  std::copy(bytes.begin(), bytes.end(), file.bytes().begin());
  sodium_memzero(bytes.data(), bytes.size());
  RETURN_IF_ERROR(CheckFile(file, path));
  secagg::Secret32 seed;
  std::copy_n(file.bytes().begin() + kSeedAt, seed.bytes().size(), seed.bytes().begin());
  return secagg::SigningKey::FromSeed(seed);
}

}  // namespace flaim::runtime
