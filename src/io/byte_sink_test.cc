#include "io/byte_sink.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class FileCreation : public testing::Test {
 protected:
  void SetUp() override {
    std::string folder = testing::TempDir() + "/byte_sink_XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string Content(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
  }
  static mode_t Mode(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }
  static void WriteFile(const std::string& path, const std::string& content) {
    auto sink = CreateFile(path);
    ASSERT_TRUE(sink.ok()) << sink.status();
    ASSERT_TRUE((*sink)->Write(content).ok());
    ASSERT_TRUE((*sink)->Commit().ok());
  }

  std::string folder_;
};

TEST_F(FileCreation, ShowsNothingBeforeCommitAndEverythingAfter) {
  auto sink = CreateFile(Path("out.csv"));
  ASSERT_TRUE(sink.ok()) << sink.status();
  EXPECT_EQ((*sink)->name(), Path("out.csv"));
  ASSERT_TRUE((*sink)->Write("a,b\n").ok());
  ASSERT_TRUE((*sink)->Write("1,2\n").ok());
  EXPECT_FALSE(std::filesystem::exists(Path("out.csv")));
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_EQ(Content(Path("out.csv")), "a,b\n1,2\n");
  sink->reset();
  EXPECT_THAT(Names(), UnorderedElementsAre("out.csv"));
}

TEST_F(FileCreation, KeepsTheOrderOfSmallAndLargeWrites) {
  std::string expected;
  auto sink = CreateFile(Path("out"));
  ASSERT_TRUE(sink.ok());
  for (const std::size_t size : {1u, 1048575u, 1u, 1048576u, 0u, 3000000u, 5u, 700000u, 700000u}) {
    const std::string piece(size, static_cast<char>('a' + expected.size() % 26));
    ASSERT_TRUE((*sink)->Write(piece).ok());
    expected += piece;
  }
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_TRUE(Content(Path("out")) == expected);
}

TEST_F(FileCreation, LeavesNothingBehindWithoutCommit) {
  WriteFile(Path("old.csv"), "old");
  for (const std::string name : {"old.csv", "new.csv"}) {
    auto sink = CreateFile(Path(name));
    ASSERT_TRUE(sink.ok());
    ASSERT_TRUE((*sink)->Write(std::string(3 << 20, 'x')).ok());
  }
  EXPECT_THAT(Names(), UnorderedElementsAre("old.csv"));
  EXPECT_EQ(Content(Path("old.csv")), "old");
}

TEST_F(FileCreation, IsPrivateUntilCommitAndThenFollowsTheUmask) {
  const mode_t saved = umask(027);
  auto sink = CreateFile(Path("out"));
  ASSERT_TRUE(sink.ok());
  const std::vector<std::string> names = Names();
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(Mode(Path(names[0])), 0600u);
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_EQ(umask(saved), 027u) << "the umask must be as it was";
  EXPECT_EQ(Mode(Path("out")), 0640u);
}

TEST_F(FileCreation, KeepsThePermissionsOfAFileThatItReplaces) {
  WriteFile(Path("secret.csv"), "old");
  ASSERT_EQ(chmod(Path("secret.csv").c_str(), 0600), 0);
  WriteFile(Path("secret.csv"), "new");
  EXPECT_EQ(Mode(Path("secret.csv")), 0600u);
  EXPECT_EQ(Content(Path("secret.csv")), "new");
}

