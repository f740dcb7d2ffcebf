#include <algorithm>
#include <numeric>

#include "algorithms/methods/presets.h"
#include "base/seeded_random_source.h"
#include "evaluation/workload_error_testing.h"
#include "federated_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"
#include "privacy/budget/budget_refusal.h"

// Whole methods on input that is unusual or wrong: the sensible result, or a clear error.
namespace flaim {
namespace {

using ::testing::HasSubstr;

DealtStudy OneAttribute() {
  SeededRandomSource random(3, "one attribute");
  const Domain domain = testing_tables::DomainOfSizes({4});
  DealtStudy study{testing_tables::TableOf(domain, testing_tables::RandomRows(domain, 200, random)), {.clients = 5}};
  for (std::uint32_t row = 0; row < 200; ++row) study.partition.client_of_row.push_back(row % 5);
  return study;
}

DealtStudy WithoutRows() { return {MakeStudy(1, 5).table.Slice(0, 0), {.clients = 5}}; }

void ExpectAModelFromEveryPreset(const DealtStudy& study, const RunSettings& settings) {
  for (const Method& method : SmallPresets()) {
    const FinishedRun run = RunStudy(method, study, settings);
    EXPECT_TRUE(run.model.ok()) << method.name << ": " << run.model.status();
    if (!run.model.ok()) continue;
    EXPECT_GT(run.model->model.total(), 0) << method.name;
    const std::vector<double> shares = run.model->model.Query().Answer(Clique({0}));
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9) << method.name;
  }
}

TEST(FederatedInput, MayHaveOneClient) {
  ExpectAModelFromEveryPreset(MakeStudy(500, 1), {.availability = Everybody{}});
}

TEST(FederatedInput, MayHaveMoreClientsThanRows) {
  ExpectAModelFromEveryPreset(MakeStudy(10, 40), {.availability = TakingTurns{0.25}});
}

TEST(FederatedInput, MayHaveNoRowsAtAll) { ExpectAModelFromEveryPreset(WithoutRows(), {.availability = Everybody{}}); }

TEST(FederatedInput, MayHaveOneAttribute) {
  const DealtStudy study = OneAttribute();
  ExpectAModelFromEveryPreset(study, {.workload = AllKWay(study.table.domain(), 1).value()});
}

TEST(FederatedInput, MayAskForOneWaysOnly) {
  const DealtStudy study = MakeStudy(500, 10);
  ExpectAModelFromEveryPreset(study, {.workload = AllKWay(study.table.domain(), 1).value()});
}

TEST(FederatedInput, MayHaveGroupsWithoutAnybody) {
  ExpectAModelFromEveryPreset(MakeStudy(500, 6), {.availability = Trace{{{}, {2}, {}, {0, 4, 3, 5}, {1}, {}, {}}}});
}

TEST(FederatedInput, IsRefusedIfAPoolWaitsForClientsThatNeverCome) {
  Method method = FindMethod("dist-aim").value();
  method.pool_share_at_start = 1;
  const FinishedRun run = RunStudy(method, MakeStudy(100, 6), {.availability = Trace{{{0, 1}, {2}}}});
  EXPECT_TRUE(absl::IsFailedPrecondition(run.model.status())) << run.model.status();
  EXPECT_THAT(std::string(run.model.status().message()), HasSubstr("only 3 have come"));
  EXPECT_TRUE(run.federation->accounts().debits().empty());
}

// Ten clients with all rows, or nine with all of them and one with a single row: the shares of the last are all noise,
// and must not pass for a difference between groups.
TEST(FederatedInput, MayHaveAClientOfOneRow) {
  DealtStudy even = MakeStudy(3000, 10);
  DealtStudy uneven = even;
  for (std::uint32_t row = 0; row < 3000; ++row) {
    even.partition.client_of_row[row] = row % 10;
    uneven.partition.client_of_row[row] = row == 0 ? 9 : row % 9;
  }
  const Method method = FindMethod("flaim-once").value();
  const FinishedRun with_even = RunStudy(method, even, {.availability = TakingTurns{0.1}});
  const FinishedRun with_uneven = RunStudy(method, uneven, {.availability = TakingTurns{0.1}});
  ASSERT_TRUE(with_even.model.ok() && with_uneven.model.ok());
  const auto error = [&](const FinishedRun& run) {
    Parallel parallel(1);
    return ErrorAgainst(even.table, run.model->model, AllKWay(even.table.domain(), 2).value(), parallel)->queries;
  };
  EXPECT_LT(error(with_uneven), 1.5 * error(with_even) + 0.02);
}

TEST(FederatedInput, IsRefusedIfNobodyEverComes) {
  for (const Availability& availability : {Availability(Poisson{0}), Availability(TakingTurns{0})}) {
    for (const Method& method : SmallPresets()) {
      const FinishedRun run = RunStudy(method, MakeStudy(100, 6), {.availability = availability});
      EXPECT_TRUE(absl::IsFailedPrecondition(run.model.status())) << method.name << ": " << run.model.status();
      EXPECT_THAT(std::string(run.model.status().message()), HasSubstr("no client was ever available"));
      EXPECT_TRUE(run.federation->accounts().debits().empty());
    }
  }
}

TEST(FederatedInput, IsRefusedWithoutRounds) {
  for (Method method : SmallPresets()) {
    if (std::holds_alternative<Annealed>(method.rounds)) method.rounds = Annealed{0};
    if (std::holds_alternative<FixedRounds>(method.rounds)) method.rounds = FixedRounds{0};
    if (std::holds_alternative<ChooseThenMeasure>(method.rounds)) method.rounds = ChooseThenMeasure{.rounds = 0};
    const FinishedRun run = RunStudy(method, MakeStudy(100, 6), {});
    EXPECT_TRUE(absl::IsInvalidArgument(run.model.status())) << method.name << ": " << run.model.status();
  }
}

// What is not private needs somebody who knows what nobody may know, and a real federation has no such person.
TEST(FederatedInput, NeedsAnInsiderWhereAMethodIsNotPrivate) {
  const DealtStudy study = MakeStudy(100, 6);
  const PrivacyBudget budget = PrivacyBudget::Create(1, 1e-5).value();
  Parallel parallel(1);
  NoRounds nobody;
  for (const Method& method : SmallPresets()) {
    if (IsPrivate(method)) continue;
    const auto plan = MakeSpendingPlan(method, budget, study.table.domain().size()).value();
    const auto federation =
        SimulatedFederation::Create(study.table, study.partition.client_of_row, study.partition.clients,
                                    {.availability = Everybody{},
                                     .trust = TrustOf(method),
                                     .allowance = plan->client_terms().allowance,
                                     .participation_cap = 100},
                                    parallel)
            .value();
    const absl::Status status = RunMethod(method, {.budget = budget}, *plan, AllKWay(study.table.domain(), 2).value(),
                                          *federation, parallel, nobody)
                                    .status();
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << method.name << ": " << status;
    EXPECT_EQ(federation->accounts().MostSpent(), Rho()) << method.name;
  }
}

TEST(FederatedInput, IsRefusedIfTheBudgetDoesNotPayForARound) {
  for (const Method& method : SmallPresets()) {
    const RunSettings settings{.budget = PrivacyBudget::Create(1e-9, 1e-12).value()};
    const FinishedRun run = RunStudy(method, MakeStudy(100, 6), settings);
    EXPECT_TRUE(IsBudgetRefusal(run.model.status())) << method.name << ": " << run.model.status();
    EXPECT_THAT(std::string(run.model.status().message()), HasSubstr("Raise epsilon"));
  }
}

// Nobody is asked for anything before enough have uploaded, and then all of them are in every sum.
TEST(FederatedInput, MayDeferTheStartUntilAllHaveUploaded) {
  for (const char* name : {"dist-aim", "dist-aim-once"}) {
    Method method = FindMethod(name).value();
    method.pool_share_at_start = 1;
    const FinishedRun run = RunStudy(method, MakeStudy(500, 10), {.availability = Poisson{0.3}});
    ASSERT_TRUE(run.model.ok()) << name << ": " << run.model.status();
    for (const SharedDebit& debit : run.federation->accounts().debits()) EXPECT_EQ(debit.payers.size(), 10U) << name;
    EXPECT_GT(std::count_if(run.tape.requests.begin(), run.tape.requests.end(),
                            [](const std::string& request) { return request.starts_with("gather"); }),
              2)
        << "nobody had to wait";
  }
}

// More groups without anybody than the initialisation waits for, and then somebody.
TEST(FederatedInput, MayStartVeryLate) {
  Trace late{std::vector<std::vector<ClientIndex>>(1002)};
  late.rounds.push_back({0, 1, 2});
  const auto expect_runs = [&](const Method& method, const ResearchSettings& research) {
    const FinishedRun run = RunStudy(method, MakeStudy(500, 6), {.availability = late, .research = research});
    EXPECT_TRUE(run.model.ok() || absl::IsFailedPrecondition(run.model.status())) << method.name << run.model.status();
  };
  for (const Method& method : SmallPresets()) {
    if (!method.IsOneTable()) expect_runs(method, {});
  }
  for (const char* name : {"naive-flaim", "augflaim-private"}) {
    expect_runs(FindMethod(name).value(), {.is_published_code = true});
  }
}

}  // namespace
}  // namespace flaim
