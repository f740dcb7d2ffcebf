#include <algorithm>

#include "algorithms/methods/presets.h"
#include "federated_testing.h"
#include "fmt/format.h"
#include "gtest/gtest.h"

// Data independence: on neighbouring tables, given the same released values, everything else is the same as well: what
// is asked, of whom, what it costs, how many bytes it takes, and the model.
namespace flaim {
namespace {

std::string AccountsInWords(const SimulatedFederation& federation) {
  std::string words;
  for (const SharedDebit& debit : federation.accounts().debits()) {
    words += fmt::format("{} costs {}:", debit.name.ToString(), debit.cost.units());
    for (const AccountIndex payer : debit.payers) words += fmt::format(" {}", payer);
    words += '\n';
  }
  return words;
}

std::string TrafficInWords(const SimulatedFederation& federation) {
  std::string words;
  for (const ClientTraffic& traffic : federation.traffic().of_client()) {
    words += fmt::format("{} {} {}\n", traffic.sent_bytes, traffic.received_bytes, traffic.exchanges);
  }
  return words;
}

class NeighbouringTables : public testing::TestWithParam<Method> {};

std::string NameOf(const testing::TestParamInfo<Method>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<Method> PrivatePresets() {
  std::vector<Method> methods;
  for (const Method& method : SmallPresets()) {
    if (IsPrivate(method)) methods.push_back(method);
  }
  Method stepping = FindMethod("augflaim-private").value();
  stepping.name = "local-steps";
  stepping.rounds = FixedRounds{3};
  stepping.local_steps = 2;
  stepping.stepping = LocalStepping::kMeasuring;
  methods.push_back(stepping);
  Method annealed = FindMethod("dist-aim").value();
  annealed.name = "annealed";
  annealed.rounds = Annealed{2};
  methods.push_back(annealed);
  return methods;
}

INSTANTIATE_TEST_SUITE_P(Presets, NeighbouringTables, testing::ValuesIn(PrivatePresets()), NameOf);

TEST_P(NeighbouringTables, LeadToTheSameRunGivenTheSameReleases) {
  const DealtStudy study = MakeStudy(600, 8);
  const FinishedRun run = RunStudy(GetParam(), study, {});
  ASSERT_TRUE(run.model.ok()) << run.model.status();
  const std::vector<std::uint32_t> rows[] = {{0, 0, 0, 0, 0}, {2, 1, 3, 1, 2}, {1, 0, 3, 0, 1}};
  for (const std::vector<std::uint32_t>& row : rows) {
    for (const ClientIndex owner : {0, 3, 7}) {  // the last has no other row
      const FinishedRun other = RunStudy(GetParam(), WithRow(study, row, owner), {.replayed = &run.tape});
      ASSERT_TRUE(other.model.ok()) << other.model.status();
      EXPECT_EQ(other.tape.requests, run.tape.requests);
      EXPECT_EQ(AccountsInWords(*other.federation), AccountsInWords(*run.federation));
      EXPECT_EQ(TrafficInWords(*other.federation), TrafficInWords(*run.federation));
      EXPECT_EQ(Fingerprint(*other.model), Fingerprint(*run.model));
    }
  }
}

// The same comparison finds what is not private: the published code knows the number of rows.
TEST(NeighbouringTables, AreToldApartByThePublishedCode) {
  Method method = FindMethod("augflaim-private").value();
  method.accounting = Accounting::kPaper;
  method.rounds = FixedRounds{2};
  const DealtStudy study = MakeStudy(600, 8);
  const ResearchSettings published{.is_published_code = true};
  const FinishedRun run = RunStudy(method, study, {.research = published});
  ASSERT_TRUE(run.model.ok()) << run.model.status();
  const FinishedRun other =
      RunStudy(method, WithRow(study, {0, 0, 0, 0, 0}, 3), {.replayed = &run.tape, .research = published});
  ASSERT_TRUE(other.model.ok()) << other.model.status();
  EXPECT_NE(Fingerprint(*other.model), Fingerprint(*run.model));
}

// One row more moves what is released by at most that row: the noise is the same and the sums are sums.
TEST(NeighbouringTables, DifferInTheirReleasesByOneRow) {
  const DealtStudy study = MakeStudy(600, 8);
  const Method method = FindMethod("fed-naive-bayes").value();
  const FinishedRun run = RunStudy(method, study, {.availability = Everybody{}});
  const FinishedRun other = RunStudy(method, WithRow(study, {2, 1, 3, 1, 2}, 3), {.availability = Everybody{}});
  const auto& before = std::get<NoisyMarginals>(run.tape.answers.at(1)).marginals;
  const auto& after = std::get<NoisyMarginals>(other.tape.answers.at(1)).marginals;
  const std::vector<std::uint32_t> row = {2, 1, 3, 1, 2};
  for (std::size_t attribute = 0; attribute < row.size(); ++attribute) {
    for (std::size_t cell = 0; cell < before[attribute].counts.size(); ++cell) {
      EXPECT_EQ(after[attribute].counts[cell] - before[attribute].counts[cell], cell == row[attribute] ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace flaim
