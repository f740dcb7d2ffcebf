#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "algorithms/loop/release_names.h"
#include "app/aim_testing.h"
#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"
#include "marginal/score.h"
#include "privacy/accountants/zcdp_accountant.h"
#include "privacy/release/release.h"

namespace flaim {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr int kRounds = 4;

void ExpectSameModel(const FittedModel& one, const FittedModel& other) {
  EXPECT_TRUE(std::ranges::equal(one.model.potentials(), other.model.potentials()));
  EXPECT_EQ(one.model.layout().cliques(), other.model.layout().cliques());
  EXPECT_EQ(one.model.total(), other.model.total());
  EXPECT_EQ(one.report, other.report);
}

std::vector<Clique> MeasuredCliques(const FittedModel& fitted) {
  std::vector<Clique> cliques;
  for (const Measurement& measurement : fitted.report.measurements) cliques.push_back(measurement.clique);
  return cliques;
}

Table WithOneMoreRow(const Table& table) {
  TableBuilder builder(table.domain());
  for (std::size_t row = 0; row <= table.rows(); ++row) {
    std::vector<std::uint32_t> codes;
    for (AttributeIndex attribute = 0; attribute < table.domain().size(); ++attribute) {
      codes.push_back(row < table.rows() ? table.at(row, attribute) : 1);
    }
    builder.AddRow(codes);
  }
  return std::move(builder).Build();
}

std::int64_t LargestWeight(const Domain& domain) {
  const std::vector<WeightedQuery> candidates = WeightedCompletion(AllPairs(domain)).value();
  std::int64_t largest = 0;
  for (const WeightedQuery& candidate : candidates) largest = std::max(largest, candidate.weight);
  return largest;
}

TEST(Aim, PaysForExactlyWhatTheScheduleSays) {
  const Table table = MakeCorrelatedTable(1, 300);
  for (const Rounds& plan : {Rounds(FixedRounds{kRounds}), Rounds(Annealed{4})}) {
    const AimOptions options = OptionsFor(1, plan);
    AimBench bench("aim-ledger", options);
    SeededNoise noise(1);
    const FittedModel fitted = bench.Run(options, table, noise).value();
    const std::vector<DebitEntry> debits = bench.Debits();
    ASSERT_EQ(std::ssize(debits), 1 + 2 * fitted.report.rounds);
    EXPECT_THAT(bench.Releases(), SizeIs(debits.size())) << "paid for, but not released through the ledger";

    const auto spending = MakeSpendingPlan(options.method, options.budget, table.domain().size()).value();
    EXPECT_EQ(debits[0].charge.mechanism,
              Mechanism(GaussianMechanism{*spending->Initialisation()->one_way_sigma_squared, 5}));
    EXPECT_EQ(debits[0].charge.query, "one-ways");
    for (std::int64_t round = 1; round <= fitted.report.rounds; ++round) {
      const Charge& select = debits[2 * round - 1].charge;
      const Charge& measure = debits[2 * round].charge;
      const auto selection = std::get<ExponentialMechanism>(select.mechanism);
      const RoundSpending budget = spending->Next(0).value().value();
      EXPECT_EQ(select.round, round + 1);
      EXPECT_EQ(measure.round, round + 1);
      EXPECT_EQ(selection, (ExponentialMechanism{budget.epsilon, kScoreScale * LargestWeight(table.domain())}));
      EXPECT_EQ(measure.mechanism, Mechanism(GaussianMechanism{*budget.sigma_squared, 1}));
      const bool is_finer =
          round < fitted.report.rounds &&
          std::get<ExponentialMechanism>(debits[2 * round + 1].charge.mechanism).epsilon > budget.epsilon;
      spending->Observe(!is_finer);
    }
    EXPECT_TRUE(spending->IsOver());
    EXPECT_EQ(bench.Read().summary.spent, spending->Spent());
    EXPECT_LE(bench.Read().summary.spent, RhoFor(options.budget));
    EXPECT_EQ(fitted.report.rho_spent, spending->Spent().ToDouble());
  }
}

TEST(Aim, RunsTheRoundsItIsAskedFor) {
  for (const int rounds : {1, 2, 7}) {
    const AimOptions options = OptionsFor(1, FixedRounds{rounds});
    AimBench bench("aim-rounds", options);
    SeededNoise noise(2);
    const FittedModel fitted = bench.Run(options, MakeCorrelatedTable(1, 200), noise).value();
    EXPECT_EQ(fitted.report.rounds, rounds);
    EXPECT_THAT(bench.Debits(), SizeIs(1 + 2 * rounds));
  }
}

TEST(Aim, GivesTheRecordedModelBackWithoutPayingAgain) {
  for (const Rounds& plan : {Rounds(FixedRounds{kRounds}), Rounds(Annealed{2})}) {
    const AimOptions options = OptionsFor(1, plan);
    AimBench bench("aim-repeat", options);
    SeededNoise noise(3);
    const FittedModel first = bench.Run(options, MakeCorrelatedTable(1, 300), noise).value();
    const std::vector<DebitEntry> paid = bench.Debits();
    SeededNoise other_noise(3);
    const FittedModel second = bench.Run(options, MakeCorrelatedTable(1, 300), other_noise).value();
    ExpectSameModel(first, second);
    EXPECT_EQ(bench.Debits(), paid);
  }
}

TEST(Aim, LooksAtTheRowsOnlyThroughReleasedValues) {
  const AimOptions options = OptionsFor(1, Annealed{3});
  AimBench bench("aim-neighbour", options);
  SeededNoise noise(4);
  const Table table = MakeCorrelatedTable(1, 300);
  const FittedModel fitted = bench.Run(options, table, noise).value();
  for (const Table& other :
       {WithOneMoreRow(table), table.Slice(0, 299), table.Slice(0, 0), MakeCorrelatedTable(9, 50)}) {
    ExpectSameModel(bench.Run(options, other, noise).value(), fitted);
  }
}

TEST(Aim, ResumesAnInterruptedRunToTheSameModel) {
  const AimOptions options = OptionsFor(1, FixedRounds{kRounds});
  const Table table = MakeCorrelatedTable(1, 300);
  std::optional<FittedModel> uninterrupted;
  {
    AimBench bench("aim-uninterrupted", options);
    SeededNoise noise(5);
    uninterrupted = bench.Run(options, table, noise).value();
  }
  for (int rounds_before = 1; rounds_before < kRounds; ++rounds_before) {
    AimBench bench("aim-interrupted", options);
    SeededNoise noise(5);
    int rounds = 0;
    RoundObserver full_after([&] { bench.disk().SetFull(++rounds == rounds_before); });
    EXPECT_FALSE(bench.Run(options, table, noise, full_after).ok());
    bench.disk().SetFull(false);
    EXPECT_THAT(bench.Debits(), SizeIs(1 + 2 * rounds_before));
    ExpectSameModel(bench.Run(options, table, noise).value(), *uninterrupted);
    EXPECT_THAT(bench.Debits(), SizeIs(1 + 2 * kRounds));
  }
}

TEST(Aim, NeverReplacesAValueThatWasReleasedBeforeThePowerWent) {
  const AimOptions options = OptionsFor(1, FixedRounds{2});
  const Table table = MakeCorrelatedTable(1, 100);
  SeededNoise noise(6);
  SeededRandomSource disk_random(6);
  int interrupted = 0;
  for (std::int64_t operation = 20; operation < 100; operation += 3) {
    AimBench bench("aim-power", Rho::FromUnits(2 * RhoFor(options.budget).units()));
    bench.disk().CutPowerAt(operation);
    const bool is_cut = !bench.Run(options, table, noise).ok();
    bench.disk().Restart(testing_support::SimulatedDisk::Loss::kAllPending, disk_random);
    if (!is_cut) break;
    ++interrupted;
    const std::vector<ReleaseEntry> before = bench.Releases();
    const FittedModel resumed = bench.Run(options, table, noise).value();
    const std::vector<ReleaseEntry> after = bench.Releases();
    ASSERT_THAT(after, SizeIs(5));
    EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin())) << "power lost at operation " << operation;
    ExpectSameModel(bench.Run(options, table, noise).value(), resumed);
    EXPECT_EQ(bench.Releases(), after);
  }
  EXPECT_GT(interrupted, 10);
}

