#include "privacy/release/release.h"

#include <type_traits>

#include "base/secure_random_source.h"
#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_disk_testing.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/ledger/release_value.h"
#include "privacy/samplers/discrete_gaussian.h"
#include "privacy/samplers/exponential_sampler.h"

namespace flaim {
namespace {

using testing_support::Fraction64;
using testing_support::kExponential32;
using testing_support::kGaussian64;
using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::SimulatedDisk;
using testing_support::TermsAllowing;

static_assert(!std::is_default_constructible_v<Spend<GaussianMechanism>>);
static_assert(!std::is_copy_constructible_v<Spend<GaussianMechanism>>);
static_assert(!std::is_copy_assignable_v<Spend<GaussianMechanism>>);
static_assert(std::is_move_constructible_v<Spend<GaussianMechanism>>);

const std::vector<std::int64_t> kCounts = {100, 0, 31, 7};
const std::vector<std::int64_t> kScores = {3, 1, 4, 1, 5, 9, 2, 6};

class ReleaseTest : public testing::Test {
 protected:
  Ledger OpenLedger() {
    absl::StatusOr<Ledger> ledger = Ledger::OpenOrCreate(path_, TermsAllowing(Fraction64(100)), NoonClock());
    CHECK(ledger.ok(), "{}", std::string(ledger.status().message()));
    return *std::move(ledger);
  }

  SimulatedDisk disk_;
  ScratchPath path_{"release"};
  SecureRandomSource secure_;
};

TEST_F(ReleaseTest, AddsTheNoiseThatWasPaidFor) {
  SeededRandomSource noise(5);
  SeededRandomSource same_noise(5);
  const absl::StatusOr<NoisyCounts> noisy =
      ReleaseGaussian(*OpenLedger().Debit({"run", 0, "q"}, kGaussian64), kCounts, noise);
  ASSERT_TRUE(noisy.ok()) << noisy.status();
  std::vector<std::int64_t> expected = kCounts;
  DiscreteGaussian(kGaussian64.sigma_squared).Add(same_noise, expected);
  EXPECT_EQ(noisy->values, expected);
}

TEST_F(ReleaseTest, ChoosesAsWasPaidFor) {
  Ledger ledger = OpenLedger();
  for (std::int64_t round = 0; round < 20; ++round) {
    SeededRandomSource noise(static_cast<std::uint64_t>(round));
    SeededRandomSource same_noise(static_cast<std::uint64_t>(round));
    const absl::StatusOr<NoisyChoice> choice =
        ReleaseExponential(*ledger.Debit({"run", round, "q"}, kExponential32), kScores, noise);
    ASSERT_TRUE(choice.ok()) << choice.status();
    EXPECT_EQ(choice->index, SampleExponential(kScores, kExponential32.epsilon, 1, same_noise));
  }
}

TEST_F(ReleaseTest, RecordsTheValueBeforeItIsReturned) {
  const absl::StatusOr<NoisyCounts> noisy =
      ReleaseGaussian(*OpenLedger().Debit({"run", 0, "q"}, kGaussian64), kCounts, secure_);
  const absl::StatusOr<LedgerReport> report = ReadLedger(path_);
  ASSERT_TRUE(report.ok()) << report.status();
  ASSERT_EQ(report->rows.size(), 3U);
  const auto& release = std::get<ReleaseEntry>(report->rows[2].entry);
  EXPECT_EQ(release, (ReleaseEntry{1, "secure", EncodeCounts(noisy->values)}));
}

TEST_F(ReleaseTest, ResendsTheRecordedCountsWithoutPayingAgain) {
  const NoisyCounts first = *ReleaseGaussian(*OpenLedger().Debit({"run", 0, "q"}, kGaussian64), kCounts, secure_);
  Ledger resumed = OpenLedger();
  auto spend = resumed.Debit({"run", 0, "q"}, kGaussian64);
  ASSERT_TRUE(spend.ok());
  EXPECT_TRUE(spend->IsResend());
  const std::vector<std::int64_t> changed_data = {0, 0, 0, 0};
  EXPECT_EQ(ReleaseGaussian(*std::move(spend), changed_data, secure_)->values, first.values);
  EXPECT_EQ(resumed.spent(), Fraction64(1));
}

TEST_F(ReleaseTest, ResendsTheRecordedChoiceWithoutPayingAgain) {
  const std::vector<std::int64_t> scores(1000, 0);
  const NoisyChoice first = *ReleaseExponential(*OpenLedger().Debit({"run", 0, "q"}, kExponential32), scores, secure_);
  Ledger resumed = OpenLedger();
  for (int time = 0; time < 3; ++time) {
    EXPECT_EQ(ReleaseExponential(*resumed.Debit({"run", 0, "q"}, kExponential32), scores, secure_)->index, first.index);
  }
  EXPECT_EQ(resumed.spent(), Fraction64(2));
}

TEST_F(ReleaseTest, RefusesToResendToAQueryOfAnotherSize) {
  Ledger ledger = OpenLedger();
  ASSERT_TRUE(ReleaseGaussian(*ledger.Debit({"run", 0, "q"}, kGaussian64), kCounts, secure_).ok());
  const std::vector<std::int64_t> five(5, 0);
  EXPECT_TRUE(
      absl::IsFailedPrecondition(ReleaseGaussian(*ledger.Debit({"run", 0, "q"}, kGaussian64), five, secure_).status()));
}

TEST_F(ReleaseTest, StampsWhatWasDrawnFromASeedForGood) {
  SeededRandomSource seeded(7);
  const NoisyCounts first = *ReleaseGaussian(*OpenLedger().Debit({"run", 0, "q"}, kGaussian64), kCounts, seeded);
  EXPECT_EQ(first.provenance, "seeded:7 (NOT PRIVATE)");
  const NoisyCounts again = *ReleaseGaussian(*OpenLedger().Debit({"run", 0, "q"}, kGaussian64), kCounts, secure_);
  EXPECT_EQ(again.provenance, first.provenance);
}

TEST_F(ReleaseTest, RefusesToChooseFromNothing) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      ReleaseExponential(*OpenLedger().Debit({"run", 0, "q"}, kExponential32), {}, secure_).status()));
}

TEST_F(ReleaseTest, OutlivesTheLedgerThatWasPaid) {
  auto spend = OpenLedger().Debit({"run", 0, "q"}, kGaussian64);
  EXPECT_TRUE(ReleaseGaussian(*std::move(spend), kCounts, secure_).ok());
  EXPECT_EQ(VerifyLedger(path_)->releases, 1);
}

using ReleaseDeathTest = ReleaseTest;

TEST_F(ReleaseDeathTest, OnePaymentIsGoodForOneRelease) {
  auto spend = OpenLedger().Debit({"run", 0, "q"}, kGaussian64);
  ASSERT_TRUE(ReleaseGaussian(*std::move(spend), kCounts, secure_).ok());
  EXPECT_DEATH(ReleaseGaussian(*std::move(spend), kCounts, secure_).status().IgnoreError(), "has been used");
}

}  // namespace
}  // namespace flaim
