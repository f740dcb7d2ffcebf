// Rows of a model over the columns of Adult, swapped for the 300 marginals that are taken by default, from a model in
// memory to 50,000 rows in memory; the kernel of its scores; and the gain of one swap beside its plain twin, which
// counts all rows again. One thread. "rows" is rows a second of processor time.
#include <map>
#include <vector>

#include "benchmark/benchmark.h"
#include "marginal/kernels/naive_count_testing.h"
#include "model/inference/reference_models_testing.h"
#include "model/kernels/row_swap.h"
#include "model/sampling/row_swaps.h"
#include "model/sampling/swap_cliques.h"

namespace flaim {
namespace {

void BM_SwappedRows(benchmark::State& state) {
  const std::optional<Model> model = ReferenceModel("3way_1MB");
  if (!model) return state.SkipWithError(MissingReference().c_str());
  const SwappedRowsRequest request{.rows = 50'000, .cliques = DefaultSwapCliques(model->domain()), .options = {}};
  SeededRandomSource random(2, "swapped rows");
  Parallel parallel(1);
  for (auto _ : state) benchmark::DoNotOptimize(DrawSwappedRows(*model, request, random, parallel).value());
  state.counters["rows"] = benchmark::Counter(50'000, benchmark::Counter::kIsIterationInvariantRate);
}

// Rows of 300 marginals of 1,000 cells each.
struct SwapCase {
  explicit SwapCase(std::size_t rows) : cell(300 * rows) {
    for (std::uint32_t& first : begin) first = 1000 * static_cast<std::uint32_t>(&first - begin.data());
    SeededRandomSource random(3, "cells");
    for (std::uint16_t& at : cell) at = static_cast<std::uint16_t>(random.NextBelow(1000));
    for (double& each : excess) each = random.NextUnit();
  }

  std::vector<std::uint32_t> begin = std::vector<std::uint32_t>(301);
  std::vector<double> scale = std::vector<double>(300'000, 50);
  std::vector<double> excess = std::vector<double>(300'000);
  std::vector<std::uint16_t> cell;
};

void BM_AddGains(benchmark::State& state) {
  const SwapCase made(8192);
  const std::vector<float> gains(300'000, 1);
  std::vector<float> scores(8192);
  for (auto _ : state) {
    for (std::size_t i = 0; i < 300; ++i) {
      kernels::AddGains(std::span(made.cell).subspan(8192 * i, 8192), std::span(gains).subspan(1000 * i), scores);
    }
  }
  state.counters["rows"] = benchmark::Counter(8192, benchmark::Counter::kIsIterationInvariantRate);
}

void BM_SwapGain(benchmark::State& state) {
  SwapCase made(2);
  const kernels::CellExcess cells{made.begin, made.scale, made.excess};
  const std::span both(made.cell);
  for (auto _ : state) benchmark::DoNotOptimize(kernels::SwapGain(cells, both.first(300), both.last(300)));
}

void BM_SwapGainNaive(benchmark::State& state) {
  const std::optional<Model> model = ReferenceModel("3way_1MB");
  if (!model) return state.SkipWithError(MissingReference().c_str());
  SeededRandomSource random(4, "naive");
  const Table rows = RowSampler(*model, SamplingMethod::kRounded).Next(50'000, random);
  const std::vector<Clique> cliques = DefaultSwapCliques(model->domain());
  for (auto _ : state) {
    for (const Clique& clique : cliques) benchmark::DoNotOptimize(NaiveCountClique(rows, clique));
  }
}

BENCHMARK(BM_SwappedRows)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_AddGains)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_SwapGain)->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_SwapGainNaive)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flaim
