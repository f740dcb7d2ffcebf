// A whole secure sum of a million entries on one thread: a hundred participants, of whom five vanish after sharing
// their secrets, with noise of sigma 20. `flaim bench secagg` measures other sizes.
#include <string>

#include "benchmark/benchmark.h"
#include "secagg/cost/session_cost.h"

namespace flaim::secagg {
namespace {

void Session(benchmark::State& state, SumKind kind) {
  const SessionSetting setting{.kind = kind,
                               .bounds = {.invited = 100, .dropouts = 5, .colluders = 5},
                               .vanishing = 5,
                               .entries = 1'000'000,
                               .sigma_squared = Rational(400, 1),
                               .ring_bits = 32};
  Parallel parallel(1);
  NoProgress progress;
  for ([[maybe_unused]] auto _ : state) {
    const absl::StatusOr<SessionCost> cost = MeasureSession(setting, parallel, {.progress = progress});
    if (!cost.ok()) return state.SkipWithError(std::string(cost.status().message()).c_str());
    state.counters["client_s"] = cost->client.Total();
    state.counters["noise_s"] = cost->client.noise;
    state.counters["server_s"] = cost->server.Total();
    state.counters["upload_mb"] = static_cast<double>(cost->upload_bytes) / 1e6;
  }
}

void Once(benchmark::internal::Benchmark* benchmark) {
  benchmark->Iterations(1)->Repetitions(1)->Unit(benchmark::kSecond);
}

BENCHMARK_CAPTURE(Session, secure_100_x_1000000, SumKind::kSecure)->Apply(Once);
BENCHMARK_CAPTURE(Session, plain_100_x_1000000, SumKind::kPlain)->Apply(Once);

}  // namespace
}  // namespace flaim::secagg
