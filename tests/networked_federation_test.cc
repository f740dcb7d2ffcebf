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

}  // namespace
}  // namespace flaim::runtime
