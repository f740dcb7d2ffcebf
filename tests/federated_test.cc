#include <algorithm>
#include <map>
#include <regex>
#include <string>

#include "federated_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "privacy/accountants/zcdp_accountant.h"

// Every preset, from the rows of its clients to a model: what it releases, what that costs, what it depends on.
namespace flaim {
namespace {

using ::testing::HasSubstr;

class FederatedMethod : public testing::TestWithParam<Method> {
 protected:
  static const DealtStudy& Study() {
    static const auto& study = *new DealtStudy(MakeStudy(3000, 20));
    return study;
  }
};

std::string NameOf(const testing::TestParamInfo<Method>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Presets, FederatedMethod, testing::ValuesIn(SmallPresets()), NameOf);

// The independent accountant, client by client.
void ExpectHonestAccounts(const FinishedRun& run, const Method& method, const PrivacyBudget& budget) {
  const AccountBook& accounts = run.federation->accounts();
  const bool is_capped = method.accounting != Accounting::kPaper && method.membership == Membership::kPresent;
  for (AccountIndex client = 0; client < accounts.size(); ++client) {
    const long double paid = AuditAccount(accounts, client);
    EXPECT_NEAR(static_cast<double>(paid / RhoFor(budget).ToDouble()),
                accounts.spent(client).ToDouble() / RhoFor(budget).ToDouble(), 1e-9);
    EXPECT_LE(accounts.spent(client), accounts.allowance());
    if (is_capped) {
      EXPECT_LE(run.federation->participations()[client], method.participation_cap);
    }
    if (method.accounting != Accounting::kExact) {
      EXPECT_LE(paid, RhoFor(budget).ToDouble());
    } else if (client % 5 == 0) {
      EXPECT_LE(BestDelta(ScheduleOf(accounts, client), budget.epsilon()).value(), budget.delta());
    }
  }
}

// Split over those who are sure to bring it, the noise of a sum is more than was paid for when all do. Reports, and the
// penalty of candidates, are told what is there.
TEST(FederatedRun, ReportsAndPenalisesTheNoiseThatItsSumsHave) {
  const DealtStudy study = MakeStudy(3000, 20);
  for (const Method& method : SmallPresets()) {
    if (method.name != "naive-flaim") continue;
    RunSettings settings{.availability = Everybody{}};
    const FinishedRun whole = RunStudy(method, study, settings);
    const secagg::GroupBounds bounds{.dropout_share = 0.25, .colluders = 5};
    settings.noise = SplitNoise{bounds};
    const FinishedRun split = RunStudy(method, study, settings);
    ASSERT_TRUE(whole.model.ok() && split.model.ok());
    ASSERT_EQ(whole.reports.size(), split.reports.size());
    for (std::size_t round = 0; round < whole.reports.size(); ++round) {
      const double surplus = split.reports[round].sigma / whole.reports[round].sigma;
      EXPECT_NEAR(surplus * surplus, 2, 0.01) << "twenty draw for ten";
    }
  }
}

class PaidMethod : public testing::TestWithParam<Method> {};

INSTANTIATE_TEST_SUITE_P(Presets, PaidMethod, testing::ValuesIn(SmallPresetsWithTheirAccounting()), NameOf);

TEST_P(PaidMethod, PaysForEverythingFromTheAccountsOfItsClients) {
  for (const Availability& availability :
       {Availability(Poisson{0.5}), Availability(TakingTurns{0.25}), Availability(Everybody{})}) {
    const RunSettings settings{.availability = availability};
    const FinishedRun run = RunStudy(GetParam(), MakeStudy(1000, 12), settings);
    ASSERT_TRUE(run.model.ok()) << run.model.status();
    ExpectHonestAccounts(run, GetParam(), settings.budget);
    if (!std::holds_alternative<Everybody>(availability)) continue;
    EXPECT_GT(run.federation->accounts().MostSpent().ToDouble(), 0.99 * RhoFor(settings.budget).ToDouble());
  }
}

TEST_P(FederatedMethod, LetsNobodyServeBeyondACapAboveOne) {
  Method method = GetParam();
  method.accounting = Accounting::kCapped;
  method.participation_cap = 3;
  const RunSettings settings{.availability = Poisson{0.8}};
  const FinishedRun run = RunStudy(method, Study(), settings);
  ASSERT_TRUE(run.model.ok()) << run.model.status();
  ExpectHonestAccounts(run, method, settings.budget);
}

// The names of a round's releases, in their order.
std::map<std::int64_t, std::string> NamesByRound(const AccountBook& accounts) {
  std::map<std::int64_t, std::string> names;
  for (const SharedDebit& debit : accounts.debits()) names[debit.name.round] += debit.name.query + "; ";
  return names;
}

// What each preset may release in its first group, and in each of the others.
struct Releases {
  const char* first;
  const char* others;
};
constexpr const char* kOnce = "one-ways; (chosen before; )?(watched; )?(select (\\d); (chosen \\4; )?)*";
const std::map<std::string, Releases> kReleases = {
    {"aim", {"one-ways; ", "select 1; chosen 1; "}},
    {"aim-paper", {"one-ways; ", "select 1; chosen 1; "}},
    {"dist-aim", {"one-ways; ", "select 1; chosen 1; "}},
    {"naive-flaim", {"one-ways; ", "select 1 1; chosen 1; "}},
    {"augflaim-oracle", {"one-ways; ", "select 1 1; chosen 1; "}},
    {"augflaim-private", {"one-ways; select 1 1; chosen 1; ", "one-ways; select 1 1; chosen 1; "}},
    {"flaim-random", {"one-ways; ", "chosen 1; "}},
    {"fed-naive-bayes", {"one-ways; ", ""}},
    {"flaim-once", {kOnce, kOnce}},
    {"flaim-once-joint", {kOnce, kOnce}},
    {"dist-aim-once", {kOnce, ""}},
};

TEST_P(FederatedMethod, ReleasesWhatItsFormulaSays) {
  const FinishedRun run = RunStudy(GetParam(), Study(), {.availability = TakingTurns{0.2}});
  ASSERT_TRUE(run.model.ok()) << run.model.status();
  ASSERT_TRUE(kReleases.contains(GetParam().name)) << "say here what the new preset releases";
  const Releases& expected = kReleases.at(GetParam().name);
  const std::map<std::int64_t, std::string> names = NamesByRound(run.federation->accounts());
  ASSERT_FALSE(names.empty());
  for (const auto& [round, releases] : names) {
    const bool is_first = round == names.begin()->first;
    EXPECT_TRUE(std::regex_match(releases, std::regex(is_first ? expected.first : expected.others)))
        << "round " << round << ": " << releases;
  }
  const bool has_first_group = GetParam().one_ways == OneWays::kFirstRound;
  const bool has_rounds = GetParam().selection != Selection::kNone;
  const bool is_once = GetParam().name == "dist-aim-once";
  const bool is_annealed = std::holds_alternative<Annealed>(GetParam().rounds);
  if (is_annealed) {
    EXPECT_GT(names.size(), 2U);
  } else {
    EXPECT_EQ(names.size(), (has_first_group ? 1U : 0U) + (!has_rounds ? 0U : is_once ? 1U : 4U));
  }
}

// Each request that looks at rows is paid for under its own name, and nothing else is paid for.
TEST_P(FederatedMethod, ReleasesNothingWithoutADebit) {
  const FinishedRun run = RunStudy(GetParam(), Study(), {});
  ASSERT_TRUE(run.model.ok()) << run.model.status();
  std::vector<std::string> paid;
  for (const SharedDebit& debit : run.federation->accounts().debits()) paid.push_back(debit.name.ToString());
  std::size_t next = 0;
  for (std::size_t i = 0; i < run.tape.requests.size(); ++i) {
    const std::string& request = run.tape.requests[i];
    if (request.starts_with("gather")) continue;
    const bool is_local = request.find(": locally ") != std::string::npos;
    if (std::holds_alternative<LocalChoices>(run.tape.answers[i]) && !is_local) continue;
    ASSERT_LT(next, paid.size()) << "unpaid: " << request;
    std::string name = request.substr(0, request.find("': "));
    name += is_local ? " 1'" : "'";
    EXPECT_EQ(paid[next++], name);
  }
  EXPECT_EQ(next, paid.size());
}

TEST_P(FederatedMethod, GivesTheSameModelForAnyNumberOfThreadsAndInEveryRun) {
  const std::string alone = Fingerprint(*RunStudy(GetParam(), Study(), {.threads = 1}).model);
  for (const int threads : {1, 2, 3}) {
    EXPECT_EQ(Fingerprint(*RunStudy(GetParam(), Study(), {.threads = threads}).model), alone) << threads;
  }
  EXPECT_NE(Fingerprint(*RunStudy(GetParam(), Study(), {.seed = 2}).model), alone);
}

TEST_P(FederatedMethod, SaysThatItsNoiseWasSeeded) {
  const FinishedRun run = RunStudy(GetParam(), Study(), {});
  EXPECT_THAT(run.model->report.noise, HasSubstr("seed"));
  EXPECT_EQ(run.model->report.algorithm, GetParam().name);
  EXPECT_EQ(run.model->report.rounds, std::ssize(run.reports) - (GetParam().one_ways == OneWays::kFirstRound ? 1 : 0));
}

// Those that choose by looking at rows.
std::vector<Method> ChoosingPresets() {
  std::vector<Method> choosing = SmallPresets();
  std::erase_if(choosing, [](const Method& method) {
    return method.selection == Selection::kNone || method.selection == Selection::kRandom;
  });
  return choosing;
}

class ChoosingMethod : public FederatedMethod {};

INSTANTIATE_TEST_SUITE_P(Presets, ChoosingMethod, testing::ValuesIn(ChoosingPresets()), NameOf);

// With noise that hides nothing, and everybody there, a method finds the two pairs that depend on each other.
TEST_P(ChoosingMethod, FindsThePairsThatBelongTogether) {
  const FinishedRun run = RunStudy(
      GetParam(), Study(), {.budget = PrivacyBudget::Create(50, 1e-5).value(), .availability = TakingTurns{0.25}});
  ASSERT_TRUE(run.model.ok()) << run.model.status();
  EXPECT_THAT(run.model->chosen, testing::Contains(Clique({0, 1})));
  EXPECT_THAT(run.model->chosen, testing::Contains(Clique({2, 3})));
  EXPECT_NEAR(run.model->model.total(), 3000, 300);
}

}  // namespace
}  // namespace flaim