TEST(Aim, StillEndsWithAModelWhenACrashHasLostADebit) {
  const Table table = MakeCorrelatedTable(1, 100);
  SeededNoise noise(7);
  SeededRandomSource disk_random(7);
  int lost = 0;
  for (const Rounds& plan : {Rounds(FixedRounds{2}), Rounds(Annealed{})}) {
    const AimOptions options = OptionsFor(1, plan);
    for (std::int64_t operation = 20; operation < 300; operation += 3) {
      AimBench bench("aim-lost-debit", options);
      bench.disk().CutPowerAt(operation);
      const bool is_cut = !bench.Run(options, table, noise).ok();
      bench.disk().Restart(testing_support::SimulatedDisk::Loss::kAllPending, disk_random);
      if (!is_cut) break;
      lost += bench.Debits().size() > bench.Releases().size() ? 1 : 0;
      const absl::StatusOr<FittedModel> resumed = bench.Run(options, table, noise);
      ASSERT_TRUE(resumed.ok()) << resumed.status() << ", power lost at operation " << operation;
      const std::vector<DebitEntry> debits = bench.Debits();
      EXPECT_LE(debits.back().cumulative, RhoFor(options.budget));
      ExpectSameModel(bench.Run(options, table, noise).value(), *resumed);
      EXPECT_EQ(bench.Debits(), debits) << "a run that was over was paid for again";
    }
  }
  EXPECT_GT(lost, 5);
}

