// Exact inference on models over the columns of Adult, against one vectorised exp over as many doubles: the one thing
// that inference cannot do without. One thread unless said.
#include "benchmark/benchmark.h"
#include "model/inference/belief_propagation.h"
#include "model/inference/reference_models_testing.h"
#include "model/kernels/row_exp.h"

namespace flaim {
namespace {

struct Workbench {
  explicit Workbench(const Model& model)
      : oracle(model.tree(), model.layout()),
        potentials(model.potentials().begin(), model.potentials().end()),
        marginals(potentials.size()) {}

  BeliefPropagation oracle;
  std::vector<double> potentials;
  std::vector<double> marginals;
};

std::optional<Workbench> Prepare(benchmark::State& state, const std::string& name) {
  const std::optional<Model> model = ReferenceModel(name);
  if (!model) {
    state.SkipWithError(MissingReference().c_str());
    return std::nullopt;
  }
  state.counters["cells"] = static_cast<double>(model->tree().cells());
  return Workbench(*model);
}

void BeliefPropagationRun(benchmark::State& state, const std::string& name, int threads) {
  std::optional<Workbench> bench = Prepare(state, name);
  if (!bench) return;
  Parallel parallel(threads);
  for (auto _ : state) benchmark::DoNotOptimize(bench->oracle.Run(bench->potentials, bench->marginals, parallel));
}

void CovarianceTimes(benchmark::State& state, const std::string& name) {
  std::optional<Workbench> bench = Prepare(state, name);
  if (!bench) return;
  Parallel parallel(1);
  bench->oracle.Run(bench->potentials, bench->marginals, parallel);
  for (auto _ : state) {
    bench->oracle.CovarianceTimes(bench->potentials, bench->marginals, parallel);
    benchmark::DoNotOptimize(bench->marginals.data());
  }
}

void VectorisedExp(benchmark::State& state, const std::string& name) {
  const std::optional<Model> model = ReferenceModel(name);
  if (!model) return state.SkipWithError(MissingReference().c_str());
  const std::vector<double> source(model->tree().cells(), -1.5);
  std::vector<double> values = source;
  for (auto _ : state) {
    kernels::Exp(values);  // stays in [0, 1] after the first time
    benchmark::DoNotOptimize(values.data());
    benchmark::ClobberMemory();
  }
  state.counters["cells"] = static_cast<double>(model->tree().cells());
}

const bool registered = [] {
  for (const char* name : {"1way", "tree2", "3way_1MB", "3way_10MB", "3way_80MB"}) {
    benchmark::RegisterBenchmark(fmt::format("BeliefPropagation/{}", name).c_str(), BeliefPropagationRun, name, 1);
    benchmark::RegisterBenchmark(fmt::format("BeliefPropagationTwoThreads/{}", name).c_str(), BeliefPropagationRun,
                                 name, 2);
    benchmark::RegisterBenchmark(fmt::format("CovarianceTimes/{}", name).c_str(), CovarianceTimes, name);
    benchmark::RegisterBenchmark(fmt::format("VectorisedExp/{}", name).c_str(), VectorisedExp, name);
  }
  return true;
}();

}  // namespace
}  // namespace flaim
