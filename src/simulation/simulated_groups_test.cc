#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/budget/budget_refusal.h"
#include "simulation/simulated_federation.h"
#include "simulation/simulated_federation_testing.h"

// Who answers in a simulated federation, what it may be asked, and what each answer costs.
namespace flaim {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using Clients = std::vector<ClientIndex>;

// The members of the group, told by their rows.
Clients Members(SimulatedFederation& federation, std::int64_t round) {
  const NoisyMarginals sums = federation.SumCounts(CountsOf({Clique({0})}, round)).value();
  return ClientsOf(std::accumulate(sums.marginals[0].counts.begin(), sums.marginals[0].counts.end(), std::int64_t{0}));
}

std::vector<Clients> RandomRounds(std::size_t clients, int rounds, std::uint64_t seed) {
  SeededRandomSource random(seed, "rounds");
  std::vector<Clients> result;
  for (int round = 0; round < rounds; ++round) {
    Clients& present = result.emplace_back();
    for (ClientIndex client = 0; client < clients; ++client) {
      if (random.NextBelow(3) == 0) present.push_back(client);
    }
  }
  return result;
}

TEST(SimulatedGroups, HaveEachClientUntilItsCapAndThenNoMore) {
  const SmallStudy study(7);
  for (int cap = 1; cap <= 4; ++cap) {
    const std::vector<Clients> rounds = RandomRounds(7, 20, 3);
    const auto federation = study.Federate(OptionsWith(Trace{rounds}, cap));
    std::vector<int> served(7);
    for (std::int64_t round = 1; round <= 20; ++round) {
      Clients expected;
      for (const ClientIndex client : rounds[static_cast<std::size_t>(round - 1)]) {
        if (served[client] == cap) continue;
        expected.push_back(client);
        ++served[client];
      }
      const Group group = federation->Gather({}).value();
      EXPECT_EQ(group.round, round);
      EXPECT_EQ(group.members, std::ssize(expected));
      EXPECT_TRUE(std::equal(served.begin(), served.end(), federation->participations().begin()));
      if (!expected.empty()) {
        EXPECT_EQ(Members(*federation, round), expected);
      }
    }
    EXPECT_THAT(served, Each(cap)) << "the test has no power";
  }
}

TEST(SimulatedGroups, InitialiseOnceAndForFree) {
  const SmallStudy study(3);
  const auto federation = study.Federate(OptionsWith(Trace{{{0, 1}, {1, 2}, {0, 1, 2}}}, 1));
  EXPECT_EQ(federation->Gather({.is_initialisation = true})->members, 2);
  EXPECT_TRUE(absl::IsFailedPrecondition(federation->Gather({.is_initialisation = true}).status()));
  const Group second = federation->Gather({}).value();
  EXPECT_EQ(second.members, 2);
  EXPECT_EQ(second.newcomers, 1);
  EXPECT_EQ(Members(*federation, 2), (Clients{1, 2}));
  EXPECT_EQ(federation->Gather({})->members, 1);
  EXPECT_EQ(Members(*federation, 3), (Clients{0}));
}

TEST(SimulatedGroups, CanBeInitialisedLaterIfNobodyCame) {
  const SmallStudy study(3);
  const auto federation = study.Federate(OptionsWith(Trace{{{}, {2}}}, 1));
  EXPECT_EQ(federation->Gather({.is_initialisation = true})->members, 0);
  EXPECT_EQ(federation->Gather({.is_initialisation = true})->members, 1);
}

TEST(SimulatedGroups, OfAPoolGrowAndCountNobodyTwice) {
  const SmallStudy study(8);
  const std::vector<Clients> rounds = RandomRounds(8, 12, 4);
  const auto federation = study.Federate(OptionsWith(Trace{rounds}, 1));
  std::set<ClientIndex> pool;
  for (std::int64_t round = 1; round <= 12; ++round) {
    const Clients& present = rounds[static_cast<std::size_t>(round - 1)];
    const std::size_t before = pool.size();
    pool.insert(present.begin(), present.end());
    const Group group = federation->Gather({.membership = Membership::kPool}).value();
    EXPECT_EQ(group.members, std::ssize(pool));
    EXPECT_EQ(group.newcomers, static_cast<std::int64_t>(pool.size() - before));
    if (pool.empty()) continue;
    EXPECT_EQ(Members(*federation, round), Clients(pool.begin(), pool.end()));
    EXPECT_EQ(federation->accounts().debits().back().payers, Clients(pool.begin(), pool.end()));
  }
  EXPECT_EQ(pool.size(), 8U) << "the test has no power";
}

// A deferred start waits until enough have uploaded.
TEST(SimulatedGroups, OfAPoolMayBeInitialisedWhileItFills) {
  const SmallStudy study(3);
  const auto federation = study.Federate(OptionsWith(Trace{{{0}, {1}, {0, 2}}}, 1));
  for (std::int64_t members = 1; members <= 3; ++members) {
    const auto group = federation->Gather({.membership = Membership::kPool, .is_initialisation = true});
    ASSERT_TRUE(group.ok()) << group.status();
    EXPECT_EQ(group->members, members);
  }
}

struct Operation {
  const char* name;
  std::function<absl::Status(SimulatedFederation&, std::int64_t round)> run;
};

std::vector<Operation> Operations(const Domain& domain) {
  return {
      {"sum of counts", [](auto& f, auto round) { return f.SumCounts(CountsOf(SomeCliques(), round)).status(); }},
      {"sum of scores", [=](auto& f, auto round) { return f.SumScores(SomeScores(domain, round)).status(); }},
      {"choice by sum", [=](auto& f, auto round) { return f.ChooseBySum(SomeSumSelection(domain, round)).status(); }},
      {"local choice",
       [=](auto& f, auto round) { return f.ChooseLocally(SomeLocalSelection(domain, round)).status(); }},
      {"random choice", [](auto& f, auto round) { return f.ChooseAtRandom(SomeRandomSelection(round)).status(); }},
      {"pool", [](auto& f, auto) { return f.Gather({.membership = Membership::kPool}).status(); }},
  };
}

TEST(SimulatedTrust, AllowsWhatItSaysAndNothingElse) {
  const SmallStudy study(3);
  struct Case {
    TrustModel trust;
    std::set<std::string> allowed;
  };
  const Case cases[] = {
      {{.sums = false}, {}},
      {{}, {"sum of counts", "sum of scores"}},
      {{.local_choices = true}, {"sum of counts", "sum of scores", "local choice", "random choice"}},
      {{.compute_parties = true}, {"sum of counts", "sum of scores", "choice by sum", "pool"}},
      {{.sums = false, .local_choices = true}, {"local choice", "random choice"}},
  };
  for (const Case& expected : cases) {
    SimulationOptions options = OptionsWith(Everybody{});
    options.trust = expected.trust;
    const auto federation = study.Federate(options);
    ASSERT_TRUE(federation->Gather({}).ok());
    std::int64_t round = 0;
    for (const Operation& operation : Operations(study.table().domain())) {
      const std::size_t debits = federation->accounts().debits().size();
      const absl::Status status = operation.run(*federation, ++round);
      const bool is_allowed = expected.allowed.contains(operation.name);
      EXPECT_EQ(status.ok(), is_allowed) << operation.name << " with " << ToString(expected.trust) << ": " << status;
      if (is_allowed) continue;
      EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
      EXPECT_EQ(federation->accounts().debits().size(), debits) << "refused, and paid for";
    }
  }
}

TEST(SimulatedGroups, AnswerNothingWhenEmpty) {
  const SmallStudy study(3);
  const auto federation = study.Federate(OptionsWith(Trace{{{1}, {}}}));
  for (int gathered = 0; gathered < 3; ++gathered) {
    if (gathered > 0) {
      ASSERT_TRUE(federation->Gather({}).ok());
    }
    if (gathered == 1) continue;
    for (const Operation& operation : Operations(study.table().domain())) {
      if (std::string(operation.name) == "pool" || std::string(operation.name) == "true rows") continue;
      const absl::Status status = operation.run(*federation, 1);
      EXPECT_TRUE(absl::IsFailedPrecondition(status)) << operation.name << ": " << status;
    }
  }
  EXPECT_TRUE(federation->accounts().debits().empty());
  for (const ClientTraffic& traffic : federation->traffic().of_client()) EXPECT_EQ(traffic.exchanges, 0);
}

TEST(SimulatedPayments, AreWhatTheRequestsSayAndFromMembersOnly) {
  const SmallStudy study(4);
  const Domain& domain = study.table().domain();
  const auto federation = study.Federate(OptionsWith(Trace{{{1, 3}}}));
  ASSERT_TRUE(federation->Gather({}).ok());
  LocalSelection local = SomeLocalSelection(domain, 1);
  local.steps = 3;
  local.refit = LocalRefit{Rational(4, 1), {domain, {}, {}, 100, 1000}, {}};
  ASSERT_TRUE(federation->SumCounts(CountsOf(SomeCliques(), 1)).ok());
  ASSERT_TRUE(federation->SumScores(SomeScores(domain, 1)).ok());
  ASSERT_TRUE(federation->ChooseBySum(SomeSumSelection(domain, 1)).ok());
  ASSERT_TRUE(federation->ChooseLocally(local).ok());
  ASSERT_TRUE(federation->ChooseAtRandom(SomeRandomSelection(1)).ok());
  const Mechanism kept = GaussianMechanism{Rational(4, 1)};
  const Mechanism selection = *MechanismOf(local);
  const std::vector<std::pair<std::string, Mechanism>> expected = {
      {"counts", MechanismOf(CountsOf(SomeCliques(), 1))},
      {"scores", MechanismOf(SomeScores(domain, 1))},
      {"select by sum", *MechanismOf(SomeSumSelection(domain, 1))},
      {"select 1", selection},
      {"select 1, kept", kept},
      {"select 2", selection},
      {"select 2, kept", kept},
      {"select 3", selection}};
  const auto debits = federation->accounts().debits();
  ASSERT_EQ(debits.size(), expected.size());
  Rho spent;
  for (std::size_t i = 0; i < debits.size(); ++i) {
    EXPECT_EQ(debits[i].name, (ReleaseName{"run", 1, expected[i].first}));
    EXPECT_EQ(debits[i].mechanism, expected[i].second) << debits[i].name.query;
    EXPECT_EQ(debits[i].payers, (Clients{1, 3}));
    spent = spent + CostOf(expected[i].second);
  }
  for (ClientIndex client = 0; client < 4; ++client) {
    EXPECT_EQ(federation->accounts().spent(client), client % 2 == 1 ? spent : Rho());
  }
}

TEST(SimulatedPayments, AreRefusedBeyondTheAllowance) {
  const SmallStudy study(3);
  for (const Operation& operation : Operations(study.table().domain())) {
    const std::string name = operation.name;
    if (name == "pool" || name == "true rows" || name == "random choice") continue;
    SimulationOptions options = OptionsWith(Everybody{});
    options.allowance = Rho::FromUnits(1);
    const auto federation = study.Federate(options);
    ASSERT_TRUE(federation->Gather({}).ok());
    EXPECT_TRUE(IsBudgetRefusal(operation.run(*federation, 1))) << name;
    EXPECT_EQ(federation->accounts().MostSpent(), Rho()) << name;
  }
}

TEST(SimulatedPayments, BuyANameOnce) {
  const SmallStudy study(3);
  const auto federation = study.Federate(OptionsWith(Everybody{}));
  ASSERT_TRUE(federation->Gather({}).ok());
  for (const Operation& operation : Operations(study.table().domain())) {
    const std::string name = operation.name;
    if (name == "pool" || name == "random choice") continue;
    EXPECT_TRUE(operation.run(*federation, 1).ok()) << name;
    EXPECT_TRUE(absl::IsAlreadyExists(operation.run(*federation, 1))) << name;
  }
}

TEST(SimulatedTraffic, CountsPackedBytes) {
  const SmallStudy study(3);
  const Domain& domain = study.table().domain();
  const auto federation = study.Federate(OptionsWith(Trace{{{0, 2}}}));
  ASSERT_TRUE(federation->Gather({}).ok());
  const auto expect = [&](std::int64_t sent, std::int64_t received, std::int64_t exchanges) {
    for (const ClientIndex client : {0, 2}) {
      const ClientTraffic& traffic = federation->traffic().of_client()[client];
      EXPECT_EQ(traffic.sent_bytes, sent);
      EXPECT_EQ(traffic.received_bytes, received);
      EXPECT_EQ(traffic.exchanges, exchanges);
    }
    EXPECT_EQ(federation->traffic().of_client()[1].exchanges, 0);
  };
  constexpr std::int64_t kCells = 2 + 3 + 2 + 6 + 6;
  ASSERT_TRUE(federation->SumCounts(CountsOf(SomeCliques(), 1)).ok());
  expect(4 * kCells, 4 * 5, 1);
  ASSERT_TRUE(federation->SumScores(SomeScores(domain, 1)).ok());
  expect(4 * kCells + 4 * 5, 4 * 5 + 8 * 12 + 4 * 5, 2);
  LocalSelection local = SomeLocalSelection(domain, 1);
  local.steps = 2;
  ASSERT_TRUE(federation->ChooseLocally(local).ok());
  expect(4 * kCells + 4 * 5 + 4 * 2, 2 * (8 * 12 + 4 * 5) + 4 * 5, 3);
  ASSERT_TRUE(federation->ChooseAtRandom(SomeRandomSelection(1)).ok());
  expect(4 * kCells + 4 * 5 + 4 * 2 + 4, 2 * (8 * 12 + 4 * 5) + 2 * 4 * 5, 4);
  // For choices by their sum, counts are shared out, once for a group.
  constexpr std::int64_t kShared = 8 * kCells + 2 * 16;
  for (const int selection : {1, 2}) {
    ASSERT_TRUE(federation->ChooseBySum(SomeSumSelection(domain, selection)).ok());
    expect(4 * kCells + 4 * 5 + 4 * 2 + 4 + kShared, 2 * (8 * 12 + 4 * 5) + 3 * 4 * 5, 5);
  }
}

TEST(SimulatedTraffic, HasNewcomersOfAPoolUploadOnce) {
  const SmallStudy study(3);
  const auto federation = study.Federate(OptionsWith(Trace{{{0}, {0, 2}, {0, 2}}}));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(federation->Gather({.membership = Membership::kPool, .upload_cells = 40}).ok());
  }
  for (const ClientIndex client : {0, 2}) {
    const ClientTraffic& traffic = federation->traffic().of_client()[client];
    EXPECT_EQ(traffic.sent_bytes, 8 * 40 + 2 * 16);
    EXPECT_EQ(traffic.received_bytes, 0);
    EXPECT_EQ(traffic.exchanges, 1);
  }
  EXPECT_EQ(federation->traffic().of_client()[1].exchanges, 0);
}

TEST(SimulatedFederation, RefusesASettingWithoutMeaning) {
  const SmallStudy study(2);
  Parallel& parallel = study.parallel();
  const Table no_rows = study.table().Slice(0, 0);
  SimulationOptions options = OptionsWith(Everybody{}, 0);
  const absl::Status no_cap = SimulatedFederation::Create(no_rows, {}, 2, options, parallel).status();
  EXPECT_TRUE(absl::IsInvalidArgument(no_cap));
  EXPECT_THAT(std::string(no_cap.message()), HasSubstr("at least 1"));
  options = OptionsWith(Poisson{2});
  EXPECT_TRUE(absl::IsInvalidArgument(SimulatedFederation::Create(no_rows, {}, 2, options, parallel).status()));
  options = OptionsWith(Everybody{});
  EXPECT_TRUE(absl::IsInvalidArgument(SimulatedFederation::Create(no_rows, {}, 0, options, parallel).status()));
}

}  // namespace
}  // namespace flaim
