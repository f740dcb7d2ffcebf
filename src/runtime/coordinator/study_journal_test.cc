#include "runtime/coordinator/study_journal.h"

#include <unistd.h>

#include <filesystem>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages.pb.h"

namespace flaim::runtime {
namespace {

Digest DigestOf(const std::string& text) { return Sha256(AsBytes(text)); }

std::vector<secagg::ParticipantId> RandomSites(RandomSource& random) {
  std::vector<secagg::ParticipantId> sites;
  for (std::uint64_t i = random.NextBelow(5); i > 0; --i) {
    sites.push_back(static_cast<secagg::ParticipantId>(random.NextBelow(1000)));
  }
  return sites;
}

StudyJournal::Gathered RandomGroup(RandomSource& random) {
  return {.round = static_cast<std::int64_t>(random.NextBelow(1000)),
          .members = RandomSites(random),
          .newcomers = static_cast<std::int64_t>(random.NextBelow(10))};
}

// Begun, done or failed.
StudyJournal::Sum RandomSum(RandomSource& random) {
  StudyJournal::Sum sum;
  random.Fill(std::as_writable_bytes(std::span(sum.request)));
  random.Fill(std::as_writable_bytes(std::span(sum.session)));
  sum.round = static_cast<std::int64_t>(random.NextBelow(100));
  sum.query = fmt::format("query {}", random.NextBelow(100));
  sum.invited = RandomSites(random);
  sum.deadline_unix_ms = static_cast<std::int64_t>(random.NextU64() >> 1);
  sum.attempt = static_cast<int>(1 + random.NextBelow(5));
  if (random.NextBelow(3) == 0) sum.failure = "because";
  sum.is_done = !sum.failure && random.NextBelow(2) == 0;
  if (!sum.is_done) return sum;
  sum.contributors = RandomSites(random);
  for (std::uint64_t i = random.NextBelow(5); i > 0; --i)
    sum.counts.push_back(static_cast<std::int64_t>(random.NextU64()));
  return sum;
}

void ExpectEqual(const StudyJournal::Sum& one, const StudyJournal::Sum& other) {
  const auto all = [](const StudyJournal::Sum& sum) {
    return std::tie(sum.request, sum.round, sum.query, sum.session, sum.invited, sum.deadline_unix_ms, sum.attempt,
                    sum.failure, sum.is_done, sum.contributors, sum.counts);
  };
  EXPECT_TRUE(all(one) == all(other));
}

class StudyJournalTest : public testing::Test {
 protected:
  ~StudyJournalTest() override { std::filesystem::remove(path_); }

  StudyJournal Open() { return StudyJournal::Open(path_).value(); }
  // Writes a record as it is.
  void Append(const messages::JournalRecord& record) {
    AppendLog log = AppendLog::Open(path_, "journal").value();
    ASSERT_TRUE(log.AppendDurably(record.SerializeAsString()).ok());
  }

