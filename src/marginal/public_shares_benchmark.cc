// One client's distance for one candidate, as local selection measures it for every client and candidate: 435 rows (a
// hundredth of a census table), three attributes, 1,000 and 30,000 cells. The kernel walks over the rows, its naive
// twin over the cells.
#include "base/seeded_random_source.h"
#include "benchmark/benchmark.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/public_shares.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

constexpr std::size_t kRows = 435;

struct Client {
  Table rows;
  Clique clique;
  PublicShares shares;
};

Client RandomClient(std::int64_t size_of_last) {
  SeededRandomSource random(1);
  const Domain domain = testing_tables::DomainOfSizes({10, 10, size_of_last});
  std::vector<double> shares(static_cast<std::size_t>(100 * size_of_last));
  for (double& share : shares) share = random.NextUnit();
  return {testing_tables::TableOf(domain, testing_tables::RandomRows(domain, kRows, random)), Clique({0, 1, 2}),
          PublicShares(shares)};
}

void ShareDistanceByRows(benchmark::State& state) {
  const Client client = RandomClient(state.range(0) / 100);
  ShareDistanceMeter meter;
  for (auto _ : state) benchmark::DoNotOptimize(meter.Measure(client.rows, client.clique, client.shares));
}

void ShareDistanceByCells(benchmark::State& state) {
  const Client client = RandomClient(state.range(0) / 100);
  for (auto _ : state) benchmark::DoNotOptimize(NaiveShareDistance(client.rows, client.clique, client.shares));
}

BENCHMARK(ShareDistanceByRows)->ArgName("cells")->Arg(1000)->Arg(30'000);
BENCHMARK(ShareDistanceByCells)->ArgName("cells")->Arg(1000)->Arg(30'000);

}  // namespace
}  // namespace flaim
