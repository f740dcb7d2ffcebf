#include "runtime/identity/private_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/identity/identity_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;

mode_t ModeOf(const std::string& path) {
  struct stat facts {};
  CHECK(stat(path.c_str(), &facts) == 0);
  return facts.st_mode & 0777;
}

std::size_t FilesIn(const ScratchFolder& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(PrivateFile, ReadsWhatItWroteAndOnlyItsOwnerCan) {
  const ScratchFolder folder;
  const std::string path = folder.File("key");
  const mode_t mask = umask(0);
  for (const std::string& bytes :
       {std::string("secret"), std::string(), std::string("a\0b\n", 4), std::string(100'000, 'x')}) {
    ASSERT_TRUE(WritePrivateFile(path, bytes).ok());
    EXPECT_EQ(*ReadPrivateFile(path), bytes);
    EXPECT_EQ(ModeOf(path), 0600U);
  }
  umask(mask);
  EXPECT_EQ(FilesIn(folder), 1U);
}

TEST(PrivateFile, IsPrivateEvenWhereThePublicFileThatItReplacesWasNot) {
  const ScratchFolder folder;
  const std::string path = folder.File("key");
  std::ofstream(path) << "public";
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  ASSERT_TRUE(WritePrivateFile(path, "secret").ok());
  EXPECT_EQ(ModeOf(path), 0600U);
  EXPECT_EQ(*ReadPrivateFile(path), "secret");
}

TEST(PrivateFile, ReplacesALinkInsteadOfFollowingIt) {
  const ScratchFolder folder;
  std::ofstream(folder.File("elsewhere")) << "public";
  std::filesystem::create_symlink(folder.File("elsewhere"), folder.File("key"));
  ASSERT_TRUE(WritePrivateFile(folder.File("key"), "secret").ok());
  EXPECT_FALSE(std::filesystem::is_symlink(folder.File("key")));
  std::string elsewhere;
  std::ifstream(folder.File("elsewhere")) >> elsewhere;
  EXPECT_EQ(elsewhere, "public");
}

TEST(PrivateFile, IsRefusedOnceOthersHaveAnyRightToIt) {
  const ScratchFolder folder;
  const std::string path = folder.File("key");
  ASSERT_TRUE(WritePrivateFile(path, "secret").ok());
  for (const mode_t right : {0040, 0020, 0010, 0004, 0002, 0001}) {
    ASSERT_EQ(chmod(path.c_str(), 0600 | right), 0);
    const absl::Status status = ReadPrivateFile(path).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied) << right;
    EXPECT_THAT(std::string(status.message()), HasSubstr("chmod 600"));
  }
  ASSERT_EQ(chmod(path.c_str(), 0400), 0);
  EXPECT_EQ(*ReadPrivateFile(path), "secret");
}

TEST(PrivateFile, IsNotCreatedOverWhatIsThere) {
  const ScratchFolder folder;
  const std::string path = folder.File("key");
  ASSERT_TRUE(CreatePrivateFile(path, "first").ok());
  EXPECT_EQ(ModeOf(path), 0600U);
  EXPECT_EQ(CreatePrivateFile(path, "second").code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(*ReadPrivateFile(path), "first");
  std::filesystem::create_symlink(folder.File("nowhere"), folder.File("link"));
  EXPECT_EQ(CreatePrivateFile(folder.File("link"), "third").code(), absl::StatusCode::kAlreadyExists);
  EXPECT_FALSE(std::filesystem::exists(folder.File("nowhere")));
  EXPECT_EQ(FilesIn(folder), 2U) << "temporary files are left behind";
}

TEST(PrivateFile, NamesThePathOfWhatCannotBeReadOrWritten) {
  const ScratchFolder folder;
  EXPECT_EQ(ReadPrivateFile(folder.File("none")).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadPrivateFile(folder.path().string()).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(WritePrivateFile(folder.File("no/such/folder"), "x").code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(CreatePrivateFile(folder.File("no/such/folder"), "x").code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(WritePrivateFile(folder.path().string(), "x").ok());
  EXPECT_THAT(std::string(ReadPrivateFile(folder.File("none")).status().message()), HasSubstr(folder.File("none")));
  EXPECT_EQ(FilesIn(folder), 0U) << "temporary files are left behind";
}

TEST(PrivateFile, DoesNotWaitForAPipeAndDoesNotReadTooMuch) {
  const ScratchFolder folder;
  ASSERT_EQ(mkfifo(folder.File("pipe").c_str(), 0600), 0);
  EXPECT_EQ(ReadPrivateFile(folder.File("pipe")).status().code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(WritePrivateFile(folder.File("long"), std::string((1 << 20) + 1, 'x')).ok());
  EXPECT_EQ(ReadPrivateFile(folder.File("long")).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(PrivateFile, MayHaveANameWithoutAFolder) {
  const ScratchFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_TRUE(WritePrivateFile("key", "secret").ok());
  std::filesystem::current_path(before);
  EXPECT_EQ(*ReadPrivateFile(folder.File("key")), "secret");
}

}  // namespace
}  // namespace flaim::runtime
