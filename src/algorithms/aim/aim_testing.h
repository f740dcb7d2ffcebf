#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/aim/aim.h"
#include "privacy/ledger_report.h"
#include "privacy/ledger_test_disk.h"
#include "privacy/ledger_test_support.h"

namespace flaim {

// Five attributes of 3, 2, 4, 2 and 3 values. The second follows the first and the fourth the third, mostly; the rows
// are drawn anew from each seed.
Table MakeCorrelatedTable(std::uint64_t seed, std::size_t rows);

// All pairs of attributes; the attribute itself where there is only one.
Workload AllPairs(const Domain& domain);

// Calls back when a round is over.
class RoundObserver final : public ProgressSink {
 public:
  explicit RoundObserver(std::function<void()> on_round = [] {}) : on_round_(std::move(on_round)) {}
  void Report(const Progress&) override { on_round_(); }

 private:
  std::function<void()> on_round_;
};

// A ledger on a disk in memory, and runs of AIM that pay from it. One at a time: the disk is SQLite's default while it
// lives.
class AimBench {
 public:
  // `name` tells the benches of one program apart.
  AimBench(const std::string& name, Rho total);
  explicit AimBench(const std::string& name, const AimOptions& options);

  absl::StatusOr<FittedModel> Run(const AimOptions& options, const Table& table, RandomSource& noise,
                                  ProgressSink& progress, int threads = 1);
  absl::StatusOr<FittedModel> Run(const AimOptions& options, const Table& table, RandomSource& noise);
  absl::StatusOr<FittedModel> Run(const AimOptions& options, const std::shared_ptr<PrivateRows>& source,
                                  RandomSource& noise, ProgressSink& progress, int threads = 1);

  testing_support::SimulatedDisk& disk() { return disk_; }
  LedgerReport Read() const { return ReadLedger(path_).value(); }
  std::vector<DebitEntry> Debits() const;
  std::vector<ReleaseEntry> Releases() const;

 private:
  testing_support::ScratchPath path_;
  testing_support::SimulatedDisk disk_;
  LedgerTerms terms_;
};

// At epsilon with delta 1e-6, and few iterations: what is tested here does not depend on a good fit.
AimOptions OptionsFor(double epsilon, const RoundPlan& rounds);

}  // namespace flaim
