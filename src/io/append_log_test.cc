#include "io/append_log.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Records = std::vector<std::string>;

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Write(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
}

// Some are empty, some all zeros, most are short.
Records RandomRecords(RandomSource& random, std::size_t most_bytes = 60) {
  Records records;
  for (std::uint64_t i = random.NextBelow(8); i > 0; --i) {
    std::string& record = records.emplace_back(random.NextBelow(most_bytes), '\0');
    if (random.NextBelow(4) == 0) continue;
    for (char& byte : record) byte = static_cast<char>(random.NextBelow(256));
  }
  return records;
}

class AppendLogTest : public testing::Test {
 protected:
  ~AppendLogTest() override { std::filesystem::remove(path_); }

  // Where the file ends after its title and after each record.
  std::vector<std::size_t> Make(const Records& records) {
    std::filesystem::remove(path_);
    AppendLog log = AppendLog::Open(path_, "test").value();
    std::vector<std::size_t> ends = {std::filesystem::file_size(path_)};
    for (const std::string& record : records) {
      EXPECT_TRUE(log.Append(record).ok());
      ends.push_back(std::filesystem::file_size(path_));
    }
    return ends;
  }
  absl::StatusOr<Records> Reopen() {
    absl::StatusOr<AppendLog> log = AppendLog::Open(path_, "test");
    if (!log.ok()) return log.status();
    return log->TakeRecords();
  }

  std::string path_ = fmt::format("{}flaim-append-log-{}-{}", testing::TempDir(),
                                  testing::UnitTest::GetInstance()->current_test_info()->name(), ::getpid());
};

TEST_F(AppendLogTest, GivesBackWhatWasAppendedAndGoesOnFromThere) {
  SeededRandomSource random(1, "records");
  for (int repeat = 0; repeat < 30; ++repeat) {
    std::filesystem::remove(path_);
    Records all;
    for (int start = 0; start < 4; ++start) {
      AppendLog log = AppendLog::Open(path_, "test").value();
      ASSERT_EQ(log.TakeRecords(), all);
      for (const std::string& record : RandomRecords(random, 5000)) {
        ASSERT_TRUE(log.Append(record).ok());
        all.push_back(record);
      }
      ASSERT_TRUE(log.Sync().ok());
    }
    ASSERT_EQ(Reopen().value(), all);
  }
}

TEST_F(AppendLogTest, IsForItsOwnerAlone) {
  Make({"a"});
  struct stat status {};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, static_cast<mode_t>(0600));
}

// A crash leaves any part of the file: what is whole is kept, and the log is good for more.
TEST_F(AppendLogTest, KeepsEveryWholeRecordWhereverTheFileWasCutOff) {
  SeededRandomSource random(2, "records");
  for (int repeat = 0; repeat < 4; ++repeat) {
    Records records = RandomRecords(random);
    records.push_back("the last");
    const std::vector<std::size_t> ends = Make(records);
    const std::string whole = Read(path_);
    for (std::size_t length = 0; length <= whole.size(); ++length) {
      Write(path_, std::string_view(whole).substr(0, length));
      std::size_t kept = 0;
      while (kept < records.size() && ends[kept + 1] <= length) ++kept;
      const Records expected(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(kept));
      {
        absl::StatusOr<AppendLog> log = AppendLog::Open(path_, "test");
        ASSERT_TRUE(log.ok()) << "cut off at " << length << ": " << log.status();
        ASSERT_EQ(log->TakeRecords(), expected) << "cut off at " << length;
        ASSERT_TRUE(log->Append("after").ok());
      }
      Records more = expected;
      more.push_back("after");
      ASSERT_EQ(Reopen().value(), more) << "cut off at " << length;
    }
  }
}

// A file system may let a file grow before its bytes are there.
TEST_F(AppendLogTest, TakesBlanksAtTheEndForARecordThatWasNotWritten) {
  Make({"one", "two"});
  const std::string whole = Read(path_);
  for (const std::size_t blanks : {1, 27, 28, 29, 4096}) {
    Write(path_, whole + std::string(blanks, '\0'));
    EXPECT_THAT(Reopen().value(), ElementsAre("one", "two")) << blanks;
    EXPECT_EQ(Read(path_), whole);
  }
}

TEST_F(AppendLogTest, NeverForgetsARecordThatOthersFollow) {
  SeededRandomSource random(3, "records");
  for (int repeat = 0; repeat < 4; ++repeat) {
    Records records = RandomRecords(random);
    records.insert(records.end(), {"one before the last", "the last"});
    const std::vector<std::size_t> ends = Make(records);
    const std::string whole = Read(path_);
    const Records but_the_last(records.begin(), records.end() - 1);
    for (std::size_t byte = 0; byte < whole.size(); ++byte) {
      std::string damaged = whole;
      damaged[byte] = static_cast<char>(static_cast<unsigned char>(damaged[byte]) ^ (1U << random.NextBelow(8)));
      Write(path_, damaged);
      const absl::StatusOr<Records> read = Reopen();
      if (byte < ends[ends.size() - 2]) {
        ASSERT_TRUE(absl::IsDataLoss(read.status())) << "byte " << byte << " of " << whole.size();
        ASSERT_EQ(Read(path_), damaged) << "nothing may be cut off then";
      } else {
        ASSERT_TRUE(absl::IsDataLoss(read.status()) || read.value() == but_the_last) << "byte " << byte;
      }
    }
  }
}

