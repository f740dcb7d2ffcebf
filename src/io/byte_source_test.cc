#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "io/chunked_source_testing.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::size_t kNoLimit = std::size_t{1} << 30;

class FileOpening : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "/byte_source_XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string MakeFile(const std::string& name, const std::string& content) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  std::string folder_;
};

TEST_F(FileOpening, ReadsAllOfAFileAndThenItsEndAgainAndAgain) {
  std::string content;
  for (int i = 0; i < 100000; ++i) content += static_cast<char>(i % 251);
  const std::string path = MakeFile("data.csv", content);
  const auto source = OpenByteSource(path);
  ASSERT_TRUE(source.ok()) << source.status();
  EXPECT_EQ((*source)->name(), path);
  EXPECT_EQ(*ReadAll(**source, kNoLimit), content);
  EXPECT_EQ(*ReadAll(**source, kNoLimit), "");
}

TEST_F(FileOpening, ReadsFilesShorterThanAnyMagicNumber) {
  for (const std::string content : {"", "a", "\x1f", "\xfd", "(", "ab\n"}) {
    const auto source = OpenByteSource(MakeFile("short", content));
    ASSERT_TRUE(source.ok()) << source.status();
    EXPECT_EQ(*ReadAll(**source, kNoLimit), content);
  }
}

TEST_F(FileOpening, SaysThatAFileIsMissing) {
  const absl::Status status = OpenByteSource(folder_ + "/missing.csv").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("missing.csv: cannot be opened"), HasSubstr("No such file or directory")));
}

TEST_F(FileOpening, RefusesAFolder) {
  const absl::Status status = OpenByteSource(folder_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr(folder_), HasSubstr("is a folder")));
}

TEST_F(FileOpening, SaysThatAFileMayNotBeRead) {
  const std::string path = MakeFile("secret.csv", "a\n");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  const bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const absl::Status status = OpenByteSource(path).status();
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("secret.csv"), HasSubstr("Permission denied")));
}

TEST_F(FileOpening, ReadsStandardInputForADash) {
  const std::string path = MakeFile("input", "x,y\n1,2\n");
  const int saved = dup(STDIN_FILENO);
  const int file = open(path.c_str(), O_RDONLY);
  ASSERT_GE(dup2(file, STDIN_FILENO), 0);
  {
    const auto source = OpenByteSource("-");
    ASSERT_TRUE(source.ok());
    EXPECT_EQ((*source)->name(), "standard input");
    EXPECT_EQ(*ReadAll(**source, kNoLimit), "x,y\n1,2\n");
  }
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD), 0) << "standard input must stay open";
  dup2(saved, STDIN_FILENO);
  close(saved);
  close(file);
}

TEST(StringSource, ServesItsContentInPieces) {
  const auto source = StringSource("text", "abcde");
  char out[2];
  std::string served;
  while (const std::size_t count = *source->Read(out)) served.append(out, count);
  EXPECT_EQ(served, "abcde");
  EXPECT_EQ(source->name(), "text");
}

TEST(ReadAll, TakesAsMuchAsIsAllowedAndRefusesOneByteMore) {
  ChunkedSource exact("exact.toml", std::string(1000, 'x'), {7, 1, 300});
  EXPECT_EQ(ReadAll(exact, 1000)->size(), 1000u);
  ChunkedSource above("above.toml", std::string(1001, 'x'), {7, 1, 300});
  const absl::Status status = ReadAll(above, 1000).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("above.toml"), HasSubstr("1000 bytes")));
}

}  // namespace
}  // namespace flaim
