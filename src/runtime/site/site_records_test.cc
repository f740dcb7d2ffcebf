#include "runtime/site/site_records.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/site/site_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SiteRecordsTest : public testing::Test {
 protected:
  SiteRecords Open() { return SiteRecords::Open(folder_ / "records.log", study_.domain()).value(); }

  ScratchFolder folder_;
  Study study_ = StudyForTest(ManifestForTest(PresetForTest("naive-flaim"))).value();
};

TEST_F(SiteRecordsTest, KnowsNothingAtFirst) {
  const SiteRecords records = Open();
  EXPECT_FALSE(records.pinned_roster());
  EXPECT_EQ(records.RoundsServed(), 0);
  EXPECT_FALSE(records.initialisation());
  EXPECT_FALSE(records.ChoiceOf({"run", 1, "select"}));
  EXPECT_THAT(records.CountedIn(1), IsEmpty());
}

TEST_F(SiteRecordsTest, KnowsEverythingAgainAfterItWasClosed) {
  const SumRequest counts = CountsForTest(3, "counts", {Clique({0, 1}), Clique({2})});
  SumRequest initialisation = CountsForTest(2, "one-ways", {Clique({1})});
  initialisation.is_initialisation = true;
  {
    SiteRecords records = Open();
    ASSERT_TRUE(records.Pin("a roster").ok());
    ASSERT_TRUE(records.Begin(SessionForTest(1)).ok());
    ASSERT_TRUE(records.Serve(SessionForTest(1), Encode(counts).request).ok());
    ASSERT_TRUE(records.Serve(SessionForTest(2), Encode(initialisation).request).ok());
    ASSERT_TRUE(records.GiveUpLast().ok());
    ASSERT_TRUE(records.Choose({"run", 3, "select"}, {Clique({0, 1}), Clique({1, 2})}).ok());
    ASSERT_TRUE(records.Choose({"run", 3, "select more"}, {Clique({2})}).ok());
  }
  SiteRecords records = Open();
  EXPECT_EQ(records.pinned_roster(), "a roster");
  EXPECT_TRUE(absl::IsAlreadyExists(records.Begin(SessionForTest(1))));
  EXPECT_TRUE(records.Begin(SessionForTest(2)).ok());
  EXPECT_EQ(records.RoundsServed(), 1);
  EXPECT_TRUE(records.HasServedIn(3));
  EXPECT_FALSE(records.HasServedIn(2));
  EXPECT_EQ(records.initialisation(), 2);
  ASSERT_EQ(records.served().size(), 2U);
  EXPECT_EQ(records.served()[0].request.name(), counts.name());
  EXPECT_TRUE(records.served()[0].is_paid);
  EXPECT_FALSE(records.served()[1].is_paid);
  ASSERT_EQ(records.CountedIn(3).size(), 1U);
  EXPECT_EQ(records.CountedIn(3)[0].cliques, std::get<CountsRequest>(counts.body).cliques);
  EXPECT_EQ(records.CountedIn(3)[0].sigma_squared, std::get<CountsRequest>(counts.body).sigma_squared);
  EXPECT_THAT(records.ChoiceOf({"run", 3, "select"}).value(), ElementsAre(Clique({0, 1}), Clique({1, 2})));
  EXPECT_THAT(records.ChosenIn(3), ElementsAre(Clique({0, 1}), Clique({1, 2}), Clique({2})));
  EXPECT_THAT(records.ChosenIn(2), IsEmpty());
}

TEST_F(SiteRecordsTest, AnswersASessionOnce) {
  SiteRecords records = Open();
  EXPECT_TRUE(records.Begin(SessionForTest(7)).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(records.Begin(SessionForTest(7))));
}

TEST_F(SiteRecordsTest, AreHeldByOneProgram) {
  const SiteRecords records = Open();
  EXPECT_TRUE(absl::IsFailedPrecondition(SiteRecords::Open(folder_ / "records.log", study_.domain()).status()));
}

TEST_F(SiteRecordsTest, RefuseWhatTheyDoNotUnderstand) {
  for (const std::string& record : {std::string("\xff\xff"), std::string()}) {
    const std::string path = folder_ / "strange.log";
    {
      AppendLog log = AppendLog::Open(path, "site record").value();
      ASSERT_TRUE(log.AppendDurably(record).ok());
    }
    EXPECT_TRUE(absl::IsDataLoss(SiteRecords::Open(path, study_.domain()).status()));
    ASSERT_TRUE(RemoveFile(path).ok());
  }
}

}  // namespace
}  // namespace flaim::runtime
