// Federated methods in simulation, on one thread. On the reference data (100 clients, a tenth of them in a round, ten
// rounds, 64 three-ways, delta = 1e-5): processor time of a run and workload error (mean over the workload's marginals
// of the L1 distance between shares, 0 to 2) of as many rows as there are, means over ten seeds. On made-up tables:
// what a run costs with the number of clients, rounds and columns. Time includes the plan of the noise and dealing the
// rows.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>
#include <span>

#include "algorithms/loop/run.h"
#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "benchmark/benchmark.h"
#include "cli/peak_memory.h"
#include "datasets/prepared_dataset.h"
#include "evaluation/workload_error.h"
#include "fmt/format.h"
#include "marginal/workload.h"
#include "model/sampling/synthetic_rows.h"
#include "partition/partition.h"
#include "simulation/simulated_federation.h"

namespace flaim {
namespace {

constexpr int kSeeds = 10;
constexpr std::size_t kQueries = 64;

double Processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double Mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Of the mean.
double StandardError(std::span<const double> values) {
  const double mean = Mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return std::sqrt(squares / (count - 1) / count);
}

struct Study {
  Table table;
  Partition partition;
  Workload workload;
};

struct Terms {
  double epsilon = 1;
  int rounds = 10;
  bool serves_once = false;  // also where the paper has clients pay for every round
};

Method MethodOf(const std::string& name, const Terms& terms) {
  Method method = FindMethod(name).value();
  if (std::holds_alternative<FixedRounds>(method.rounds)) method.rounds = FixedRounds{terms.rounds};
  if (auto* once = std::get_if<ChooseThenMeasure>(&method.rounds); once != nullptr && terms.rounds != 10) {
    *once = ChooseThenMeasure::For(terms.rounds);
  }
  if (terms.serves_once) method.accounting = Accounting::kCapped;
  return method;
}

Availability AvailabilityOf(const Method& method, int rounds) {
  if (method.IsOneTable()) return Everybody{};
  if (method.accounting == Accounting::kPaper) return Poisson{0.1};
  return TakingTurns{1.0 / rounds};
}

FittedModel Run(const Method& method, const Terms& terms, const Study& study, std::uint64_t seed, Parallel& parallel) {
  const PrivacyBudget budget = PrivacyBudget::Create(terms.epsilon, 1e-5).value();
  const auto plan = MakeSpendingPlan(method, budget, study.table.domain().size()).value();
  const ClientTerms client = plan->client_terms();
  const SimulationOptions options{.seed = seed,
                                  .availability = AvailabilityOf(method, terms.rounds),
                                  .trust = TrustOf(method),
                                  .allowance = client.allowance,
                                  .participation_cap = client.participation_cap};
  const auto federation = SimulatedFederation::Create(study.table, study.partition.client_of_row,
                                                      study.partition.clients, options, parallel)
                              .value();
  NoRounds reports;
  return RunMethod(method, {.budget = budget}, *plan, study.workload, *federation, parallel, reports).value();
}

absl::StatusOr<Study> LoadReference(const std::string& dataset) {
  ASSIGN_OR_RETURN(const DatasetEntry entry, FindDataset(dataset));
  NoProgress progress;
  ASSIGN_OR_RETURN(PreparedDataset prepared, PrepareDataset(entry, FLAIM_DATA_DIR, {}, progress));
  return Study{prepared.train, *std::move(prepared.clients), *std::move(prepared.workload)};
}

void Federated(benchmark::State& state, const std::string& dataset, const std::string& name, const Terms& terms) {
  absl::StatusOr<Study> study = LoadReference(dataset);
  if (!study.ok()) return state.SkipWithError(std::string(study.status().message()).c_str());
  const Method method = MethodOf(name, terms);
  if (method.IsOneTable()) study->partition = {std::vector<std::uint32_t>(study->table.rows()), 1};
  Parallel parallel(1);
  WorkloadTruth truth = WorkloadTruth::Create(study->table, study->workload, parallel).value();
  double seconds = 0;
  double megabytes = 0;
  std::vector<double> errors;
  for (auto _ : state) {
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      RestartPeakMemory();
      const double start = Processor();
      const FittedModel fitted = Run(method, terms, *study, seed, parallel);
      seconds += (Processor() - start) / kSeeds;
      megabytes = std::max(megabytes, PeakMegabytes());
      SeededRandomSource random(seed, "synthetic rows");
      const Table rows = RowSampler(fitted.model, SamplingMethod::kRounded).Next(study->table.rows(), random);
      errors.push_back(truth.ErrorOf(rows, parallel).value().queries);
    }
  }
  state.counters["cpu_s"] = seconds;
  state.counters["error_rows"] = Mean(errors);
  state.counters["standard_error"] = StandardError(errors);
  state.counters["peak_mb"] = megabytes;
}

struct MadeUp {
  std::size_t rows = 50'000;
  std::size_t clients = 100;
  int columns = 10;
  std::int64_t values = 10;
  int runs = 3;  // that the cost is the mean of
};

// Each column repeats the one before it in half of the rows.
Study MakeUp(const MadeUp& shape) {
  SeededRandomSource random(1, "made-up rows");
  std::vector<Attribute> attributes;
  for (int column = 0; column < shape.columns; ++column)
    attributes.push_back({fmt::format("c{}", column), shape.values});
  const Domain domain = Domain::Create(attributes).value();
  TableBuilder builder(domain);
  std::vector<std::uint32_t> row(static_cast<std::size_t>(shape.columns));
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const bool repeats = column > 0 && random.NextBelow(2) == 0;
      row[column] = repeats ? row[column - 1]
                            : static_cast<std::uint32_t>(random.NextBelow(static_cast<std::uint64_t>(shape.values)));
    }
    builder.AddRow(row);
  }
  const Workload all = AllKWay(domain, 3).value();
  Workload workload = RandomKWay(domain, std::min(kQueries, all.size()), 3, random).value();
  return {std::move(builder).Build(), PartitionIid(shape.rows, shape.clients, random), std::move(workload)};
}