TEST_F(AppendLogTest, NoticesRecordsThatWereTakenOutOrSwapped) {
  const std::vector<std::size_t> ends = Make({"aaaa", "bbbb", "cccc", "dddd"});
  const std::string whole = Read(path_);
  const auto record = [&](std::size_t i) { return whole.substr(ends[i], ends[i + 1] - ends[i]); };
  const std::string title = whole.substr(0, ends[0]);
  Write(path_, title + record(0) + record(2) + record(3));
  EXPECT_TRUE(absl::IsDataLoss(Reopen().status()));
  Write(path_, title + record(0) + record(2) + record(1) + record(3));
  EXPECT_TRUE(absl::IsDataLoss(Reopen().status()));
  Write(path_, title + record(1) + record(2) + record(3));
  EXPECT_TRUE(absl::IsDataLoss(Reopen().status()));
}

TEST_F(AppendLogTest, IsOfOneKind) {
  Make({"a"});
  EXPECT_TRUE(absl::IsDataLoss(AppendLog::Open(path_, "other").status()));
  Write(path_, "something else altogether, longer than a title\n");
  EXPECT_TRUE(absl::IsDataLoss(Reopen().status()));
  Write(path_, "flaim test 2\n");
  EXPECT_TRUE(absl::IsDataLoss(Reopen().status()));
}

TEST_F(AppendLogTest, IsHeldByOneObjectAtATime) {
  {
    const AppendLog log = AppendLog::Open(path_, "test").value();
    const absl::Status second = AppendLog::Open(path_, "test").status();
    EXPECT_TRUE(absl::IsFailedPrecondition(second));
    EXPECT_THAT(std::string(second.message()), HasSubstr("in use"));
  }
  EXPECT_TRUE(AppendLog::Open(path_, "test").ok());
}

TEST_F(AppendLogTest, IsHeldByOneProcessAtATime) {
  const AppendLog log = AppendLog::Open(path_, "test").value();
  const pid_t child = fork();
  if (child == 0) _exit(absl::IsFailedPrecondition(AppendLog::Open(path_, "test").status()) ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(AppendLogTest, StaysOneLogWhenItIsMoved) {
  AppendLog log = AppendLog::Open(path_, "test").value();
  ASSERT_TRUE(log.AppendDurably("one").ok());
  AppendLog moved = std::move(log);
  ASSERT_TRUE(moved.AppendDurably("two").ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(AppendLog::Open(path_, "test").status()));
}

// A disk that is full leaves half a record, behind which nothing may come.
TEST_F(AppendLogTest, TakesNothingMoreAfterARecordThatCouldNotBeWritten) {
  {
    AppendLog log = AppendLog::Open(path_, "test").value();
    ASSERT_TRUE(log.AppendDurably("whole").ok());
    struct rlimit before {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto previous = signal(SIGXFSZ, SIG_IGN);
    struct rlimit full = before;
    full.rlim_cur = std::filesystem::file_size(path_) + 40;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &full), 0);
    const absl::Status failed = log.Append(std::string(1000, 'x'));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, previous);
    EXPECT_FALSE(failed.ok());
    EXPECT_TRUE(absl::IsFailedPrecondition(log.Append("later")));
    EXPECT_TRUE(absl::IsFailedPrecondition(log.AppendDurably("later")));
  }
  EXPECT_THAT(Reopen().value(), ElementsAre("whole"));
}

TEST_F(AppendLogTest, RefusesWhatIsTooLarge) {
  AppendLog log = AppendLog::Open(path_, "test").value();
  const std::string_view too_large(static_cast<const char*>(nullptr), AppendLog::kMaxRecordBytes + 1);
  EXPECT_TRUE(absl::IsInvalidArgument(log.Append(too_large)));
  EXPECT_TRUE(log.Append("small").ok());
}

TEST_F(AppendLogTest, SaysWhatIsWrongWithTheFile) {
  EXPECT_THAT(std::string(AppendLog::Open("/no/such/folder/log", "test").status().message()),
              HasSubstr("/no/such/folder/log"));
}

TEST_F(AppendLogTest, IsRemovedWhenItHasServed) {
  Make({"a"});
  EXPECT_TRUE(RemoveFile(path_).ok());
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_TRUE(RemoveFile(path_).ok()) << "there is none";
  EXPECT_THAT(Reopen().value(), IsEmpty());
}

}  // namespace
}  // namespace flaim
