#include <algorithm>
#include <cmath>
#include <map>

#include "algorithms/loop/error_bounds.h"
#include "app/aim_testing.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"

namespace flaim {
namespace {

constexpr int kRuns = 400;
constexpr double kAlpha = 1e-6;

// P(at least `successes` of `trials`), each with `probability`.
double BinomialTail(int trials, int successes, double probability) {
  double tail = 0;
  for (int k = successes; k <= trials; ++k) {
    tail += std::exp(std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) +
                     k * std::log(probability) + (trials - k) * std::log1p(-probability));
  }
  return tail;
}

double ErrorOf(const Model& model, const Table& table, const Clique& clique) {
  const Marginal truth = CountMarginal(table, clique).value();
  const std::vector<double> shares = model.Query().Answer(clique);
  double distance = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    distance += std::abs(model.total() * shares[i] - static_cast<double>(truth.counts()[i]));
  }
  return distance;
}

struct Coverage {
  int given = 0;
  int violated = 0;
  int violated_without_noise = 0;  // by a bound that forgets that measurements are noisy
  std::vector<double> bounds;
};

// What a measured bound would be if the measurements were exact: the distance to the nearest of them.
double DistanceToMeasurement(const FittedModel& fitted, const Clique& clique) {
  for (const Measurement& measurement : fitted.report.measurements) {
    if (measurement.clique != clique) continue;
    const std::vector<double> shares = fitted.model.Query().Answer(clique);
    double distance = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      distance += std::abs(fitted.model.total() * shares[i] - measurement.values[i]);
    }
    return distance;
  }
  return std::numeric_limits<double>::infinity();
}

struct Simulation {
  std::map<Clique, Coverage> measured;
  std::map<Clique, Coverage> unmeasured;
};

Simulation Simulate(const AimOptions& options, std::size_t rows) {
  Simulation result;
  for (int run = 0; run < kRuns; ++run) {
    const Table table = MakeCorrelatedTable(1, rows);
    AimBench bench("aim-bounds", options);
    SeededNoise noise(static_cast<std::uint64_t>(run));
    const FittedModel fitted = bench.Run(options, table, noise).value();
    for (const ErrorBound& bound : fitted.report.bounds) {
      Coverage& coverage = (bound.is_measured ? result.measured : result.unmeasured)[bound.clique];
      const double error = ErrorOf(fitted.model, table, bound.clique);
      ++coverage.given;
      coverage.violated += error > bound.distance_records;
      coverage.violated_without_noise += bound.is_measured && error > DistanceToMeasurement(fitted, bound.clique);
      coverage.bounds.push_back(bound.distance_records);
    }
  }
  return result;
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// One marginal counts once in each run, so its violations are dominated by a binomial variable: the runs are
// independent, and in each it is violated with probability at most 1 - confidence.
void ExpectCovered(const std::map<Clique, Coverage>& coverages, const AimOptions& options) {
  for (const auto& [clique, coverage] : coverages) {
    EXPECT_GE(BinomialTail(kRuns, coverage.violated, 1 - options.confidence), kAlpha)
        << coverage.violated << " of " << coverage.given << " bounds violated over "
        << testing::PrintToString(clique.attributes());
  }
}

TEST(ErrorBounds, HoldAsOftenAsTheySay) {
  for (const double confidence : {0.95, 0.5}) {
    for (const Rounds& plan : {Rounds(FixedRounds{3}), Rounds(Annealed{1.5})}) {
      AimOptions options = OptionsFor(1, plan);
      options.confidence = confidence;
      const Simulation simulation = Simulate(options, 300);
      ASSERT_GT(simulation.measured.size(), 4U);
      ASSERT_GT(simulation.unmeasured.size(), 4U);
      ExpectCovered(simulation.measured, options);
      ExpectCovered(simulation.unmeasured, options);
    }
  }
}

TEST(ErrorBounds, SayMoreThanThatTwoTablesCanDifferCompletely) {
  const AimOptions options = OptionsFor(4, FixedRounds{3});
  const Simulation simulation = Simulate(options, 2000);
  for (const auto& [clique, coverage] : simulation.measured) {
    EXPECT_LT(Median(coverage.bounds), 2 * 2000) << testing::PrintToString(clique.attributes());
  }
}

TEST(ErrorBounds, WouldNotHoldWithoutTheNoiseTerm) {
  const AimOptions options = OptionsFor(1, FixedRounds{3});
  for (const auto& [clique, coverage] : Simulate(options, 300).measured) {
    if (coverage.given < kRuns / 4) continue;
    EXPECT_LT(BinomialTail(coverage.given, coverage.violated_without_noise, 1 - options.confidence), kAlpha)
        << testing::PrintToString(clique.attributes());
  }
}

}  // namespace
}  // namespace flaim
