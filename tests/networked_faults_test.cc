// The networked runtime when programs are killed, connections break and sites stay away.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/networked_faults_testing.h"

namespace flaim::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(KilledCoordinator, GoesOnAsIfNothingHadHappenedFromWhereverItWas) {
  KillTheCoordinatorAtEveryStep(StudyOf("fed-naive-bayes"), 13);
}

TEST(KilledSite, IsDoneWithoutWhereverItWas) { KillASiteAtEveryMessage(StudyOf("fed-naive-bayes"), 1, 3); }

// The one that is killed comes back at once, and says that it has no part in the sum any more.
TEST(KilledSite, IsNotWaitedForInTheSumItWasIn) {
  NetworkedStudyForTest study(FolderForTest(), StudyOf("fed-naive-bayes"));
  const auto begun = study.Now();
  // Its messages: the welcome, the offer, the keys.
  ASSERT_TRUE(study.Run({.site_kill = SiteKill{.site = 2, .message = 2, .moment = Moment::kAfter}}).ok());
  EXPECT_EQ(study.site_crashes(), 1);
  ASSERT_FALSE(study.sums().empty());
  EXPECT_EQ(study.sums()[0].contributors.size(), 4U);
  EXPECT_LT(study.Now() - begun, Patience().connected);
}

// Within what the study promises: of seven sites, two may drop out of any sum.
TEST(NetworkedFederation, SurvivesSitesThatVanishAtRandom) {
  int crashes = 0;
  for (const std::uint64_t seed : {1, 7}) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    NetworkedStudyOptions options = StudyOf("augflaim-private", 2);
    options.sites = 7;
    options.minimum_sites = 5;
    options.seed = seed;
    NetworkedStudyForTest study(FolderForTest(), options);
    const absl::StatusOr<FittedModel> model = study.Run({.seed = seed,
                                                         .site_crash = 0.01,
                                                         .site_disconnect = 0.02,
                                                         .duplicate = 0.05,
                                                         .lose = 0.01,
                                                         .most_victims_per_sum = 2});
    ASSERT_TRUE(model.ok()) << model.status();
    ExpectSoundBooks(study);
    crashes += study.site_crashes();
  }
  EXPECT_GE(crashes, 2);
}

// Beyond what it promises a study may end without a model, but never with wrong sums or overdrawn accounts.
TEST(NetworkedFederation, KeepsItsBooksWhateverHappens) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    NetworkedStudyOptions options = StudyOf("naive-flaim", 2);
    options.seed = seed;
    NetworkedStudyForTest study(FolderForTest(), options);
    const absl::StatusOr<FittedModel> model = study.Run({.seed = seed,
                                                         .site_crash = 0.03,
                                                         .site_disconnect = 0.03,
                                                         .duplicate = 0.1,
                                                         .lose = 0.02,
                                                         .coordinator_crash = 0.02,
                                                         .most_coordinator_crashes = 10});
    EXPECT_TRUE(model.ok() || absl::IsUnavailable(model.status())) << model.status();
    EXPECT_GT(study.site_crashes(), 0);
    ExpectSoundBooks(study);
  }
}

// Of seven, two may drop out. Three cannot pay: without them the sum is made in a second attempt.
TEST(SitesThatCannotPay, AreNotAskedAgain) {
  NetworkedStudyOptions options = StudyOf("fed-naive-bayes");
  options.sites = 7;
  options.minimum_sites = 4;
  NetworkedStudyForTest study(FolderForTest(), options);
  for (const int site : {1, 3, 5}) study.SpendElsewhere(site);
  const absl::StatusOr<FittedModel> model = study.Run();
  ASSERT_TRUE(model.ok()) << model.status();
  ASSERT_FALSE(study.sums().empty());
  EXPECT_THAT(study.sums()[0].contributors, testing::ElementsAre(0U, 2U, 4U, 6U));
  ExpectSoundBooks(study);
}

TEST(TooManySites, ThatStayAwayEndARunThatCanBeTakenUpAgain) {
  // A sum's first 20 deliveries are the welcomes, the offers and the keys: nobody has sent counts.
  for (const int from : {7, 17}) {
    SCOPED_TRACE(from);
    NetworkedStudyForTest study(FolderForTest(), StudyOf("naive-flaim", 1));
    const absl::StatusOr<FittedModel> stopped = study.Run({.gone = {0, 1, 2}, .gone_from = from});
    ASSERT_TRUE(absl::IsUnavailable(stopped.status())) << stopped.status();
    EXPECT_THAT(std::string(stopped.status().message()), HasSubstr("2 of the round's 5 sites are there"));
    const absl::StatusOr<FittedModel> model = study.Run();
    ASSERT_TRUE(model.ok()) << model.status();
    ExpectSoundBooks(study);
  }
}

TEST(TooManySites, ThatVanishInTheMiddleOfASumNeverMakeAWrongOne) {
  for (const int from : {20, 35, 50}) {
    SCOPED_TRACE(from);
    NetworkedStudyForTest study(FolderForTest(), StudyOf("fed-naive-bayes"));
    const absl::StatusOr<FittedModel> stopped = study.Run({.gone = {0, 2, 4}, .gone_from = from});
    EXPECT_TRUE(stopped.ok() || absl::IsUnavailable(stopped.status())) << stopped.status();
    const absl::StatusOr<FittedModel> later = study.Run();
    EXPECT_TRUE(later.ok() || absl::IsUnavailable(later.status())) << later.status();
    ExpectSoundBooks(study);
  }
}

TEST(NetworkedFederation, LogsNoCountOfItsRows) {
  NetworkedStudyOptions options = StudyOf("fed-naive-bayes");
  options.rows = 76'543;
  options.sites = 3;
  options.bounds.dropout_share = 0;
  NetworkedStudyForTest study(FolderForTest(), options);
  ASSERT_TRUE(study.Run().ok());
  // Whoever has rows has tens of thousands of them; nobody's number is logged.
  std::map<std::uint32_t, int> rows;
  for (const std::uint32_t owner : study.data().partition.client_of_row) ++rows[owner];
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& [owner, count] : rows) EXPECT_THAT(study.logs(), Not(HasSubstr(fmt::format("{}", count))));
  EXPECT_THAT(study.logs(), HasSubstr("asked for a sum"));
}

}  // namespace
}  // namespace flaim::runtime
