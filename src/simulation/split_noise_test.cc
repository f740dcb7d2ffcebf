#include <cmath>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "secagg/noise/noise_plan.h"
#include "simulation/simulated_federation.h"
#include "simulation/simulated_federation_testing.h"

// Sums whose noise comes in as over the network, and groups that are too small to come together.
namespace flaim {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Clients = std::vector<ClientIndex>;

constexpr secagg::GroupBounds kBounds{.dropout_share = 0.25, .colluders = 1};

SimulationOptions Split(const Availability& availability) {
  SimulationOptions options = OptionsWith(availability);
  options.noise = SplitNoise{kBounds};
  return options;
}

CountsRequest WithNoise(const Rational& sigma_squared, std::int64_t round) {
  CountsRequest request = CountsOf({Clique({0, 1, 2})}, round);
  request.sigma_squared = sigma_squared;
  return request;
}

// Both with shares large enough to be drawn in counts, and with shares that are drawn in finer units.
TEST(SplitNoise, HasTheVarianceThatItsPlanPromises) {
  for (const Rational& sigma_squared : {Rational(400, 1), Rational(9, 1)}) {
    const SmallStudy study(8);
    const auto federation = study.FederateWithoutRows(Split(Everybody{}));
    ASSERT_TRUE(federation->Gather({}).ok());
    const Rational with_price = secagg::WithPriceOfSplitting(sigma_squared).value();
    const secagg::NoisePlan plan = secagg::NoisePlan::Make(with_price, kBounds.Of(8)).value();
    const auto units = static_cast<double>(plan.resolution());
    EXPECT_EQ(plan.resolution() > 1, sigma_squared == Rational(9, 1));
    const double rounding = plan.resolution() > 1 ? (units * units + 2) / (12 * units * units) : 0;
    const double variance = plan.VarianceOf(8) + rounding;
    const NoisyMarginals first = federation->SumCounts(WithNoise(sigma_squared, 1000)).value();
    EXPECT_DOUBLE_EQ(first.variance, variance) << "what the fit is told";
    EXPECT_EQ(first.contributors, 8);
    EXPECT_GT(variance, 1.5 * sigma_squared.ToDouble()) << "eight draw for five that are sure to be honest";
    double squares = 0;
    constexpr int kReleases = 500;
    for (std::int64_t release = 0; release < kReleases; ++release) {
      const NoisyMarginals sums = federation->SumCounts(WithNoise(sigma_squared, release)).value();
      for (const std::int64_t value : sums.marginals[0].counts)
        squares += static_cast<double>(value * value) / variance;
    }
    constexpr double kDegrees = 12 * kReleases;
    EXPECT_GT(ChiSquaredTailBound(squares, kDegrees), kTestAlpha);
    EXPECT_GT(squares, kDegrees - 2 * std::sqrt(kDegrees * -std::log(kTestAlpha)));
  }
}

TEST(SplitNoise, IsInTheSameSumAsTheWholeNoise) {
  const SmallStudy study(6);
  const Trace trace{{{0, 2, 3, 5}, {1, 2, 4}, {0, 1, 2, 3, 4, 5}}};
  const auto split = study.Federate(Split(trace));
  const auto whole = study.Federate(OptionsWith(trace));
  for (std::int64_t round = 1; round <= 3; ++round) {
    ASSERT_EQ(split->Gather({})->members, whole->Gather({})->members);
    const NoisyMarginals one = split->SumCounts(CountsOf(SomeCliques(), round)).value();
    const NoisyMarginals other = whole->SumCounts(CountsOf(SomeCliques(), round)).value();
    for (std::size_t i = 0; i < one.marginals.size(); ++i)
      EXPECT_EQ(one.marginals[i].counts, other.marginals[i].counts);
    EXPECT_THAT(one.provenance, HasSubstr("seed"));
    EXPECT_GT(one.variance, other.variance);
    EXPECT_EQ(other.variance, CountsOf(SomeCliques(), round).sigma_squared.ToDouble());
    EXPECT_EQ(one.contributors, other.contributors);
  }
}

TEST(SplitNoise, CostsWhatTheWholeNoiseCosts) {
  const SmallStudy study(6);
  const auto split = study.Federate(Split(Everybody{}));
  const auto whole = study.Federate(OptionsWith(Everybody{}));
  for (SimulatedFederation* federation : {split.get(), whole.get()}) {
    ASSERT_TRUE(federation->Gather({}).ok());
    ASSERT_TRUE(federation->SumCounts(CountsOf(SomeCliques(), 1)).ok());
    ASSERT_TRUE(federation->SumScores(SomeScores(study.table().domain(), 1)).ok());
  }
  for (AccountIndex client = 0; client < 6; ++client) {
    EXPECT_EQ(split->accounts().spent(client), whole->accounts().spent(client));
  }
}

TEST(SplitNoise, IsRefusedWhereNobodyIsSureToBeHonest) {
  const SmallStudy study(6);
  const auto federation = study.Federate(Split(Trace{{{3}}}));
  ASSERT_TRUE(federation->Gather({}).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(federation->SumCounts(CountsOf(SomeCliques(), 1)).status()));
}

TEST(LeastMembers, LeaveSmallerGroupsEmptyAtNobodysCost) {
  const SmallStudy study(5);
  SimulationOptions options = OptionsWith(Trace{{{0, 1}, {0, 1, 2}, {3}, {}, {0, 1, 2, 3, 4}}}, 1);
  options.least_members = 3;
  const auto federation = study.Federate(options);
  EXPECT_EQ(federation->Gather({})->members, 0);
  EXPECT_THAT(federation->participations(), Each(0));
  EXPECT_TRUE(absl::IsFailedPrecondition(federation->SumCounts(CountsOf(SomeCliques(), 1)).status()));
  const Group three = federation->Gather({}).value();
  EXPECT_EQ(three.members, 3);
  EXPECT_EQ(three.newcomers, 3) << "who was turned away has not served";
  EXPECT_EQ(federation->Gather({})->members, 0);
  EXPECT_EQ(federation->Gather({})->members, 0);
  EXPECT_EQ(federation->Gather({})->members, 0) << "of five, three have served already";
  EXPECT_THAT(federation->participations(), ElementsAre(1, 1, 1, 0, 0));
}

TEST(LeastMembers, LeaveTheInitialisationForALargerGroup) {
  const SmallStudy study(4);
  SimulationOptions options = OptionsWith(Trace{{{0}, {0, 1, 2, 3}}}, 1);
  options.least_members = 2;
  const auto federation = study.Federate(options);
  EXPECT_EQ(federation->Gather({.is_initialisation = true})->members, 0);
  EXPECT_EQ(federation->Gather({.is_initialisation = true})->members, 4);
}

}  // namespace
}  // namespace flaim
