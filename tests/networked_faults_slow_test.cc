// The networked runtime when programs are killed, at more places and in larger studies.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/networked_faults_testing.h"

namespace flaim::runtime {
namespace {

NetworkedStudyOptions FewSites(NetworkedStudyOptions options) {
  options.sites = 3;
  options.bounds.dropout_share = 0.34;
  return options;
}

TEST(KilledCoordinator, GoesOnFromEveryStepOfAStudyWithLocalChoices) {
  KillTheCoordinatorAtEveryStep(FewSites(StudyOf("naive-flaim", 1)), 1);
}

TEST(KilledCoordinator, GoesOnFromEveryStepOfAStudyWithoutChoices) {
  KillTheCoordinatorAtEveryStep(StudyOf("fed-naive-bayes"), 1);
}

TEST(KilledSite, IsDoneWithoutInEveryMessageOfAStudyWithLocalChoices) {
  KillASiteAtEveryMessage(FewSites(StudyOf("naive-flaim", 1)), 1, 1);
}

TEST(KilledSite, IsDoneWithoutInEveryMessageOfAStudyWithRandomChoices) {
  KillASiteAtEveryMessage(FewSites(StudyOf("flaim-random", 1)), 0, 1);
}

TEST(NetworkedFederation, SurvivesManySitesThatVanishAtRandom) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    NetworkedStudyOptions options = StudyOf(seed % 2 == 0 ? "augflaim-private" : "naive-flaim", 3);
    options.sites = 10;
    options.minimum_sites = 7;
    options.bounds.dropout_share = 0.3;
    options.seed = seed;
    NetworkedStudyForTest study(FolderForTest(), options);
    const absl::StatusOr<FittedModel> model = study.Run({.seed = seed,
                                                         .site_crash = 0.01,
                                                         .site_disconnect = 0.01,
                                                         .duplicate = 0.05,
                                                         .lose = 0.01,
                                                         .most_victims_per_sum = 2});
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_GE(study.site_crashes(), 3);
    ExpectSoundBooks(study);
  }
}

TEST(NetworkedFederation, SurvivesACoordinatorThatIsKilledTwentyTimes) {
  for (const std::uint64_t seed : {1, 2}) {
    NetworkedStudyOptions options = StudyOf("augflaim-private", 5);
    options.sites = 8;
    options.seed = seed;
    NetworkedStudyForTest study(FolderForTest(), options);
    const absl::StatusOr<FittedModel> model =
        study.Run({.seed = seed, .duplicate = 0.05, .coordinator_crash = 0.02, .most_coordinator_crashes = 20});
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ(study.coordinator_crashes(), 20);
    ExpectSoundBooks(study);
    ExpectSameModel(*model, study.Simulate().value());
  }
}

TEST(NetworkedFederation, KeepsItsBooksWhateverHappensInManyStudies) {
  int finished = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    NetworkedStudyOptions options = StudyOf("naive-flaim", 2);
    options.seed = seed;
    NetworkedStudyForTest study(FolderForTest(), options);
    const absl::StatusOr<FittedModel> model = study.Run({.seed = seed,
                                                         .site_crash = 0.02,
                                                         .site_disconnect = 0.02,
                                                         .duplicate = 0.1,
                                                         .lose = 0.02,
                                                         .coordinator_crash = 0.02,
                                                         .most_coordinator_crashes = 10});
    finished += model.ok() ? 1 : 0;
    EXPECT_TRUE(model.ok() || absl::IsUnavailable(model.status())) << model.status();
    ExpectSoundBooks(study);
  }
  EXPECT_GT(finished, 0);
}

}  // namespace
}  // namespace flaim::runtime
