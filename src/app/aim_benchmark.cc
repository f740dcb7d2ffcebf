// Central AIM on the pre-discretised Adult table at delta = 1e-9, on one thread: processor time of a run and workload
// error (mean over the workload's marginals of the L1 distance between shares, 0 to 2) of the model and of 48,842 rows
// drawn from it. Each row is the mean over as many seeds as it says.
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <filesystem>

#include "algorithms/methods/presets.h"
#include "algorithms/plan/run_plan.h"
#include "app/noise_sources.h"
#include "app/one_table_run.h"
#include "base/seeded_random_source.h"
#include "benchmark/benchmark.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "fmt/format.h"
#include "marginal/kernels/count.h"
#include "marginal/workload_spec.h"
#include "model/sampling/synthetic_rows.h"
#include "privacy/accountants/zcdp_accountant.h"

namespace flaim {
namespace {

// What Algorithm 2 anneals from: T = 16 d.
constexpr double kPaperRoundsPerAttribute = 16;

struct Experiment {
  std::string workload;
  double epsilon;
  int seeds;
  bool as_in_the_paper = false;
};

double Processor() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::vector<double> Shares(const Table& table, const Clique& clique) {
  const Marginal marginal = CountMarginal(table, clique).value();
  std::vector<double> shares;
  for (const std::int64_t count : marginal.counts()) {
    shares.push_back(static_cast<double>(count) / static_cast<double>(table.rows()));
  }
  return shares;
}

double Distance(std::span<const double> a, std::span<const double> b) {
  double distance = 0;
  for (std::size_t i = 0; i < a.size(); ++i) distance += std::abs(a[i] - b[i]);
  return distance;
}

struct Outcome {
  double seconds = 0;
  double model_error = 0;
  double rows_error = 0;
};

Outcome RunOnce(const Experiment& experiment, const Table& table, const Workload& workload, std::uint64_t seed) {
  const SystemClock clock;
  const PrivacyBudget budget = PrivacyBudget::Create(experiment.epsilon, 1e-9).value();
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("flaim-aim-benchmark-{}.ledger", getpid());
  std::filesystem::remove(path);
  Ledger ledger = Ledger::Create(path, {"aim_adult", budget, RhoFor(budget)}, clock).value();
  SeededNoise noise(seed);
  Parallel parallel(1);
  NoRounds rounds;
  RunRequest request;
  request.method.preset = experiment.as_in_the_paper ? "aim-paper" : "aim";
  if (experiment.as_in_the_paper) request.method.Set("anneal", kPaperRoundsPerAttribute);
  request.paper_fit = experiment.as_in_the_paper;
  RunOptions options{.budget = budget};
  if (experiment.as_in_the_paper) options.max_model_cells = kPaperModelCells;
  const RunPlan plan = MakeRunPlan(request, options, table.domain().size()).value();

  Outcome outcome;
  const double start = Processor();
  const FittedModel fitted =
      RunOnOneTable(
          plan.method, plan.options, *plan.spending, workload,
          {.rows = std::make_shared<TableRows>(table), .ledger = ledger, .noise = noise, .parallel = parallel}, rounds)
          .value();
  outcome.seconds = Processor() - start;
  std::filesystem::remove(path);

  SeededRandomSource sampling(seed, "aim benchmark");
  const Table rows = RowSampler(fitted.model, SamplingMethod::kRounded).Next(table.rows(), sampling);
  MarginalQuery query = fitted.model.Query();
  for (const WeightedQuery& asked : workload) {
    const std::vector<double> truth = Shares(table, asked.clique);
    outcome.model_error += Distance(truth, query.Answer(asked.clique)) / static_cast<double>(workload.size());
    outcome.rows_error += Distance(truth, Shares(rows, asked.clique)) / static_cast<double>(workload.size());
  }
  return outcome;
}

void Aim(benchmark::State& state, const Experiment& experiment) {
  const std::string folder = FLAIM_DATA_DIR;
  const absl::StatusOr<Schema> schema = LoadSchema(folder + "/aim_adult-domain.json");
  if (!schema.ok()) return state.SkipWithError(fmt::format("the data is not in {}", folder).c_str());
  const Table table = ReadTable(folder + "/aim_adult.csv.xz", *schema).value();
  const std::string spec =
      experiment.workload == "64" ? folder + "/reference/aim_adult/workload64.json" : experiment.workload;
  const Workload workload = MakeWorkload(schema->domain(), ParseWorkloadSpec(spec).value()).value();
  Outcome mean;
  for (auto _ : state) {
    for (int seed = 1; seed <= experiment.seeds; ++seed) {
      const Outcome outcome = RunOnce(experiment, table, workload, seed);
      mean.seconds += outcome.seconds / experiment.seeds;
      mean.model_error += outcome.model_error / experiment.seeds;
      mean.rows_error += outcome.rows_error / experiment.seeds;
    }
  }
  state.counters["cpu_s"] = mean.seconds;
  state.counters["error_model"] = mean.model_error;
  state.counters["error_rows"] = mean.rows_error;
}

void Once(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->Repetitions(1)->Unit(benchmark::kSecond);
}

BENCHMARK_CAPTURE(Aim, adult_64_epsilon_1, Experiment{"64", 1, 5})->Apply(Once);
BENCHMARK_CAPTURE(Aim, adult_64_epsilon_1_paper, Experiment{"64", 1, 5, true})->Apply(Once);
BENCHMARK_CAPTURE(Aim, adult_small_3_ways_epsilon_1, Experiment{"all:3:10000", 1, 5})->Apply(Once);
BENCHMARK_CAPTURE(Aim, adult_64_epsilon_10, Experiment{"64", 10, 3})->Apply(Once);

}  // namespace
}  // namespace flaim
