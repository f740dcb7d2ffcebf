#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/methods/presets.h"
#include "app/noise_sources.h"
#include "app/one_table_run.h"
#include "privacy/ledger/ledger_disk_testing.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_testing.h"

namespace flaim {

// Five attributes of 3, 2, 4, 2 and 3 values. The second follows the first and the fourth the third, mostly; the rows
// are drawn anew from each seed.
Table MakeCorrelatedTable(std::uint64_t seed, std::size_t rows);

// All pairs of attributes; the attribute itself where there is only one.
Workload AllPairs(const Domain& domain);

// Calls back when a round is over.
class RoundObserver final : public RoundSink {
 public:
  explicit RoundObserver(std::function<void()> on_round = [] {}) : on_round_(std::move(on_round)) {}
  void Report(const RoundReport& report, const Model&) override {
    if (report.round > 0) on_round_();
  }

 private:
  std::function<void()> on_round_;
};

// A run of AIM: the method as it ships, and what may be changed in it.
struct AimOptions : RunOptions {
  Method method = Aim();
  std::int64_t max_kept_cells = std::int64_t{1} << 26;
};

// A ledger on a disk in memory, and runs of AIM that pay from it. One at a time: the disk is SQLite's default while it
// lives.
class AimBench {
 public:
  // `name` tells the benches of one program apart.
  AimBench(const std::string& name, Rho total);
  explicit AimBench(const std::string& name, const AimOptions& options);

  absl::StatusOr<FittedModel> Run(const AimOptions& options, const Table& table, NoiseSource& noise, RoundSink& rounds,
                                  int threads = 1);
  absl::StatusOr<FittedModel> Run(const AimOptions& options, const Table& table, NoiseSource& noise);
  absl::StatusOr<FittedModel> Run(const AimOptions& options, const std::shared_ptr<PrivateRows>& source,
                                  NoiseSource& noise, RoundSink& rounds, int threads = 1);

  // Of another workload than all pairs.
  absl::StatusOr<FittedModel> Run(const AimOptions& options, const Workload& workload,
                                  const std::shared_ptr<PrivateRows>& source, NoiseSource& noise, RoundSink& rounds,
                                  int threads = 1);

  testing_support::SimulatedDisk& disk() { return disk_; }
  const std::string& path() const { return path_; }
  LedgerReport Read() const { return ReadLedger(path_).value(); }
  std::vector<DebitEntry> Debits() const;
  std::vector<ReleaseEntry> Releases() const;

 private:
  testing_support::ScratchPath path_;
  testing_support::SimulatedDisk disk_;
  LedgerTerms terms_;
};

// At epsilon with delta 1e-6, and few iterations: what is tested here does not depend on a good fit.
AimOptions OptionsFor(double epsilon, const Rounds& rounds);

}  // namespace flaim
