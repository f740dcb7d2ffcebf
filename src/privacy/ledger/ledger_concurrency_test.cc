#include <sys/wait.h>
#include <unistd.h>

#include "base/secure_random_source.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger_kill_testing.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_script_testing.h"

namespace flaim {
namespace {

using testing_support::Fraction64;
using testing_support::kGaussian64;
using testing_support::KillingFileSystem;
using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::TermsAllowing;

constexpr int kProcesses = 3;

// Runs `body` in several processes at once; true if each returned true.
template <typename Body>
bool AllSucceed(const Body& body) {
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = ::fork();
    if (child == 0) {
      KillingFileSystem::Install(0);  // for its syncs, which take no time
      ::_exit(body(process) ? 0 : 1);
    }
    children.push_back(child);
  }
  bool all = true;
  for (const pid_t child : children) {
    int status = 0;
    all &= ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return all;
}

// Debits and releases under its own names until nothing is left.
bool SpendAll(const std::string& path, int process) {
  absl::StatusOr<Ledger> ledger = Ledger::OpenOrCreate(path, TermsAllowing(Fraction64(100)), NoonClock());
  if (!ledger.ok()) return false;
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts = {1, 2, 3};
  for (std::int64_t round = 0; round <= 100; ++round) {
    auto spend = ledger->Debit({fmt::format("process {}", process), round, "q"}, kGaussian64);
    if (absl::IsResourceExhausted(spend.status())) return true;
    if (!spend.ok() || !ReleaseGaussian(*std::move(spend), counts, noise).ok()) return false;
  }
  return false;
}

TEST(LedgerConcurrency, ProcessesThatSpendAtOnceStayWithinTheTotal) {
  const ScratchPath path("concurrent");
  ASSERT_TRUE(AllSucceed([&](int process) { return SpendAll(path, process); }));
  const absl::StatusOr<LedgerSummary> summary = VerifyLedger(path);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->spent, Fraction64(100));
  EXPECT_EQ(summary->debits, 100);
  EXPECT_EQ(summary->releases, 100);
}

// All processes want the same names. One that was overtaken asks again, and then gets what the other recorded.
bool SpendSameNames(const std::string& path) {
  absl::StatusOr<Ledger> ledger = Ledger::OpenOrCreate(path, TermsAllowing(Fraction64(4'000)), NoonClock());
  if (!ledger.ok()) return false;
  SecureRandomSource noise;
  const std::vector<std::int64_t> counts = {1, 2, 3};
  for (std::int64_t round = 0; round < 40;) {
    auto spend = ledger->Debit({"shared", round, "q"}, kGaussian64);
    if (!spend.ok()) return false;
    const absl::StatusOr<NoisyCounts> noisy = ReleaseGaussian(*std::move(spend), counts, noise);
    if (!noisy.ok() && !absl::IsAborted(noisy.status())) return false;
    if (noisy.ok()) ++round;
  }
  return true;
}

TEST(LedgerConcurrency, ProcessesThatWantTheSameReleaseGetOneValueEach) {
  const ScratchPath path("same-names");
  ASSERT_TRUE(AllSucceed([&](int) { return SpendSameNames(path); }));
  const absl::StatusOr<LedgerSummary> summary = VerifyLedger(path);
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_EQ(summary->releases, 40);
  EXPECT_GE(summary->debits, 40);
  EXPECT_EQ(summary->spent, Fraction64(summary->debits));
}

}  // namespace
}  // namespace flaim
