#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/clock.h"
#include "base/secure_random_source.h"
#include "benchmark/benchmark.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_file.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/release_value.h"
#include "privacy/release/release.h"

namespace flaim {
namespace {

const GaussianMechanism kGaussian{.sigma_squared = Rational(400, 1)};

std::string BenchmarkPath() {
  return (std::filesystem::temp_directory_path() / fmt::format("flaim-benchmark-{}.ledger", ::getpid())).string();
}

LedgerTerms Terms() {
  return {.data_name = "benchmark", .budget = *PrivacyBudget::Create(100, 0.1), .total = Rho::RoundDown(70)};
}

// A ledger with `pairs` debits, each with a value of 100 counts, written in one transaction.
void WriteLedger(const std::string& path, std::int64_t pairs, const Clock& clock) {
  std::remove(path.c_str());
  CHECK(Ledger::Create(path, Terms(), clock).ok());
  LedgerFile file = *LedgerFile::Open(path, std::chrono::seconds(1));
  SqliteTransaction transaction = *file.Begin(SqliteTransaction::Kind::kWrite);
  LedgerState state;
  CHECK(file.CatchUp(state).ok());
  const std::vector<std::byte> value = EncodeCounts(std::vector<std::int64_t>(100, 7));
  const auto append = [&](LedgerEntry entry) {
    const LedgerRow row = state.NextRow(std::move(entry), 0);
    CHECK(file.Insert(row).ok() && state.Apply(row).ok());
  };
  for (std::int64_t round = 0; round < pairs; ++round) {
    append(*state.Pay({.run = "run", .round = round, .query = "age,sex", .mechanism = kGaussian}));
    append(ReleaseEntry{state.size() - 1, "secure", value});
  }
  CHECK(transaction.Commit().ok());
}

void OpenLedgerOfTenThousandRows(benchmark::State& state) {
  const SystemClock clock;
  const std::string path = BenchmarkPath();
  WriteLedger(path, 5'000, clock);
  for (auto unused : state) CHECK(Ledger::Open(path, clock).ok());
  std::remove(path.c_str());
}
BENCHMARK(OpenLedgerOfTenThousandRows)->Unit(benchmark::kMillisecond);

void VerifyLedgerOfTenThousandRows(benchmark::State& state) {
  const SystemClock clock;
  const std::string path = BenchmarkPath();
  WriteLedger(path, 5'000, clock);
  for (auto unused : state) CHECK(VerifyLedger(path).ok());
  std::remove(path.c_str());
}
BENCHMARK(VerifyLedgerOfTenThousandRows)->Unit(benchmark::kMillisecond);

// Two durable commits: what a release costs is what the disk takes to sync.
void DebitAndReleaseOneHundredCounts(benchmark::State& state) {
  const SystemClock clock;
  const std::string path = BenchmarkPath();
  std::remove(path.c_str());
  Ledger ledger = *Ledger::Create(path, Terms(), clock);
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts(100, 7);
  std::int64_t round = 0;
  for (auto unused : state) {
    auto spend = ledger.Debit({"run", ++round, "age,sex"}, kGaussian);
    CHECK(spend.ok() && ReleaseGaussian(*std::move(spend), counts, noise).ok());
  }
  std::remove(path.c_str());
}
BENCHMARK(DebitAndReleaseOneHundredCounts)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flaim
