#include "secagg/graph/graph_parameters.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim::secagg {
namespace {

using ::testing::HasSubstr;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

ParticipantBounds FivePercentOf(int invited) { return {invited, invited / 20, invited / 20}; }

TEST(ChooseCircle, GivesThePublishedValuesUnderThePublishedRule) {
  const auto published = [](int invited) {
    return ChooseCircle(FivePercentOf(invited), {}, DropoutModel::kIndependentOfGraph).value();
  };
  EXPECT_EQ(published(100), (GraphParameters{16, 11}));
  EXPECT_EQ(published(1000), (GraphParameters{52, 37}));
  EXPECT_EQ(published(10'000), (GraphParameters{62, 44}));
}

TEST(ChooseCircle, TakesALittleMoreAgainstAServerThatFeignsDropouts) {
  EXPECT_EQ(ChooseCircle(FivePercentOf(1000)).value(), (GraphParameters{54, 39}));
  EXPECT_EQ(ChooseCircle(FivePercentOf(10'000)).value(), (GraphParameters{68, 49}));
  EXPECT_EQ(ChooseCircle(FivePercentOf(1'000'000)).value(), (GraphParameters{84, 60}));
}

TEST(SecurityFailure, OfThePublishedValuesIsAboveTwoToMinusFortyOnceDropoutsAreFeigned) {
  EXPECT_LT(SecurityFailureLog2(1000, 50, {52, 37}, DropoutModel::kIndependentOfGraph), -40);
  EXPECT_NEAR(SecurityFailureLog2(1000, 50, {52, 37}), -39.1, 0.05);
  EXPECT_LT(SecurityFailureLog2(10'000, 500, {62, 44}, DropoutModel::kIndependentOfGraph), -40);
  EXPECT_NEAR(SecurityFailureLog2(10'000, 500, {62, 44}), -34.8, 0.05);
}

bool Keeps(const ParticipantBounds& bounds, const FailureBits& bits, const GraphParameters& parameters) {
  for (int participants = bounds.LeastSurvivors(); participants <= bounds.invited; ++participants) {
    if (SecurityFailureLog2(participants, bounds.colluders, parameters) > -bits.security) return false;
  }
  return CorrectnessFailureLog2(bounds, parameters) <= -bits.correctness;
}

TEST(ChooseCircle, FindsTheLeastDegreeAndThresholdThatTrialFinds) {
  SeededRandomSource random(1);
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int invited = 10 + static_cast<int>(random.NextBelow(60));
    const ParticipantBounds bounds{invited, static_cast<int>(random.NextBelow(invited / 3)),
                                   static_cast<int>(random.NextBelow(invited / 3))};
    const FailureBits bits{2 + 6 * random.NextUnit(), 1 + 4 * random.NextUnit()};
    GraphParameters least;
    for (int degree = 2; degree <= bounds.LeastSurvivors() - 2 && least.degree == 0; degree += 2) {
      for (int threshold = degree / 2 + 1; threshold <= degree && least.degree == 0; ++threshold) {
        if (Keeps(bounds, bits, {degree, threshold})) least = {degree, threshold};
      }
    }
    const auto chosen = ChooseCircle(bounds, bits);
    EXPECT_EQ(chosen.ok(), least.degree > 0);
    if (!chosen.ok()) continue;
    ++found;
    EXPECT_EQ(*chosen, least) << chosen->degree << " " << chosen->threshold;
  }
  EXPECT_GT(found, 100);
  EXPECT_LT(found, 300);
}

TEST(ChooseGraph, KeepsItsBoundsForEveryNumberOfParticipantsThatMayBeLeft) {
  for (const int invited : {201, 260, 500, 1000}) {
    const ParticipantBounds bounds = FivePercentOf(invited);
    EXPECT_TRUE(Keeps(bounds, {}, ChooseGraph(bounds).value())) << invited;
  }
}

TEST(ChooseGraph, IsCompleteUpToTwoHundredAndACircleBeyond) {
  EXPECT_EQ(ChooseGraph(FivePercentOf(200)).value().degree, 199);
  EXPECT_EQ(ChooseGraph(FivePercentOf(201)).value(), ChooseCircle(FivePercentOf(201)).value());
}

TEST(ChooseGraph, FallsBackToTheCompleteGraphWhereNoCircleIsGoodEnough) {
  const ParticipantBounds bounds{300, 100, 50};
  EXPECT_FALSE(ChooseCircle(bounds).ok());
  const GraphParameters complete = ChooseGraph(bounds).value();
  EXPECT_EQ(complete.degree, 299);
  EXPECT_EQ(SecurityFailureLog2(300, 50, complete), kImpossible);
}

TEST(ChooseGraph, OfTheSmallestSumsIsWhatCanBeWorkedOutByHand) {
  EXPECT_EQ(ChooseGraph({1, 0, 0}).value(), (GraphParameters{0, 0}));
  EXPECT_EQ(ConfirmationsNeeded(1, 0), 0);
  EXPECT_EQ(ChooseGraph({2, 0, 0}).value(), (GraphParameters{1, 1}));
  EXPECT_EQ(ConfirmationsNeeded(2, 0), 1);
  EXPECT_EQ(ChooseGraph({3, 1, 0}).value(), (GraphParameters{2, 2}));
  EXPECT_EQ(ConfirmationsNeeded(3, 0), 1);
  EXPECT_FALSE(ChooseGraph({2, 1, 0}).ok());
}

// Can a server that tells every honest neighbour one of two stories collect `threshold` shares of both kinds?
bool CanCollectBothKinds(int degree, int colluders, int threshold) {
  const int honest = degree - colluders;
  for (int first = 0; first <= honest; ++first) {
    if (first + colluders >= threshold && honest - first + colluders >= threshold) return true;
  }
  return false;
}

// The same once `confirmations` neighbours, colluders among them, have signed one story.
bool CanCollectTheOtherKind(int degree, int colluders, int threshold, int confirmations) {
  const int bound_to_one_story = std::max(confirmations - colluders, 0);
  return degree - bound_to_one_story >= threshold;
}

TEST(ChooseGraph, OfACompleteGraphIsPossibleExactlyWhereTrialFindsAThreshold) {
  for (int invited = 2; invited <= 16; ++invited) {
    for (int dropouts = 0; dropouts < invited; ++dropouts) {
      for (int colluders = 0; colluders < invited - dropouts; ++colluders) {
        const int degree = invited - 1;
        int least = 0;
        for (int threshold = 1; threshold <= degree - std::max(dropouts - 1, 0) && least == 0; ++threshold) {
          if (CanCollectBothKinds(degree, colluders, threshold)) continue;
          if (CanCollectTheOtherKind(degree, colluders, threshold, degree - dropouts)) continue;
          least = threshold;
        }
        const auto chosen = ChooseGraph({invited, dropouts, colluders});
        SCOPED_TRACE(testing::Message() << invited << " " << dropouts << " " << colluders);
        ASSERT_EQ(chosen.ok(), least > 0);
        if (!chosen.ok()) continue;
        EXPECT_EQ(*chosen, (GraphParameters{degree, least}));
      }
    }
  }
}

TEST(CompleteGraph, StaysCertainWhoeverVanishesBeforeItIsDrawn) {
  int checked = 0;
  for (int invited = 1; invited <= 40; ++invited) {
    for (int dropouts = 0; dropouts < invited; ++dropouts) {
      for (int colluders = 0; colluders < invited - dropouts; ++colluders) {
        const auto chosen = ChooseGraph({invited, dropouts, colluders});
        if (!chosen.ok()) continue;
        for (int early = 0; early <= dropouts; ++early) {
          const int left = invited - early;
          SCOPED_TRACE(testing::Message() << invited << " " << dropouts << " " << colluders << " " << early);
          EXPECT_EQ(SecurityFailureLog2(left, colluders, *chosen), kImpossible);
          EXPECT_EQ(CorrectnessFailureLog2({left, dropouts - early, colluders}, *chosen), kImpossible);
          const int degree = EffectiveDegree(left, *chosen);
          const int threshold = EffectiveThreshold(left, *chosen);
          EXPECT_EQ(degree, left - 1);
          if (degree == 0) continue;
          EXPECT_GE(threshold, 1);
          EXPECT_LE(threshold, degree);
          EXPECT_FALSE(CanCollectTheOtherKind(degree, colluders, threshold, ConfirmationsNeeded(left, colluders)));
          EXPECT_LE(ConfirmationsNeeded(left, colluders), invited - dropouts - 1);
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 10'000);
}

TEST(CompleteGraph, IsInsecureWithOneColluderMoreThanItsThresholdBears) {
  EXPECT_EQ(SecurityFailureLog2(20, 2, {19, 11}), kImpossible);
  EXPECT_EQ(SecurityFailureLog2(20, 3, {19, 11}), 0);
}

TEST(CompleteGraph, FailsWithOneDropoutMoreThanItBears) {
  const GraphParameters parameters = ChooseGraph({20, 5, 2}).value();
  EXPECT_EQ(CorrectnessFailureLog2({20, 5, 2}, parameters), kImpossible);
  int borne = 5;
  while (CorrectnessFailureLog2({20, borne, 2}, parameters) == kImpossible) ++borne;
  EXPECT_EQ(CorrectnessFailureLog2({20, borne, 2}, parameters), 0);
  EXPECT_LT(borne, 19);
}

TEST(ConfirmationsNeeded, CannotBeHadForTwoSetsAndNotForFewer) {
  for (int participants = 1; participants <= 60; ++participants) {
    for (int colluders = 0; colluders < participants; ++colluders) {
      // Honest participants sign once, colluders twice; whoever counts has signed too.
      const int signatures = participants + colluders;
      const int needed = ConfirmationsNeeded(participants, colluders) + 1;
      EXPECT_GT(2 * needed, signatures);
      EXPECT_LE(2 * (needed - 1), signatures);
    }
  }
}

TEST(NeighboursNeeded, AreTheThresholdOnACircleEvenIfNobodyColludes) {
  EXPECT_EQ(NeighboursNeeded(1000, 0, {54, 39}), 39);
  EXPECT_EQ(NeighboursNeeded(1000, 50, {54, 39}), 39);
  EXPECT_EQ(NeighboursNeeded(10, 1, {9, 6}), ConfirmationsNeeded(10, 1));
}

TEST(CircleGraph, CannotBeHadWhereTooFewAreLeftToConfirm) {
  EXPECT_EQ(CorrectnessFailureLog2({1000, 500, 0}, {200, 101}), 0);
  EXPECT_LT(CorrectnessFailureLog2({1000, 400, 0}, {200, 101}), 0);
}

TEST(SecurityFailure, NeedsColluders) {
  EXPECT_EQ(SecurityFailureLog2(1000, 0, {54, 39}), kImpossible);
  EXPECT_EQ(SecurityFailureLog2(1000, 23, {54, 39}), kImpossible) << "two runs take 12 each, a neighbourhood 24";
  EXPECT_GT(SecurityFailureLog2(1000, 24, {54, 39}), kImpossible);
}

TEST(ChooseGraph, SaysInPlainWordsWhatToChange) {
  const auto message = [](const ParticipantBounds& bounds, const FailureBits& bits = {}) {
    const auto chosen = ChooseGraph(bounds, bits);
    EXPECT_EQ(chosen.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(chosen.status().message());
  };
  EXPECT_THAT(message({10, 6, 4}), HasSubstr("nobody honest is sure to be left; allow fewer dropouts or colluders"));
  EXPECT_THAT(message({10, 5, 2}), HasSubstr("allow fewer dropouts or fewer colluders, or invite more sites"));
  EXPECT_THAT(message({100'000, 40'000, 30'000}), HasSubstr("allow fewer dropouts or fewer colluders"));
  EXPECT_THAT(message({0, 0, 0}), HasSubstr("a sum takes from 1 to"));
  EXPECT_THAT(message({10, -1, 0}), HasSubstr("cannot be negative"));
  EXPECT_THAT(message({10, 1, 0}, {-3, 20}), HasSubstr("2^--3"));
  EXPECT_THAT(message({10, 1, 0}, {40, std::numeric_limits<double>::quiet_NaN()}), HasSubstr("nan"));
}

}  // namespace
}  // namespace flaim::secagg