void Cost(benchmark::State& state, const std::string& name, const MadeUp& shape, const Terms& terms) {
  const Study study = MakeUp(shape);
  const Method method = MethodOf(name, terms);
  Parallel parallel(1);
  double seconds = 0;
  double megabytes = 0;
  double cells = 0;
  for (auto _ : state) {
    for (int run = 1; run <= shape.runs; ++run) {
      RestartPeakMemory();
      const double start = Processor();
      const FittedModel fitted = Run(method, terms, study, static_cast<std::uint64_t>(run), parallel);
      seconds += (Processor() - start) / shape.runs;
      megabytes = std::max(megabytes, PeakMegabytes());
      cells += static_cast<double>(fitted.model.tree().cells()) / shape.runs;
    }
  }
  state.counters["cpu_s"] = seconds;
  state.counters["peak_mb"] = megabytes;
  state.counters["model_cells"] = cells;
}

void Once(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->Repetitions(1)->Unit(benchmark::kSecond);
}

BENCHMARK_CAPTURE(Federated, adult_aim, "reference-adult", "aim-paper", Terms{})->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_dist_aim, "reference-adult", "dist-aim", Terms{})->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_augflaim_private, "reference-adult", "augflaim-private", Terms{})->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_augflaim_private_once, "reference-adult", "augflaim-private",
                  Terms{.serves_once = true})
    ->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_flaim_once, "reference-adult", "flaim-once", Terms{})->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_flaim_once_joint, "reference-adult", "flaim-once-joint", Terms{})->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_dist_aim_once, "reference-adult", "dist-aim-once", Terms{})->Apply(Once);
BENCHMARK_CAPTURE(Federated, synthfs_flaim_once, "reference-synthfs", "flaim-once", Terms{})->Apply(Once);

BENCHMARK_CAPTURE(Federated, adult_augflaim_private_epsilon_03, "reference-adult", "augflaim-private", Terms{.3})
    ->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_flaim_once_epsilon_03, "reference-adult", "flaim-once", Terms{.3})->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_flaim_once_joint_epsilon_03, "reference-adult", "flaim-once-joint", Terms{.3})
    ->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_dist_aim_once_epsilon_03, "reference-adult", "dist-aim-once", Terms{.3})
    ->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_augflaim_private_epsilon_5, "reference-adult", "augflaim-private", Terms{5})
    ->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_flaim_once_epsilon_5, "reference-adult", "flaim-once", Terms{5})->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_flaim_once_joint_epsilon_5, "reference-adult", "flaim-once-joint", Terms{5})
    ->Apply(Once);
BENCHMARK_CAPTURE(Federated, adult_dist_aim_once_epsilon_5, "reference-adult", "dist-aim-once", Terms{5})->Apply(Once);

#define BENCHMARK_COST(row, ...)                                                                 \
  BENCHMARK_CAPTURE(Cost, augflaim_private_##row, "augflaim-private", __VA_ARGS__)->Apply(Once); \
  BENCHMARK_CAPTURE(Cost, flaim_once_##row, "flaim-once", __VA_ARGS__)->Apply(Once)

BENCHMARK_COST(clients_100, MadeUp{}, Terms{});
BENCHMARK_COST(clients_1000, (MadeUp{.clients = 1'000}), Terms{});
BENCHMARK_COST(clients_10000, (MadeUp{.clients = 10'000}), Terms{});
BENCHMARK_COST(clients_1000000, (MadeUp{.rows = 1'000'000, .clients = 1'000'000, .columns = 5, .values = 4, .runs = 1}),
               Terms{});
BENCHMARK_COST(rounds_5, MadeUp{}, (Terms{.rounds = 5}));
BENCHMARK_COST(rounds_20, MadeUp{}, (Terms{.rounds = 20}));
BENCHMARK_COST(columns_5, (MadeUp{.columns = 5}), Terms{});
BENCHMARK_COST(columns_20, (MadeUp{.columns = 20}), Terms{});

}  // namespace
}  // namespace flaim