// Pays for another run until this share of what was left is left.
void SpendTheRest(const std::string& path, double share_left) {
  Ledger ledger = Ledger::Open(path, testing_support::NoonClock()).value();
  const double spent = (1 - share_left) * ledger.left().ToDouble() - Rho::FromUnits(1).ToDouble();
  const Rational sigma_squared = Rational::RoundUp(1 / (2 * spent)).value();
  ASSERT_TRUE(ledger.Debit({"another run", 1, "all"}, GaussianMechanism{sigma_squared}).ok());
}

constexpr double kSharesLeft[] = {0, 1e-9, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9};

TEST(Aim, StillEndsWithAModelWhenAnotherRunSpentTheRest) {
  const Table table = MakeCorrelatedTable(1, 100);
  SeededNoise noise(21);
  for (const Rounds& plan : {Rounds(FixedRounds{6}), Rounds(Annealed{4})}) {
    const AimOptions options = OptionsFor(1, plan);
    for (const int rounds_before : {1, 2, 3}) {
      for (const double share : kSharesLeft) {
        AimBench bench("aim-rest", options);
        int rounds = 0;
        RoundObserver full_after([&] { bench.disk().SetFull(++rounds == rounds_before); });
        EXPECT_FALSE(bench.Run(options, table, noise, full_after).ok());
        bench.disk().SetFull(false);
        SpendTheRest(bench.path(), share);
        const absl::StatusOr<FittedModel> resumed = bench.Run(options, table, noise);
        ASSERT_TRUE(resumed.ok()) << resumed.status() << ", with " << share << " left after " << rounds_before;
        const std::vector<DebitEntry> debits = bench.Debits();
        ExpectSameModel(bench.Run(options, table, noise).value(), *resumed);
        EXPECT_EQ(bench.Debits(), debits) << "a run that was over was paid for again";
        EXPECT_GE(resumed->report.rounds, rounds_before);
      }
    }
  }
}

// Noise that lets another run pay before the noise for one release is drawn.
class InterruptingNoise final : public NoiseSource {
 public:
  InterruptingNoise(NoiseSource& noise, ReleaseName at, std::function<void()> interrupt)
      : noise_(noise), at_(std::move(at)), interrupt_(std::move(interrupt)) {}

