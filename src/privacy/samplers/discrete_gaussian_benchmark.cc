#include <benchmark/benchmark.h>

#include <vector>

#include "base/secure_random_source.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/discrete_gaussian_reference.h"
#include "privacy/samplers/exponential_sampler.h"

namespace flaim {
namespace {

Rational VarianceOf(const benchmark::State& state) { return Rational(state.range(0) * state.range(0), 1); }

void SetItems(benchmark::State& state, std::size_t items_per_iteration) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items_per_iteration));
}

void DiscreteGaussianTableMethod(benchmark::State& state) {
  SecureRandomSource random;
  const DiscreteGaussian gaussian(VarianceOf(state));
  std::vector<std::int64_t> values(1 << 16);
  for ([[maybe_unused]] auto _ : state) {
    gaussian.Fill(random, values);
    benchmark::DoNotOptimize(values.data());
  }
  SetItems(state, values.size());
}
BENCHMARK(DiscreteGaussianTableMethod)->ArgName("sigma")->Arg(20)->Arg(200)->Arg(1000);

void DiscreteGaussianReference(benchmark::State& state) {
  SecureRandomSource random;
  const Rational variance = VarianceOf(state);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(SampleDiscreteGaussianReference(variance, random));
  SetItems(state, 1);
}
BENCHMARK(DiscreteGaussianReference)->ArgName("sigma")->Arg(20)->Arg(200)->Arg(1000);

// What no sampler that takes 64 bits a sample can beat.
void RandomWordsAlone(benchmark::State& state) {
  SecureRandomSource random;
  std::vector<std::uint64_t> words(1 << 16);
  for ([[maybe_unused]] auto _ : state) {
    for (std::uint64_t& word : words) word = random.NextU64();
    benchmark::DoNotOptimize(words.data());
  }
  SetItems(state, words.size());
}
BENCHMARK(RandomWordsAlone);

void DiscreteGaussianConstruction(benchmark::State& state) {
  const Rational variance = VarianceOf(state);
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(DiscreteGaussian(variance));
}
BENCHMARK(DiscreteGaussianConstruction)->ArgName("sigma")->Arg(20)->Arg(200)->Arg(1000)->Unit(benchmark::kMicrosecond);

void ExponentialSelection(benchmark::State& state) {
  SecureRandomSource random;
  std::vector<std::int64_t> scores(static_cast<std::size_t>(state.range(0)));
  for (std::int64_t& score : scores) score = static_cast<std::int64_t>(random.NextBelow(2000));
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(SampleExponential(scores, Rational(1, 10), 1, random));
}
BENCHMARK(ExponentialSelection)->ArgName("candidates")->Arg(161)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace flaim
