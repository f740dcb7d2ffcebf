// Synthetic rows from models over the columns of Adult, for clique sets of four sizes (model_cliques.json of the
// reference data), with seeded random potentials. One thread. "rows" is rows a second of processor time, "cells" the
// size of the junction tree.
#include <map>

#include "benchmark/benchmark.h"
#include "model/inference/reference_models_testing.h"
#include "model/sampling/synthetic_rows.h"

namespace flaim {
namespace {

const std::optional<Model>& ModelNamed(const std::string& name) {
  static std::map<std::string, std::optional<Model>> models;
  const auto found = models.find(name);
  return found != models.end() ? found->second : models.emplace(name, ReferenceModel(name)).first->second;
}

bool Skip(benchmark::State& state, const std::optional<Model>& model) {
  if (!model) state.SkipWithError(MissingReference().c_str());
  return !model;
}

void Report(benchmark::State& state, const Model& model, std::int64_t rows) {
  state.counters["rows"] = benchmark::Counter(static_cast<double>(rows), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["cells"] = static_cast<double>(model.tree().cells());
}

// From a model in memory to 50,000 rows in memory.
void BM_FirstRows(benchmark::State& state, const std::string& name, SamplingMethod method) {
  const std::optional<Model>& model = ModelNamed(name);
  if (Skip(state, model)) return;
  constexpr std::int64_t kRows = 50000;
  SeededRandomSource random(2, "first rows");
  for (auto _ : state) {
    RowSampler sampler(*model, method);
    benchmark::DoNotOptimize(sampler.Next(kRows, random));
  }
  Report(state, *model, kRows);
}

// Ten million rows, batch by batch.
void BM_ManyRows(benchmark::State& state, const std::string& name, SamplingMethod method) {
  const std::optional<Model>& model = ModelNamed(name);
  if (Skip(state, model)) return;
  constexpr std::int64_t kRows = 10'000'000;
  SeededRandomSource random(3, "many rows");
  RowSampler sampler(*model, method);
  for (auto _ : state) {
    const absl::Status status = StreamRows(sampler, kRows, random, [](const Table& table) {
      benchmark::DoNotOptimize(table.rows());
      return absl::OkStatus();
    });
    if (!status.ok()) state.SkipWithError("no rows");
  }
  Report(state, *model, kRows);
}

BENCHMARK_CAPTURE(BM_FirstRows, tree2_rounded, "tree2", SamplingMethod::kRounded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_FirstRows, tree2_exact, "tree2", SamplingMethod::kExact)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_FirstRows, 3way_1MB_rounded, "3way_1MB", SamplingMethod::kRounded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_FirstRows, 3way_1MB_exact, "3way_1MB", SamplingMethod::kExact)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_FirstRows, 3way_10MB_rounded, "3way_10MB", SamplingMethod::kRounded)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_FirstRows, 3way_10MB_exact, "3way_10MB", SamplingMethod::kExact)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_FirstRows, 3way_80MB_rounded, "3way_80MB", SamplingMethod::kRounded)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_FirstRows, 3way_80MB_exact, "3way_80MB", SamplingMethod::kExact)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ManyRows, tree2_rounded, "tree2", SamplingMethod::kRounded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ManyRows, tree2_exact, "tree2", SamplingMethod::kExact)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ManyRows, 3way_1MB_rounded, "3way_1MB", SamplingMethod::kRounded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ManyRows, 3way_1MB_exact, "3way_1MB", SamplingMethod::kExact)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ManyRows, 3way_10MB_rounded, "3way_10MB", SamplingMethod::kRounded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(BM_ManyRows, 3way_10MB_exact, "3way_10MB", SamplingMethod::kExact)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flaim