  std::unique_ptr<RandomSource> For(const ReleaseName& release) override {
    if (release == at_) interrupt_();
    return noise_.For(release);
  }

 private:
  NoiseSource& noise_;
  ReleaseName at_;
  std::function<void()> interrupt_;
};

TEST(Aim, StillEndsWithAModelWhenTheLedgerRunsOutInTheMiddleOfARound) {
  const Table table = MakeCorrelatedTable(1, 100);
  SeededNoise noise(22);
  for (const Rounds& plan : {Rounds(FixedRounds{3}), Rounds(Annealed{4})}) {
    const AimOptions options = OptionsFor(1, plan);
    for (const ReleaseName& at :
         {OneWaysName(options.run, 1), SelectionName(options.run, 2, 0), ChosenName(options.run, 2, 0),
          SelectionName(options.run, 3, 0), SelectionName(options.run, 4, 0)}) {
      for (const double share : kSharesLeft) {
        AimBench bench("aim-middle", options);
        InterruptingNoise interrupting(noise, at, [&] { SpendTheRest(bench.path(), share); });
        const absl::StatusOr<FittedModel> fitted = bench.Run(options, table, interrupting);
        ASSERT_TRUE(fitted.ok()) << fitted.status() << ", with " << share << " left in " << at.ToString();
        const std::vector<DebitEntry> debits = bench.Debits();
        ExpectSameModel(bench.Run(options, table, noise).value(), *fitted);
        EXPECT_EQ(bench.Debits(), debits) << "a run that was over was paid for again";
      }
    }
  }
}

// Whether a round taught more than noise is a comparison of sums that processors may round differently.
TEST(Aim, GivesTheRecordedModelBackWhateverItThinksOfItsRounds) {
  const Table table = MakeCorrelatedTable(1, 300);
  for (const double threshold : {0.0, 0.5, 1000.0}) {
    AimOptions options = OptionsFor(1, Annealed{4});
    options.method.improvement_threshold = threshold;
    AimBench bench("aim-other-processor", options);
    SeededNoise noise(23);
    const FittedModel fitted = bench.Run(options, table, noise).value();
    const std::vector<DebitEntry> paid = bench.Debits();
    for (const double other : {0.0, 0.5, 1000.0}) {
      options.method.improvement_threshold = other;
      const absl::StatusOr<FittedModel> again = bench.Run(options, table, noise);
      ASSERT_TRUE(again.ok()) << again.status();
      ExpectSameModel(*again, fitted);
    }
    EXPECT_EQ(bench.Debits(), paid);
  }
}

TEST(Aim, DoesNotTakeTheRunOfOtherSettingsForItsOwn) {
  const Table table = MakeCorrelatedTable(1, 300);
  SeededNoise noise(24);
  for (const double factor : {1.0, 3.0}) {
    const AimOptions options = OptionsFor(1, FixedRounds{2});
    AimBench bench("aim-other-settings", Rho::RoundUp(factor * RhoFor(options.budget).ToDouble()));
    ASSERT_TRUE(bench.Run(options, table, noise).ok());
    for (const double epsilon : {0.5, 2.0}) {
      const absl::Status other = bench.Run(OptionsFor(epsilon, FixedRounds{2}), table, noise).status();
      EXPECT_TRUE(absl::IsFailedPrecondition(other)) << other;
    }
  }
}

// Counts a table until it was asked `answers` times, as an engine elsewhere that goes away.
class FailingSource final : public PrivateRows {
 public:
  FailingSource(const Table& table, int answers) : table_(table), answers_left_(answers) {}

