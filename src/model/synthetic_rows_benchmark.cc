// Synthetic rows from models over the columns of Adult, for clique sets of four sizes (model_cliques.json of the
// reference data), with seeded random potentials. One thread. "rows" is rows a second of processor time, "cells" the
// size of the junction tree.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/seeded_random_source.h"
#include "benchmark/benchmark.h"
#include "data/schema_file.h"
#include "fmt/format.h"
#include "model/synthetic_rows.h"

namespace flaim {
namespace {

std::string PathOf(const std::string& name) { return fmt::format("{}/{}", FLAIM_DATA_DIR, name); }

std::vector<Clique> CliquesOf(const nlohmann::json& names_of_cliques, const Domain& domain) {
  std::vector<Clique> cliques;
  for (const auto& names : names_of_cliques) {
    std::vector<AttributeIndex> attributes;
    for (const auto& name : names) attributes.push_back(domain.Find(name.get<std::string>()).value());
    cliques.emplace_back(attributes);
  }
  return cliques;
}

std::optional<Model> MakeModel(const std::string& name) {
  const absl::StatusOr<Schema> schema = LoadSchema(PathOf("aim_adult-domain.json"));
  std::ifstream file(PathOf("reference/aim_adult/model_cliques.json"));
  if (!schema.ok() || !file) return std::nullopt;
  const std::vector<Clique> cliques = CliquesOf(nlohmann::json::parse(file).at(name), schema->domain());
  SeededRandomSource random(1, "potentials");
  std::vector<double> potentials(CliqueLayout(schema->domain(), cliques).cells());
  for (double& potential : potentials) potential = 3 * random.NextUnit();
  Parallel parallel(1);
  return Model::Create(schema->domain(), cliques, std::move(potentials), 48842, 1 << 26, parallel).value();
}

const std::optional<Model>& ModelNamed(const std::string& name) {
  static std::map<std::string, std::optional<Model>> models;
  const auto found = models.find(name);
  return found != models.end() ? found->second : models.emplace(name, MakeModel(name)).first->second;
}

bool Skip(benchmark::State& state, const std::optional<Model>& model) {
  if (!model) state.SkipWithError(fmt::format("the reference data is not in {}", FLAIM_DATA_DIR).c_str());
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
