#include "runtime/identity/signing_key_file.h"

#include <sys/stat.h>

#include <fstream>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "runtime/identity/identity_testing.h"
#include "runtime/identity/private_file.h"

namespace flaim::runtime {
namespace {

// Keeps the rights of the file.
void Overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(SigningKeyFile, GivesBackTheKeyThatWasCreated) {
  const ScratchFolder folder;
  SeededRandomSource random(1);
  for (int i = 0; i < 5; ++i) {
    const std::string path = folder.File(fmt::format("key-{}", i));
    const absl::StatusOr<secagg::SigningKey> created = CreateSigningKey(path, random);
    ASSERT_TRUE(created.ok()) << created.status();
    const absl::StatusOr<secagg::SigningKey> loaded = LoadSigningKey(path);
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_EQ(loaded->verifying_key(), created->verifying_key());
    const Digest message = Sha256(AsBytes("message"));
    EXPECT_TRUE(secagg::IsSignedBy(created->verifying_key(), message, loaded->Sign(message)));
  }
}

TEST(SigningKeyFile, IsNeverOverwritten) {
  const ScratchFolder folder;
  SeededRandomSource random(2);
  const std::string path = folder.File("key");
  const absl::StatusOr<secagg::SigningKey> first = CreateSigningKey(path, random);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(CreateSigningKey(path, random).status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(LoadSigningKey(path)->verifying_key(), first->verifying_key());
}

TEST(SigningKeyFile, IsRefusedIfOthersCanReadIt) {
  const ScratchFolder folder;
  SeededRandomSource random(3);
  const std::string path = folder.File("key");
  ASSERT_TRUE(CreateSigningKey(path, random).ok());
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  EXPECT_EQ(LoadSigningKey(path).status().code(), absl::StatusCode::kPermissionDenied);
}

TEST(SigningKeyFile, NoticesEveryBitThatIsChanged) {
  const ScratchFolder folder;
  SeededRandomSource random(4);
  const std::string path = folder.File("key");
  ASSERT_TRUE(CreateSigningKey(path, random).ok());
  const std::string bytes = *ReadPrivateFile(path);
  ASSERT_EQ(bytes.size(), 45U);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
    Overwrite(path, changed);
    EXPECT_EQ(LoadSigningKey(path).status().code(), absl::StatusCode::kDataLoss) << "bit " << bit;
  }
}

TEST(SigningKeyFile, NoticesEveryWrongLength) {
  const ScratchFolder folder;
  SeededRandomSource random(5);
  const std::string path = folder.File("key");
  ASSERT_TRUE(CreateSigningKey(path, random).ok());
  const std::string bytes = *ReadPrivateFile(path);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Overwrite(path, bytes.substr(0, size));
    EXPECT_EQ(LoadSigningKey(path).status().code(), absl::StatusCode::kDataLoss) << size;
  }
  Overwrite(path, fmt::format("{}x", bytes));
  EXPECT_EQ(LoadSigningKey(path).status().code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(LoadSigningKey(folder.File("none")).status().code(), absl::StatusCode::kNotFound);
}

TEST(SigningKeyFile, OfANewerFormatIsRefusedAsSuch) {
  const ScratchFolder folder;
  SeededRandomSource random(6);
  const std::string path = folder.File("key");
  ASSERT_TRUE(CreateSigningKey(path, random).ok());
  std::string bytes = ReadPrivateFile(path)->substr(0, 37);
  bytes[4] = 2;
  const Digest digest = Sha256(AsBytes(bytes));
  bytes.append(digest.begin(), digest.begin() + 8);
  Overwrite(path, bytes);
  EXPECT_EQ(LoadSigningKey(path).status().code(), absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace flaim::runtime
