#include "datasets/known_file.h"

#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/digest.h"
#include "io/hex.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHashOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";  // FIPS 180-4

std::string WriteFile(const std::string& name, const std::string& content) {
  const std::string path = testing::TempDir() + "/known_file_test_" + name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

TEST(KnownFile, GivesTheBytesOfTheFileThatItKnows) {
  EXPECT_EQ(ReadKnownFile(WriteFile("same", "abc"), kHashOfAbc).value(), "abc");
}

TEST(KnownFile, RefusesAnotherFileWithBothHashes) {
  const std::string path = WriteFile("other", "abd");
  const absl::Status status = ReadKnownFile(path, kHashOfAbc).status();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(path));
  EXPECT_THAT(std::string(status.message()), HasSubstr(kHashOfAbc));
  EXPECT_THAT(std::string(status.message()), HasSubstr(ToHex(Sha256(AsBytes("abd")))));
}

TEST(KnownFile, SaysThatAFileIsNotThereAndThatAFolderIsNoFile) {
  EXPECT_TRUE(absl::IsNotFound(ReadKnownFile(testing::TempDir() + "/known_file_test_none", kHashOfAbc).status()));
  EXPECT_FALSE(ReadKnownFile(testing::TempDir(), kHashOfAbc).ok());
}

}  // namespace
}  // namespace flaim