  const Domain& domain() const override { return table_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override {
    if (answers_left_-- <= 0) return absl::UnavailableError("gone");
    return table_.Count(cliques, parallel);
  }

 private:
  TableRows table_;
  int answers_left_;
};

TEST(Aim, PaysOnlyForWhatASourceThatFailsHasCountedAndGoesOnFromThere) {
  AimOptions options = OptionsFor(1, FixedRounds{kRounds});
  options.max_kept_cells = 0;  // so that the source is asked for every score
  const Table table = MakeCorrelatedTable(1, 300);
  RoundObserver rounds;
  for (const int answers : {0, 4, 7, 30}) {
    AimBench bench("aim-failing-source", options);
    SeededNoise noise(5);
    const auto source = std::make_shared<FailingSource>(table, answers);
    EXPECT_TRUE(absl::IsUnavailable(bench.Run(options, source, noise, rounds).status()));
    EXPECT_THAT(bench.Releases(), SizeIs(bench.Debits().size())) << "paid for without counts";
    if (answers < 5) {
      EXPECT_THAT(bench.Debits(), IsEmpty()) << "the one-ways were not counted";
    }
    EXPECT_TRUE(bench.Run(options, table, noise).ok());
    EXPECT_THAT(bench.Debits(), SizeIs(1 + 2 * kRounds));
  }
}

TEST(Aim, RefusesBeforeItPaysWhatTheLedgerCannotCover) {
  const Table table = MakeCorrelatedTable(1, 100);
  const AimOptions fine = OptionsFor(1, FixedRounds{kRounds});
  const Rho allowance = RhoFor(fine.budget);
  SeededNoise noise(7);
  AimBench bench("aim-poor", Rho::FromUnits(allowance.units() - 1));
  EXPECT_EQ(bench.Run(fine, table, noise).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(bench.Debits(), IsEmpty());
}

TEST(Aim, RefusesBeforeItPaysOptionsThatCannotWork) {
  const Table table = MakeCorrelatedTable(1, 100);
  const AimOptions fine = OptionsFor(1, FixedRounds{kRounds});
  AimOptions too_large = fine;
  too_large.max_model_cells = 13;  // the one-ways have 14
  AimOptions no_such_cell = fine;
  no_such_cell.zeros = {{Clique({0, 1}), {6}}};
  AimOptions nothing_possible = fine;
  nothing_possible.zeros = {{Clique({0}), {0, 1}}, {Clique({0, 1}), {4, 5}}};
  AimOptions certain = fine;
  certain.confidence = 1;
  AimOptions no_rounds = fine;
  no_rounds.method.rounds = FixedRounds{0};
  AimBench bench("aim-refused", fine);
  SeededNoise noise(8);
  for (const AimOptions& options : {too_large, no_such_cell, nothing_possible, certain, no_rounds}) {
    EXPECT_FALSE(bench.Run(options, table, noise).ok());
  }
  EXPECT_TRUE(bench.Run(fine, table, noise).ok());
  EXPECT_THAT(bench.Debits(), SizeIs(1 + 2 * kRounds)) << "something that was refused was paid for";
}

// On record are the one-ways of 1024 uniform rows; the private table has 512. Against the public total, a pair is off
// by the 512 missing rows and by twice what exceeds the expected counts: 80 for (a, b), nothing for (c, d). Against the
// true number of rows, (a, b) would be off by 336 and (c, d) by 512.
TEST(Aim, ComparesWithThePublicNumberOfRecords) {
  const Domain domain = Domain::Create({{"a", 2}, {"b", 2}, {"c", 4}, {"d", 4}}).value();
  TableBuilder rows(domain);
  for (std::uint32_t row = 0; row < 512; ++row) {
    const std::uint32_t pair = row < 296 ? 0 : 1 + (row - 296) / 72;
    rows.AddRow(std::vector{pair / 2, pair % 2, row % 4, (row % 4 + row / 4 % 2) % 4});
  }
  AimOptions options = OptionsFor(50, FixedRounds{1});
  options.method.noise_penalty = 1;

  testing_support::ScratchPath path("aim-public-total");
  testing_support::SimulatedDisk disk;
  const LedgerTerms terms = testing_support::TermsAllowing(RhoFor(options.budget));
  Ledger ledger = Ledger::Create(path, terms, testing_support::NoonClock()).value();
  const auto spending = MakeSpendingPlan(options.method, options.budget, domain.size()).value();
  const GaussianMechanism mechanism{*spending->Initialisation()->one_way_sigma_squared, domain.size()};
  const std::vector<std::int64_t> one_ways = {512, 512, 512, 512, 256, 256, 256, 256, 256, 256, 256, 256};
  SeededNoise noise(9);
  const ReleaseName name = OneWaysName(options.run, kInitialRound);
  auto spend = ledger.Debit(name, mechanism);
  ASSERT_TRUE(ReleaseGaussian(std::move(*spend), one_ways, *noise.For(name)).ok());

  Parallel parallel(1);
  RoundObserver observer;
  const Workload workload = Workload::FromNames(domain, {{"a", "b"}, {"c", "d"}}).value();
  const auto source = std::make_shared<TableRows>(std::move(rows).Build());
  const FittedModel fitted = RunOnOneTable(options.method, options, *spending, workload,
                                           {source, options.max_kept_cells, ledger, noise, parallel}, observer)
                                 .value();
  EXPECT_THAT(MeasuredCliques(fitted), Contains(Clique({0, 1})));
  EXPECT_THAT(MeasuredCliques(fitted), Not(Contains(Clique({2, 3}))));
}

TEST(Aim, SelectsTheWorstApproximatedMarginalsAndLearnsThem) {
  const AimOptions options = OptionsFor(50, FixedRounds{2});
  AimBench bench("aim-learns", options);
  SeededNoise noise(10);
  const Table table = MakeCorrelatedTable(2, 2000);
  const FittedModel fitted = bench.Run(options, table, noise).value();
  MarginalQuery query = fitted.model.Query();
  for (const Clique& pair : {Clique({0, 1}), Clique({2, 3})}) {
    EXPECT_THAT(MeasuredCliques(fitted), Contains(pair));
    const Marginal truth = CountMarginal(table, pair).value();
    const std::vector<double> shares = query.Answer(pair);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      EXPECT_NEAR(fitted.model.total() * shares[i], static_cast<double>(truth.counts()[i]), 15);
    }
  }
  EXPECT_NEAR(fitted.model.total(), 2000, 20);
}

TEST(Aim, RespectsStructuralZeros) {
  for (const EstimationMethod method : {EstimationMethod::kMirrorDescent, EstimationMethod::kProximalNewton}) {
    AimOptions options = OptionsFor(10, FixedRounds{6});
    options.zeros = {{Clique({0, 1}), {1, 2}}, {Clique({2, 3, 4}), {0, 5, 11}}};
    options.round_fit.method = method;
    options.last_fit.method = method;
    AimBench bench("aim-zeros", options);
    SeededNoise noise(11);
    const FittedModel fitted = bench.Run(options, MakeCorrelatedTable(3, 400), noise).value();
    MarginalQuery query = fitted.model.Query();
    for (const auto& [clique, cells] : options.zeros) {
      const std::vector<double> shares = query.Answer(clique);
      for (const std::int64_t cell : cells) EXPECT_EQ(shares[cell], 0);
      EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-9);
    }
  }
}