  std::string path_ = fmt::format("{}flaim-journal-{}-{}", testing::TempDir(),
                                  testing::UnitTest::GetInstance()->current_test_info()->name(), ::getpid());
};

TEST_F(StudyJournalTest, KnowsHowTheStudyBegan) {
  EXPECT_FALSE(Open().begun());
  const StudyJournal::Begun begun{.manifest = DigestOf("manifest"), .roster = "roster", .schedule_seed = ~0ULL};
  {
    StudyJournal journal = Open();
    ASSERT_TRUE(journal.Begin(begun).ok());
    EXPECT_EQ(journal.begun()->roster, "roster");
  }
  const StudyJournal journal = Open();
  ASSERT_TRUE(journal.begun());
  EXPECT_EQ(journal.begun()->manifest, begun.manifest);
  EXPECT_EQ(journal.begun()->roster, begun.roster);
  EXPECT_EQ(journal.begun()->schedule_seed, begun.schedule_seed);
}

using Past = std::vector<std::variant<StudyJournal::Gathered, StudyJournal::Sum>>;

Past WriteRandomly(StudyJournal& journal, RandomSource& random) {
  Past past;
  for (std::uint64_t i = random.NextBelow(12); i > 0; --i) {
    if (random.NextBelow(3) == 0) {
      const StudyJournal::Gathered gathered = RandomGroup(random);
      EXPECT_TRUE(journal.Record(gathered).ok());
      past.emplace_back(gathered);
      continue;
    }
    const StudyJournal::Sum sum = RandomSum(random);
    EXPECT_TRUE(journal.RecordBegun(sum).ok());
    if (sum.is_done || sum.failure) {
      EXPECT_TRUE((sum.is_done ? journal.RecordDone(sum) : journal.RecordFailed(sum)).ok());
    }
    past.emplace_back(sum);
  }
  return past;
}

TEST_F(StudyJournalTest, ReplaysWhatWasSettledInItsOrder) {
  SeededRandomSource random(1, "journals");
  for (int repeat = 0; repeat < 15; ++repeat) {
    std::filesystem::remove(path_);
    Past past;
    {
      StudyJournal journal = Open();
      past = WriteRandomly(journal, random);
    }
    StudyJournal journal = Open();
    for (const auto& next : past) {
      if (const auto* sum = std::get_if<StudyJournal::Sum>(&next)) {
        EXPECT_TRUE(absl::IsDataLoss(journal.ReplayGathered().status())) << "the next is a sum";
        ExpectEqual(journal.ReplaySum()->value(), *sum);
        continue;
      }
      EXPECT_TRUE(absl::IsDataLoss(journal.ReplaySum().status())) << "the next is a group";
      const StudyJournal::Gathered gathered = journal.ReplayGathered()->value();
      const auto& expected = std::get<StudyJournal::Gathered>(next);
      EXPECT_EQ(gathered.round, expected.round);
      EXPECT_EQ(gathered.members, expected.members);
      EXPECT_EQ(gathered.newcomers, expected.newcomers);
    }
    EXPECT_FALSE(journal.ReplaySum()->has_value());
    EXPECT_FALSE(journal.ReplayGathered()->has_value());
  }
}

TEST_F(StudyJournalTest, ShowsWhatIsLeftToReplay) {
  {
    StudyJournal journal = Open();
    ASSERT_TRUE(journal.Record(StudyJournal::Gathered{.round = 1, .members = {1}, .newcomers = 1}).ok());
    ASSERT_TRUE(journal.Record(StudyJournal::Gathered{.round = 2, .members = {1}, .newcomers = 0}).ok());
  }
  StudyJournal journal = Open();
  EXPECT_EQ(journal.past().size(), 2U);
  ASSERT_TRUE(journal.ReplayGathered().ok());
  ASSERT_EQ(journal.past().size(), 1U);
  EXPECT_EQ(std::get<StudyJournal::Gathered>(journal.past().front()).round, 2);
}

TEST_F(StudyJournalTest, DoesNotReplayWhatThisRunHasSettled) {
  StudyJournal journal = Open();
  ASSERT_TRUE(journal.Record(StudyJournal::Gathered{.round = 1, .members = {1}, .newcomers = 1}).ok());
  EXPECT_FALSE(journal.ReplayGathered()->has_value());
}

TEST_F(StudyJournalTest, FinishesASumThatAnEarlierRunBegan) {
  SeededRandomSource random(2, "journals");
  StudyJournal::Sum sum = RandomSum(random);
  {
    StudyJournal journal = Open();
    ASSERT_TRUE(journal.RecordBegun(sum).ok());
  }
  {
    StudyJournal journal = Open();
    const StudyJournal::Sum begun = journal.ReplaySum()->value();
    EXPECT_FALSE(begun.is_done);
    EXPECT_FALSE(begun.failure);
    EXPECT_EQ(begun.session, sum.session);
    sum.failure.reset();
    sum.is_done = true;
    sum.counts = {1, -2, 3};
    ASSERT_TRUE(journal.RecordDone(sum).ok());
  }
  EXPECT_EQ(Open().ReplaySum()->value().counts, sum.counts);
}

TEST_F(StudyJournalTest, RefusesAnEndThatBelongsToNoSum) {
  const auto expect_damaged = [this](const messages::JournalRecord& record) {
    Append(record);
    EXPECT_TRUE(absl::IsDataLoss(StudyJournal::Open(path_).status()));
    std::filesystem::remove(path_);
  };
  messages::JournalRecord done;
  done.mutable_sum_done()->set_session(std::string(32, 's'));
  messages::JournalRecord failed;
  failed.mutable_sum_failed()->set_session(std::string(32, 's'));
  messages::JournalRecord begun;
  begun.mutable_sum_begun()->set_session(std::string(32, 'o'));
  begun.mutable_sum_begun()->set_request(std::string(32, 'r'));
  messages::JournalRecord group;
  group.mutable_gathered()->set_round(1);
  for (const messages::JournalRecord& end : {done, failed}) {
    expect_damaged(end);
    Append(begun);
    expect_damaged(end);
    Append(group);
    expect_damaged(end);
  }
}

TEST_F(StudyJournalTest, RefusesWhatItDoesNotUnderstand) {
  messages::JournalRecord short_digest;
  short_digest.mutable_begun()->set_manifest("short");
  messages::JournalRecord short_session;
  short_session.mutable_sum_begun()->set_request(std::string(32, 'r'));
  short_session.mutable_sum_begun()->set_session("short");
  for (const messages::JournalRecord& record : {messages::JournalRecord(), short_digest, short_session}) {
    Append(record);
    EXPECT_TRUE(absl::IsDataLoss(StudyJournal::Open(path_).status()));
    std::filesystem::remove(path_);
  }
  {
    StudyJournal journal = Open();
    ASSERT_TRUE(journal.Begin({.manifest = {}, .roster = "a", .schedule_seed = 1}).ok());
    ASSERT_TRUE(journal.Begin({.manifest = {}, .roster = "b", .schedule_seed = 1}).ok());
  }
  EXPECT_TRUE(absl::IsDataLoss(StudyJournal::Open(path_).status())) << "a study begins once";
}

}  // namespace
}  // namespace flaim::runtime
