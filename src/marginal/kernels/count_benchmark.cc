// What is timed: from a Table in memory to all counts in memory, allocation of the outputs included on both sides, and
// freeing them on neither. The plain loops get a fresh std::vector<int64_t> for each clique; the kernel makes one
// CliqueCounts. All are compiled with the same flags. "rows_counted" is rows times cliques per second of wall time.
#include <sys/resource.h>

#include <optional>
#include <string>
#include <variant>

#include "benchmark/benchmark.h"
#include "data/schema_file.h"
#include "data/table_reader.h"
#include "marginal/kernels/count.h"
#include "marginal/kernels/naive_count.h"
#include "marginal/workload_spec.h"

namespace flaim {
namespace {

const std::string kDataDirectory = FLAIM_DATA_DIR;

struct Dataset {
  Table table;
  std::vector<Clique> cliques;
};

std::optional<Dataset> Load(const std::string& name, const std::string& schema_file, const WorkloadSpec& spec) {
  const absl::StatusOr<Schema> schema = LoadSchema(kDataDirectory + "/" + schema_file);
  if (!schema.ok()) return std::nullopt;
  const absl::StatusOr<Table> table = ReadTable(kDataDirectory + "/" + name, *schema);
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

template <typename Count>
void Run(benchmark::State& state, const std::optional<Dataset>& dataset, const Count& count) {
  if (!dataset) {
    state.SkipWithError(("the dataset is not in " + kDataDirectory).c_str());
    return;
  }
  std::int64_t faults = 0;
  for (auto _ : state) {
    const std::int64_t before = MinorFaults();
    auto counts = count(*dataset);
    benchmark::DoNotOptimize(counts);
    state.PauseTiming();
    faults += MinorFaults() - before;
    { const auto freed = std::move(counts); }
    state.ResumeTiming();
  }
  state.counters["faults"] = benchmark::Counter(static_cast<double>(faults), benchmark::Counter::kAvgIterations);
  state.counters["rows_counted"] =
      benchmark::Counter(static_cast<double>(dataset->table.rows() * dataset->cliques.size()),
                         benchmark::Counter::kIsIterationInvariantRate);
}

auto IndexAndBincount(const Dataset& dataset) { return NaiveCountCliques(dataset.table, dataset.cliques); }

// The best that a plain loop does when it is written for three attributes only.
auto PlainThreeWay(const Dataset& dataset) {
  std::vector<std::vector<std::int64_t>> all;
  for (const Clique& clique : dataset.cliques) {
    const std::vector<AttributeIndex>& attributes = clique.attributes();
    const auto size = [&](std::size_t i) {
      return static_cast<std::size_t>(dataset.table.domain()[attributes[i]].size);
    };
    const std::size_t second = size(1);
    const std::size_t third = size(2);
    std::vector<std::int64_t> counts(size(0) * second * third);
    std::visit(
        [&](auto a, auto b, auto c) {
          for (std::size_t row = 0; row < a.size(); ++row) ++counts[(a[row] * second + b[row]) * third + c[row]];
        },
        dataset.table.column(attributes[0]), dataset.table.column(attributes[1]), dataset.table.column(attributes[2]));
    all.push_back(std::move(counts));
  }
  return all;
}

auto Kernel(Parallel& parallel) {
  return [&parallel](const Dataset& dataset) { return CountCliques(dataset.table, dataset.cliques, parallel); };
}

void BM_Adult364_IndexAndBincount(benchmark::State& state) { Run(state, Adult(), IndexAndBincount); }
void BM_Adult364_PlainThreeWay(benchmark::State& state) { Run(state, Adult(), PlainThreeWay); }
void BM_Adult364_Kernel(benchmark::State& state) {
  Parallel parallel(static_cast<int>(state.range(0)));
  Run(state, Adult(), Kernel(parallel));
}
void BM_Covtype64_IndexAndBincount(benchmark::State& state) { Run(state, Covtype(), IndexAndBincount); }
void BM_Covtype64_PlainThreeWay(benchmark::State& state) { Run(state, Covtype(), PlainThreeWay); }
void BM_Covtype64_Kernel(benchmark::State& state) {
  Parallel parallel(static_cast<int>(state.range(0)));
  Run(state, Covtype(), Kernel(parallel));
}

BENCHMARK(BM_Adult364_IndexAndBincount)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_Adult364_PlainThreeWay)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_Adult364_Kernel)->ArgName("threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_Covtype64_IndexAndBincount)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_Covtype64_PlainThreeWay)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_Covtype64_Kernel)->ArgName("threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace flaim
