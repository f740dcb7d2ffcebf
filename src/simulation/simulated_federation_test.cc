#include "simulation/simulated_federation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "federation/client_answer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/samplers/chi_squared_testing.h"
#include "simulation/simulated_federation_testing.h"

// What comes out of a simulated federation, against brute force over the clients.
namespace flaim {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Clients = std::vector<ClientIndex>;

std::int64_t SumOf(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

Clients RandomGroup(std::size_t clients, RandomSource& random) {
  Clients group;
  for (ClientIndex client = 0; client < clients; ++client) {
    if (random.NextBelow(2) == 0) group.push_back(client);
  }
  return group.empty() ? Clients{0} : group;
}

TEST(SimulatedFederation, SumsTheCountsOfItsMembersOnly) {
  const SmallStudy study(6);
  SeededRandomSource random(1, "groups");
  Trace trace;
  for (int round = 0; round < 30; ++round) trace.rounds.push_back(RandomGroup(6, random));
  Oracle oracle(study.table(), false);
  SimulationOptions options = OptionsWith(trace);
  options.oracle = &oracle;
  const auto federation = study.Federate(options);
  for (std::int64_t round = 1; round <= 4; ++round) {
    const Clients& members = trace.rounds[static_cast<std::size_t>(round - 1)];
    ASSERT_EQ(federation->Gather({})->members, std::ssize(members));
    const NoisyMarginals sums = federation->SumCounts(CountsOf(SomeCliques(), round)).value();
    ASSERT_EQ(sums.marginals.size(), SomeCliques().size());
    for (const NoisyMarginal& marginal : sums.marginals) {
      EXPECT_EQ(marginal.counts, study.CountsOf(members, marginal.clique));
      EXPECT_EQ(oracle.RowsIn(round, marginal.clique, Contributors::kEverybody), SumOf(marginal.counts));
    }
    EXPECT_THAT(sums.provenance, HasSubstr("seed"));
  }
}

TEST(SimulatedFederation, AddsNoiseOfTheSizeThatIsPaidFor) {
  const SmallStudy study(3);
  const auto federation = study.FederateWithoutRows(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  constexpr double kVariance = 400;
  double squares = 0;
  std::set<std::vector<std::int64_t>> released;
  constexpr int kReleases = 400;
  for (std::int64_t release = 0; release < kReleases; ++release) {
    CountsRequest request = CountsOf({Clique({0, 1, 2})}, release);
    request.sigma_squared = Rational(static_cast<std::int64_t>(kVariance), 1);
    const NoisyMarginals sums = federation->SumCounts(request).value();
    released.insert(sums.marginals[0].counts);
    for (const std::int64_t value : sums.marginals[0].counts) squares += static_cast<double>(value * value) / kVariance;
  }
  EXPECT_EQ(released.size(), kReleases) << "noise was drawn twice";
  constexpr double kDegrees = 12 * kReleases;
  EXPECT_GT(ChiSquaredTailBound(squares, kDegrees), kTestAlpha);
  // Laurent and Massart's other bound: below d - 2 sqrt(d t) with probability at most exp(-t).
  EXPECT_GT(squares, kDegrees - 2 * std::sqrt(kDegrees * -std::log(kTestAlpha)));
}

// The noise does not depend on the scores, so it cancels against a federation without rows.
TEST(SimulatedFederation, SumsTheScoresOfItsMembers) {
  const SmallStudy study(6);
  const Trace trace{{{0, 2, 3, 5}, {1}, {0, 1, 2, 3, 4, 5}}};
  const auto federation = study.Federate(OptionsWith(trace));
  const auto without_rows = study.FederateWithoutRows(OptionsWith(trace));
  Parallel alone(1);
  for (std::int64_t round = 1; round <= 3; ++round) {
    ASSERT_TRUE(federation->Gather({}).ok());
    ASSERT_TRUE(without_rows->Gather({}).ok());
    const ScoresRequest request = SomeScores(study.table().domain(), round);
    const std::vector<std::int64_t> noisy = federation->SumScores(request)->values;
    const std::vector<std::int64_t> noise = without_rows->SumScores(request)->values;
    std::vector<std::int64_t> expected(request.candidates.size());
    for (const ClientIndex member : trace.rounds[static_cast<std::size_t>(round - 1)]) {
      ShareDistanceMeter meter;
      TableRows rows(study.RowsOf(Clients{member}), meter);
      const auto own = SummedScores(rows, request, SharesFor(request, alone).value()).value();
      for (std::size_t i = 0; i < own.size(); ++i) expected[i] += own[i];
    }
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(noisy[i] - noise[i], expected[i]);
  }
}

// Each marginal's rows say who contributed; each member contributes exactly as often as it chose.
void ExpectSumsOfChoosersOnly(const SmallStudy& study, SimulatedFederation& federation, const LocalChoices& tally,
                              const Clients& members, int steps) {
  CountsRequest request = CountsOf(SomeCliques(), 1);
  request.contributors = Contributors::kChoosers;
  request.choices_per_client = steps;
  const NoisyMarginals sums = federation.SumCounts(request).value();
  std::vector<int> contributions(study.clients());
  for (std::size_t i = 0; i < sums.marginals.size(); ++i) {
    const NoisyMarginal& marginal = sums.marginals[i];
    const Clients contributors = ClientsOf(SumOf(marginal.counts));
    EXPECT_EQ(std::ssize(contributors), tally.choosers[i]);
    EXPECT_EQ(marginal.counts, study.CountsOf(contributors, marginal.clique));
    for (const ClientIndex client : contributors) ++contributions[client];
  }
  for (ClientIndex client = 0; client < study.clients(); ++client) {
    const bool is_member = std::find(members.begin(), members.end(), client) != members.end();
    EXPECT_EQ(contributions[client], is_member ? steps : 0) << client;
  }
}

TEST(SimulatedFederation, SumsTheCountsOfChoosersOnly) {
  const SmallStudy study(8);
  const Clients members = {0, 1, 3, 4, 6, 7};
  for (int steps = 1; steps <= 3; ++steps) {
    const auto local = study.Federate(OptionsWith(Trace{{members}}));
    ASSERT_TRUE(local->Gather({}).ok());
    LocalSelection selection = SomeLocalSelection(study.table().domain(), 1);
    selection.steps = steps;
    ExpectSumsOfChoosersOnly(study, *local, local->ChooseLocally(selection).value(), members, steps);

    const auto at_random = study.Federate(OptionsWith(Trace{{members}}));
    ASSERT_TRUE(at_random->Gather({}).ok());
    const LocalChoices choices = at_random->ChooseAtRandom(SomeRandomSelection(1, steps)).value();
    ExpectSumsOfChoosersOnly(study, *at_random, choices, members, steps);
  }
}

TEST(SimulatedFederation, ForgetsChoicesWhenTheNextRoundBegins) {
  const SmallStudy study(4);
  const auto federation = study.Federate(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  ASSERT_TRUE(federation->ChooseAtRandom(SomeRandomSelection(1)).ok());
  ASSERT_TRUE(federation->Gather({}).ok());
  CountsRequest request = CountsOf(SomeCliques(), 2);
  request.contributors = Contributors::kChoosers;
  const NoisyMarginals sums = federation->SumCounts(request).value();
  for (const NoisyMarginal& marginal : sums.marginals) EXPECT_THAT(marginal.counts, Each(0));
}

// A client pays for a number of marginals, so it must not be talked into adding to more.
TEST(SimulatedFederation, RefusesMoreContributionsThanAClientPaysFor) {
  const SmallStudy study(4);
  const auto federation = study.Federate(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  ASSERT_TRUE(federation->ChooseAtRandom(SomeRandomSelection(1, 2)).ok());
  CountsRequest request = CountsOf(SomeCliques(), 1);
  request.contributors = Contributors::kChoosers;
  request.choices_per_client = 1;
  EXPECT_TRUE(absl::IsFailedPrecondition(federation->SumCounts(request).status()));
  EXPECT_TRUE(federation->accounts().debits().empty());
  request.choices_per_client = 2;
  EXPECT_TRUE(federation->SumCounts(request).ok());
  for (const Clique& clique : SomeCliques()) request.cliques.push_back(clique);
  request.name.query = "each marginal twice";
  EXPECT_TRUE(absl::IsFailedPrecondition(federation->SumCounts(request).status()));
}

TEST(SimulatedFederation, DoesNotChooseMoreThanThereIs) {
  const SmallStudy study(2);
  const auto federation = study.Federate(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  LocalSelection selection = SomeLocalSelection(study.table().domain(), 1);
  selection.steps = 6;
  EXPECT_TRUE(absl::IsInvalidArgument(federation->ChooseLocally(selection).status()));
  EXPECT_TRUE(federation->accounts().debits().empty());
  EXPECT_THAT(federation->ChooseAtRandom(SomeRandomSelection(1, 6))->choosers, Each(2));
}

TEST(SimulatedFederation, ChoosesAtRandomWithoutLookingAtRows) {
  const SmallStudy study(1);
  const auto federation = study.Federate(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  Counts counts;
  for (int draw = 0; draw < 20'000; ++draw) {
    const LocalChoices choices = federation->ChooseAtRandom(SomeRandomSelection(draw)).value();
    ++counts[std::max_element(choices.choosers.begin(), choices.choosers.end()) - choices.choosers.begin()];
  }
  EXPECT_GT(ChiSquaredPValue(counts, {{0, 0.2L}, {1, 0.2L}, {2, 0.2L}, {3, 0.2L}, {4, 0.2L}}), kTestAlpha);
  EXPECT_TRUE(federation->accounts().debits().empty()) << "it costs nothing";
}

// Clients that have the same rows, none, do not all choose the same.
TEST(SimulatedFederation, HasEachClientDrawNoiseOfItsOwn) {
  const SmallStudy study(16);
  const auto federation = study.FederateWithoutRows(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  LocalSelection selection = SomeLocalSelection(study.table().domain(), 1);
  selection.penalty_records.assign(5, 0);
  EXPECT_THAT(federation->ChooseLocally(selection)->choosers, Each(testing::Lt(16)));
  EXPECT_THAT(federation->ChooseAtRandom(SomeRandomSelection(1))->choosers, Each(testing::Lt(16)));
}

// w_q (|sum M_q - m_q|_1 - penalty), by its definition; none counts as a candidate of score 0.
TEST(SimulatedFederation, ChoosesByTheScoreOfTheSum) {
  const SmallStudy study(4);
  const Clients members = {0, 1, 3};
  const auto federation = study.Federate(OptionsWith(Trace{{members}}));
  ASSERT_TRUE(federation->Gather({}).ok());
  SumSelection request = SomeSumSelection(study.table().domain(), 0);
  request.expected = [half = request.expected](std::size_t i) {
    std::vector<double> expected = half(i);
    for (double& value : expected) value *= 2;
    return expected;
  };
  request.may_choose_none = true;
  Probabilities probabilities = {{5, 1}};
  for (std::size_t i = 0; i < request.candidates.size(); ++i) {
    const std::vector<std::int64_t> counts = study.CountsOf(members, request.candidates[i].clique);
    const std::vector<double> expected = request.expected(i);
    long double score = -request.penalty_records[i];
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      score += std::abs(static_cast<double>(counts[cell]) - expected[cell]);
    }
    score *= static_cast<long double>(request.candidates[i].weight);
    probabilities[static_cast<std::int64_t>(i)] = std::exp(0.5L * score / (2 * 3));
  }
  Normalise(probabilities);
  Counts choices;
  for (request.name.round = 1; request.name.round <= 20'000; ++request.name.round) {
    ++choices[static_cast<std::int64_t>(federation->ChooseBySum(request)->candidate.value_or(5))];
  }
  EXPECT_GT(ChiSquaredPValue(choices, probabilities), kTestAlpha);
}

TEST(SimulatedFederation, ChoosesNoneOnlyIfThatIsAllowed) {
  const SmallStudy study(3);
  const auto federation = study.Federate(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  SumSelection request = SomeSumSelection(study.table().domain(), 1);
  request.penalty_records.assign(5, 1e6);
  EXPECT_TRUE(federation->ChooseBySum(request)->candidate.has_value());
  request.name.round = 2;
  request.may_choose_none = true;
  EXPECT_FALSE(federation->ChooseBySum(request)->candidate.has_value());
}

// Every operation, one after the other, as text that says all that came out.
std::string RunOnce(const SmallStudy& study, std::uint64_t seed) {
  SimulationOptions options = OptionsWith(Poisson{0.6}, 4);
  options.seed = seed;
  const auto federation = study.Federate(options);
  std::string log;
  const auto add = [&](const auto& values) {
    for (const auto value : values) log += std::to_string(value) + ' ';
    log += '\n';
  };
  for (std::int64_t round = 1; round <= 4; ++round) {
    const Group group = federation->Gather({}).value();
    add(std::vector{group.round, group.members, group.newcomers});
    if (group.members == 0) continue;
    CountsRequest counts = CountsOf(SomeCliques(), round);
    counts.sigma_squared = Rational(100, 1);
    const NoisyMarginals sums = federation->SumCounts(counts).value();
    for (const NoisyMarginal& marginal : sums.marginals) add(marginal.counts);
    add(federation->SumScores(SomeScores(study.table().domain(), round))->values);
    LocalSelection local = SomeLocalSelection(study.table().domain(), round);
    local.steps = 2;
    local.heterogeneity = Heterogeneity::kProxy;
    add(federation->ChooseLocally(local)->choosers);
    local.name.query = "refit";
    local.refit = LocalRefit{Rational(4, 1), {study.table().domain(), {}, {}, 100, 1000}, {}};
    add(federation->ChooseLocally(local)->choosers);
    add(federation->ChooseAtRandom(SomeRandomSelection(round))->choosers);
    const SumSelection by_sum = SomeSumSelection(study.table().domain(), round);
    add(std::vector{federation->ChooseBySum(by_sum)->candidate.value_or(99)});
  }
  return log;
}

TEST(SimulatedFederation, GivesTheSameForAnyNumberOfThreadsAndInEveryRun) {
  SmallStudy study(9);
  const std::string alone = RunOnce(study, 5);
  EXPECT_EQ(RunOnce(study, 5), alone);
  for (const int threads : {2, 3}) {
    study.UseThreads(threads);
    EXPECT_EQ(RunOnce(study, 5), alone) << threads;
  }
  EXPECT_NE(RunOnce(study, 6), alone);
}

TEST(SimulatedFederation, WorksWithClientsThatHaveNoRows) {
  const SmallStudy study(3);
  Oracle oracle(study.table().Slice(0, 0), true);
  SimulationOptions options = OptionsWith(Everybody{});
  options.oracle = &oracle;
  const auto federation = study.FederateWithoutRows(options);
  ASSERT_EQ(federation->Gather({})->members, 3);
  EXPECT_THAT(federation->SumCounts(CountsOf({Clique({1})}, 1))->marginals[0].counts, ElementsAre(0, 0, 0));
  LocalSelection selection = SomeLocalSelection(study.table().domain(), 1);
  selection.heterogeneity = Heterogeneity::kProxy;
  EXPECT_EQ(SumOf(federation->ChooseLocally(selection)->choosers), 3);
  EXPECT_TRUE(federation->ChooseBySum(SomeSumSelection(study.table().domain(), 1)).ok());
}

}  // namespace
}  // namespace flaim