TEST(Aim, StaysWithinTheMemoryForItsModel) {
  for (const bool grows : {false, true}) {
    AimOptions options = OptionsFor(10, FixedRounds{6});
    options.max_model_cells = 30;
    options.model_grows_with_budget = grows;
    AimBench bench("aim-memory", options);
    SeededNoise noise(12);
    const FittedModel fitted = bench.Run(options, MakeCorrelatedTable(3, 400), noise).value();
    EXPECT_LE(fitted.model.tree().cells(), 30);
    EXPECT_GT(fitted.model.tree().cells(), 14) << "nothing but one-ways was affordable";
  }
}

TEST(Aim, RunsWithThePapersConstants) {
  AimOptions options = OptionsFor(1, Annealed{.rounds_per_attribute = 16});
  options.method = AimOfPaper();
  options.method.rounds = Annealed{.rounds_per_attribute = 16};
  AimBench bench("aim-paper", options);
  SeededNoise noise(18);
  const FittedModel fitted = bench.Run(options, MakeCorrelatedTable(3, 300), noise).value();
  const auto one_ways = std::get<GaussianMechanism>(bench.Debits().front().charge.mechanism);
  EXPECT_NEAR(one_ways.sigma_squared.ToDouble(), 16 * 5 / (2 * 0.9 * fitted.report.rho), 1e-4);
}

