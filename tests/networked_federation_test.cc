// The networked runtime against the simulation: the same algorithm, port and noise, so the same model, bit for bit.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/networked_faults_testing.h"

namespace flaim::runtime {
namespace {

class EveryMethod : public testing::TestWithParam<NetworkedStudyOptions> {};

TEST_P(EveryMethod, GivesTheSimulationsModelBitForBit) {
  NetworkedStudyForTest study(FolderForTest(), GetParam());
  const absl::StatusOr<FittedModel> networked = study.Run();
  ASSERT_TRUE(networked.ok()) << networked.status();
  ExpectSoundBooks(study);
  const absl::StatusOr<FittedModel> simulated = study.Simulate();
  ASSERT_TRUE(simulated.ok()) << simulated.status();
  ExpectSameModel(*networked, *simulated);
}

TEST_P(EveryMethod, StaysTheSameWhenTheCoordinatorIsKilledAndMessagesAreRepeated) {
  NetworkedStudyForTest study(FolderForTest(), GetParam());
  const Faults faults{.seed = 5, .duplicate = 0.1, .coordinator_crash = 0.05, .most_coordinator_crashes = 20};
  const absl::StatusOr<FittedModel> networked = study.Run(faults);
  ASSERT_TRUE(networked.ok()) << networked.status();
  EXPECT_GE(study.coordinator_crashes(), 5);
  ExpectSoundBooks(study);
  const absl::StatusOr<FittedModel> simulated = study.Simulate();
  ASSERT_TRUE(simulated.ok()) << simulated.status();
  ExpectSameModel(*networked, *simulated);
}

NetworkedStudyOptions InTurns() {
  NetworkedStudyOptions options = StudyOf("flaim-once");
  options.availability = "turns";
  options.sites = 12;
  options.participation = 0.34;
  options.bounds.dropout_share = 0.3;
  return options;
}

NetworkedStudyOptions SummedScores() {
  NetworkedStudyOptions options = StudyOf("flaim-once", 2);
  options.method.Set("selection", "summed-scores");
  options.method.Set("accounting", "cap");
  options.method.Set("cap", 2);
  return options;
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod,
                         testing::Values(StudyOf("augflaim-private", 3), StudyOf("naive-flaim", 3),
                                         StudyOf("flaim-random", 2), StudyOf("fed-naive-bayes"), InTurns(),
                                         SummedScores()));

// Three of five are sure to bring the noise that is paid for; all five do.
TEST(NetworkedFederation, TellsTheFitHowMuchNoiseItsSumsHave) {
  NetworkedStudyForTest study(FolderForTest(), StudyOf("fed-naive-bayes"));
  const absl::StatusOr<FittedModel> model = study.Run();
  ASSERT_TRUE(model.ok()) << model.status();
  const auto spending = study.study().plan.spending->Clone();
  const double paid = spending->Initialisation()->one_way_sigma_squared->ToDouble();
  ASSERT_FALSE(model->report.measurements.empty());
  for (const Measurement& measured : model->report.measurements) {
    EXPECT_NEAR(measured.variance, paid * 5 / 3, 0.2 + 0.001 * paid);
  }
}

// A site that vanishes between the invitation and its counts is in the group, but not in the sum.
TEST(NetworkedFederation, ScalesForASiteThatDropsOutOfASum) {
  int dropouts = 0;
  for (int from = 8; from < 24; from += 2) {
    NetworkedStudyOptions options = StudyOf("fed-naive-bayes");
    options.rows = 20'000;
    NetworkedStudyForTest study(FolderForTest(), options);
    const absl::StatusOr<FittedModel> model = study.Run({.gone = {4}, .gone_from = from});
    ASSERT_TRUE(model.ok()) << model.status();
    const std::vector<secagg::ParticipantId>& contributors = study.sums().front().contributors;
    if (contributors.size() == 5 || study.SumsInJournal().front().invited.size() == 4) continue;
    ++dropouts;
    double rows = 0;
    for (const std::uint32_t owner : study.data().partition.client_of_row) rows += owner != 4 ? 1 : 0;
    EXPECT_NEAR(model->model.total(), rows * 5 / 4, 0.01 * rows) << from;
  }
  EXPECT_GT(dropouts, 0);
}

// What a journal says of its groups must follow from the schedule, too.
TEST(Journal, IsRefusedIfItHasAGroupThatCannotHaveComeTogether) {
  const StudyJournal::Gathered impossible[] = {
      {.round = 2, .members = {}, .newcomers = 0},
      {.round = 1, .members = {0, 1, 2}, .newcomers = 1},     // the first group is all newcomers
      {.round = 1, .members = {0, 1, 1, 2}, .newcomers = 4},  // twice
      {.round = 1, .members = {2, 1, 0}, .newcomers = 3},
      {.round = 1, .members = {0, 1, 77}, .newcomers = 3},  // nobody
      {.round = 1, .members = {0, 1}, .newcomers = 2},      // too few
  };
  for (const StudyJournal::Gathered& gathered : impossible) {
    NetworkedStudyForTest study(FolderForTest(), StudyOf("naive-flaim", 2));
    {
      StudyJournal journal = StudyJournal::Open(study.JournalPath()).value();
      ASSERT_TRUE(journal.Begin({.manifest = study.study().digest, .roster = "", .schedule_seed = 1}).ok());
      ASSERT_TRUE(journal.Record(gathered).ok());
    }
    const absl::Status status = study.Run().status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  }
}

}  // namespace
}  // namespace flaim::runtime
