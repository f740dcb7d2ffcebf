// What is timed: from a Table in memory to all counts in fresh memory, with the same flags for all. The plain loops
// make a std::vector<int64_t> for each clique, the kernel one CliqueCounts. Allocation is timed, freeing is not; freed
// memory goes back to the system in between (malloc_trim), because otherwise it depends on chance whether the plain
// loops pay for page faults (about half of their time here) or find warm memory. "faults" is minor page faults a run,
// "rows_counted" rows times cliques per second of wall time.
#include <malloc.h>
#include <sys/resource.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "benchmark/benchmark.h"
#include "data/rows/table_reader.h"
#include "data/schema/schema_file.h"
#include "fmt/format.h"
#include "marginal/kernels/count.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/workload_spec.h"

namespace flaim {
namespace {

constexpr std::string_view kDataDirectory = FLAIM_DATA_DIR;

std::string PathOf(const std::string& name) { return fmt::format("{}/{}", kDataDirectory, name); }

struct Dataset {
  Table table;
  std::vector<Clique> cliques;
};

std::optional<Dataset> Load(const std::string& name, const std::string& schema_file, const WorkloadSpec& spec) {
  const absl::StatusOr<Schema> schema = LoadSchema(PathOf(schema_file));
  if (!schema.ok()) return std::nullopt;
  const absl::StatusOr<Table> table = ReadTable(PathOf(name), *schema);
  if (!table.ok()) return std::nullopt;
  Dataset dataset{*table, {}};
  const Workload workload = MakeWorkload(table->domain(), spec).value();
  for (const WeightedQuery& query : workload) dataset.cliques.push_back(query.clique);
  return dataset;
}

const std::optional<Dataset>& Adult() {
  static const std::optional<Dataset> dataset = Load("aim_adult.csv.xz", "aim_adult-domain.json", AllKWaySpec{3, {}});
  return dataset;
}

const std::optional<Dataset>& Covtype() {
  static const std::optional<Dataset> dataset =
      Load("covtype.csv.xz", "covtype.schema.json", RandomKWaySpec{64, 3, 1, {}});
  return dataset;
}

std::int64_t MinorFaults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

bool Skip(benchmark::State& state, const std::optional<Dataset>& dataset) {
  if (!dataset) state.SkipWithError(fmt::format("the dataset is not in {}", kDataDirectory).c_str());
  return !dataset;
}

void Report(benchmark::State& state, const Dataset& dataset, std::int64_t faults) {
  state.counters["faults"] = benchmark::Counter(static_cast<double>(faults), benchmark::Counter::kAvgIterations);
  state.counters["rows_counted"] =
      benchmark::Counter(static_cast<double>(dataset.table.rows() * dataset.cliques.size()),
                         benchmark::Counter::kIsIterationInvariantRate);
}

template <typename Count>
void RunFresh(benchmark::State& state, const std::optional<Dataset>& dataset, const Count& count) {
  if (Skip(state, dataset)) return;
  std::int64_t faults = 0;
  for (auto _ : state) {
    const std::int64_t before = MinorFaults();
    auto counts = count(*dataset);
    benchmark::DoNotOptimize(counts);
    state.PauseTiming();
    faults += MinorFaults() - before;
    { const auto freed = std::move(counts); }
    malloc_trim(0);
    state.ResumeTiming();
  }
  Report(state, *dataset, faults);
}

using PlainCounts = std::vector<std::vector<std::int64_t>>;

// The best that a plain loop does when it is written for three attributes only.
PlainCounts PlainThreeWay(const Dataset& dataset) {
  PlainCounts all(dataset.cliques.size());
  for (std::size_t clique = 0; clique < dataset.cliques.size(); ++clique) {
    const std::vector<AttributeIndex>& attributes = dataset.cliques[clique].attributes();
    const auto size = [&](std::size_t i) {
      return static_cast<std::size_t>(dataset.table.domain()[attributes[i]].size);
    };
    const std::size_t second = size(1);
    const std::size_t third = size(2);
    std::vector<std::int64_t>& counts = all[clique];
    counts.assign(size(0) * second * third, 0);
    std::visit(
        [&](auto a, auto b, auto c) {
          for (std::size_t row = 0; row < a.size(); ++row) ++counts[(a[row] * second + b[row]) * third + c[row]];
        },
        dataset.table.column(attributes[0]), dataset.table.column(attributes[1]), dataset.table.column(attributes[2]));
  }
  return all;
}

using DatasetFunction = const std::optional<Dataset>& (*)();

void FreshIndexAndBincount(benchmark::State& state, DatasetFunction dataset) {
  RunFresh(state, dataset(), [](const Dataset& data) {
    std::vector<std::vector<std::int64_t>> counts;
    for (const Clique& clique : data.cliques) counts.push_back(NaiveCountClique(data.table, clique));
    return counts;
  });
}

void FreshPlainThreeWay(benchmark::State& state, DatasetFunction dataset) { RunFresh(state, dataset(), PlainThreeWay); }

void FreshKernel(benchmark::State& state, DatasetFunction dataset) {
  Parallel parallel(static_cast<int>(state.range(0)));
  RunFresh(state, dataset(), [&](const Dataset& data) { return CountCliques(data.table, data.cliques, parallel); });
}

#define FLAIM_COUNT_BENCHMARK(run, name, dataset) \
  BENCHMARK_CAPTURE(run, name, dataset)->Unit(benchmark::kMillisecond)->UseRealTime()

FLAIM_COUNT_BENCHMARK(FreshIndexAndBincount, adult_364, Adult);
FLAIM_COUNT_BENCHMARK(FreshPlainThreeWay, adult_364, Adult);
FLAIM_COUNT_BENCHMARK(FreshKernel, adult_364, Adult)->ArgName("threads")->Arg(1)->Arg(2);
FLAIM_COUNT_BENCHMARK(FreshIndexAndBincount, covtype_64, Covtype);
FLAIM_COUNT_BENCHMARK(FreshPlainThreeWay, covtype_64, Covtype);
FLAIM_COUNT_BENCHMARK(FreshKernel, covtype_64, Covtype)->ArgName("threads")->Arg(1)->Arg(2);

}  // namespace
}  // namespace flaim