TEST(Aim, SaysWhatNoiseItUsed) {
  const AimOptions options = OptionsFor(1, FixedRounds{2});
  SeededNoise seeded(13);
  SecureNoise secure;
  const Table table = MakeCorrelatedTable(3, 100);
  {
    AimBench bench("aim-seeded", options);
    EXPECT_EQ(bench.Run(options, table, seeded)->report.noise, SeededRandomSource(13).Provenance());
    EXPECT_EQ(bench.Run(options, table, secure)->report.noise, SeededRandomSource(13).Provenance())
        << "a repeat washed the stamp off";
  }
  AimBench bench("aim-secure", options);
  EXPECT_EQ(bench.Run(options, table, secure)->report.noise, "secure");
}

TEST(Aim, ReportsItsPromiseAndABoundForEveryCandidate) {
  const AimOptions options = OptionsFor(1, FixedRounds{kRounds});
  AimBench bench("aim-report", options);
  SeededNoise noise(14);
  const Table table = MakeCorrelatedTable(3, 300);
  const FitReport report = bench.Run(options, table, noise)->report;
  EXPECT_EQ(report.algorithm, "aim");
  EXPECT_EQ(report.epsilon, 1);
  EXPECT_EQ(report.delta, 1e-6);
  EXPECT_EQ(report.rho, RhoFor(options.budget).ToDouble());
  EXPECT_LE(report.rho_spent, report.rho);
  EXPECT_THAT(report.bounds, SizeIs(Completion(AllPairs(table.domain()))->size()));
  for (const ErrorBound& bound : report.bounds) EXPECT_GT(bound.distance_records, 0);
}

TEST(Aim, TakesATableWithoutRows) {
  for (const Rounds& plan : {Rounds(FixedRounds{3}), Rounds(Annealed{2})}) {
    const AimOptions options = OptionsFor(1, plan);
    AimBench bench("aim-empty", options);
    SeededNoise noise(15);
    const auto fitted = bench.Run(options, MakeCorrelatedTable(1, 0), noise);
    ASSERT_TRUE(fitted.ok()) << fitted.status();
    EXPECT_GE(fitted->model.total(), 1);
  }
}

TEST(Aim, TakesOneAttributeAndAttributesWithOneValue) {
  for (const std::vector<Attribute>& attributes :
       {std::vector<Attribute>{{"only", 5}}, {{"constant", 1}}, {{"constant", 1}, {"a", 2}, {"also constant", 1}}}) {
    TableBuilder builder(Domain::Create(attributes).value());
    for (int row = 0; row < 50; ++row) builder.AddRow(std::vector<std::uint32_t>(attributes.size(), 0));
    const AimOptions options = OptionsFor(5, Annealed{2});
    AimBench bench("aim-one", options);
    SeededNoise noise(16);
    const auto fitted = bench.Run(options, std::move(builder).Build(), noise);
    ASSERT_TRUE(fitted.ok()) << fitted.status();
    EXPECT_NEAR(fitted->model.total(), 50, 25);
  }
}

TEST(Aim, GivesTheSameModelForAnyNumberOfThreadsAndAnyMemoryForCounts) {
  const Table table = MakeCorrelatedTable(4, 300);
  AimOptions options = OptionsFor(1, FixedRounds{kRounds});
  std::optional<FittedModel> first;
  for (const auto& [threads, max_kept_cells] : {std::pair{1, 1 << 20}, {2, 1 << 20}, {3, 0}}) {
    options.max_kept_cells = max_kept_cells;
    AimBench bench("aim-threads", options);
    SeededNoise noise(17);
    RoundObserver rounds;
    FittedModel fitted = bench.Run(options, table, noise, rounds, threads).value();
    if (first.has_value()) ExpectSameModel(fitted, *first);
    first = std::move(fitted);
  }
}

}  // namespace
}  // namespace flaim