TEST_F(FileCreation, ReplacesTheFileBehindASymbolicLink) {
  ASSERT_TRUE(std::filesystem::create_directory(Path("folder")));
  WriteFile(Path("folder/file"), "old");
  std::filesystem::create_symlink("folder/file", Path("link"));
  WriteFile(Path("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(Path("link")));
  EXPECT_EQ(Content(Path("folder/file")), "new");
}

TEST_F(FileCreation, WorksForANameWithoutAFolder) {
  const std::filesystem::path saved = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  WriteFile("bare.csv", "x");
  WriteFile("bare.csv", "y");
  std::filesystem::current_path(saved);
  EXPECT_EQ(Content(Path("bare.csv")), "y");
}

TEST_F(FileCreation, ExplainsWhatIsWrongWithThePath) {
  const absl::Status folder = CreateFile(folder_).status();
  EXPECT_EQ(folder.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(folder.message()), HasSubstr("is a folder"));

  const absl::Status missing = CreateFile(Path("missing/out.csv")).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), AllOf(HasSubstr("missing/out.csv"), HasSubstr("No such file")));

  EXPECT_EQ(CreateFile(Path("new/")).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CreateFile("").status().code(), absl::StatusCode::kInvalidArgument);

  WriteFile(Path("file"), "x");
  EXPECT_EQ(CreateFile(Path("file/below")).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(FileCreation, RespectsAFileThatMayNotBeWritten) {
  WriteFile(Path("read-only"), "old");
  ASSERT_EQ(chmod(Path("read-only").c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
  const bool is_root = geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const absl::Status status = CreateFile(Path("read-only")).status();
  if (is_root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(status.message()), HasSubstr("Permission denied"));
}

// A file-size limit stands in for a full disk: the kernel refuses the same write.
TEST_F(FileCreation, LeavesTheOldFileAloneWhenTheDiskIsFull) {
  WriteFile(Path("out.csv"), "old");
  struct rlimit saved {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &saved), 0);
  const auto saved_handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit limit { 100000, saved.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  {
    auto sink = CreateFile(Path("out.csv"));
    ASSERT_TRUE(sink.ok());
    EXPECT_TRUE((*sink)->Write(std::string(500000, 'x')).ok()) << "buffered";
    const absl::Status commit = (*sink)->Commit();
    EXPECT_EQ(commit.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(std::string(commit.message()),
                AllOf(HasSubstr("out.csv: cannot be written"), HasSubstr("free some space")));
    EXPECT_EQ((*sink)->Write("more"), commit) << "the first error stays";
    EXPECT_EQ((*sink)->Commit(), commit) << "and half a file is never published";
  }
  EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &saved), 0);
  std::signal(SIGXFSZ, saved_handler);
  EXPECT_EQ(Content(Path("out.csv")), "old");
  EXPECT_THAT(Names(), UnorderedElementsAre("out.csv"));
}

TEST(SpecialFile, ThatIsFullReportsTheError) {
  auto sink = CreateFile("/dev/full");
  ASSERT_TRUE(sink.ok()) << sink.status();
  ASSERT_TRUE((*sink)->Write("x").ok());
  const absl::Status status = (*sink)->Commit();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("No space left on device"));
}

TEST(SpecialFile, IsWrittenToAndNotReplaced) {
  auto sink = CreateFile("/dev/null");
  ASSERT_TRUE(sink.ok()) << sink.status();
  ASSERT_TRUE((*sink)->Write("x").ok());
  ASSERT_TRUE((*sink)->Commit().ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(FileCreation, WritesIntoAPipe) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = Content(Path("pipe")); });
  WriteFile(Path("pipe"), "through the pipe");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(Path("pipe")));
  EXPECT_THAT(Names(), UnorderedElementsAre("pipe"));
}

TEST_F(FileCreation, WritesToStandardOutputForADash) {
  const int saved = dup(STDOUT_FILENO);
  const int file = open(Path("captured").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(dup2(file, STDOUT_FILENO), 0);
  auto sink = CreateFile("-");
  const bool written = sink.ok() && (*sink)->Write("a,b\n").ok() && (*sink)->Commit().ok();
  const std::string name = (*sink)->name();
  sink->reset();
  const bool still_open = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(file);
  EXPECT_TRUE(written);
  EXPECT_TRUE(still_open);
  EXPECT_EQ(name, "standard output");
  EXPECT_EQ(Content(Path("captured")), "a,b\n");
}

TEST(StringSink, ChangesItsStringOnlyOnCommit) {
  std::string content = "old";
  const auto sink = StringSink("text", &content);
  ASSERT_TRUE(sink->Write("ne").ok());
  ASSERT_TRUE(sink->Write("w").ok());
  EXPECT_EQ(content, "old");
  ASSERT_TRUE(sink->Commit().ok());
  EXPECT_EQ(content, "new");
  EXPECT_EQ(sink->name(), "text");
}

TEST(ByteSinkDeathTest, TakesNothingAfterCommit) {
  std::string content;
  const auto sink = StringSink("text", &content);
  ASSERT_TRUE(sink->Commit().ok());
  EXPECT_DEATH((void)sink->Write("x"), "after Commit");
  EXPECT_DEATH((void)sink->Commit(), "twice");
}

}  // namespace
}  // namespace flaim
