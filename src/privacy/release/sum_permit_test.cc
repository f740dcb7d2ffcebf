#include "privacy/release/sum_permit.h"

#include <cstring>
#include <type_traits>

#include "gtest/gtest.h"
#include "privacy/ledger/ledger.h"
#include "privacy/ledger/ledger_report.h"
#include "privacy/ledger/ledger_testing.h"
#include "privacy/ledger/release_value.h"

namespace flaim {
namespace {

using testing_support::Fraction64;
using testing_support::kGaussian64;
using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::TermsAllowing;

static_assert(!std::is_default_constructible_v<SumPermit>);
static_assert(!std::is_copy_constructible_v<SumPermit>);
static_assert(!std::is_copy_assignable_v<SumPermit>);
static_assert(!std::is_constructible_v<SumPermit, SumName, GaussianMechanism>);
static_assert(std::is_move_constructible_v<SumPermit>);

SumName NameOf(int number) {
  SumName name{};
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = static_cast<std::byte>(number + static_cast<int>(7 * i));
  return name;
}

class SumPermitTest : public testing::Test {
 protected:
  Ledger OpenLedger() { return Ledger::OpenOrCreate(path_, TermsAllowing(Fraction64(10)), NoonClock()).value(); }

  ScratchPath path_{"sum-permit"};
  const ReleaseName name_{"run", 1, "counts"};
};

TEST_F(SumPermitTest, IsGoodForTheMechanismThatWasPaidFor) {
  Ledger ledger = OpenLedger();
  const SumPermit permit = ReleaseIntoSum(*ledger.Debit(name_, kGaussian64), NameOf(1), "secure").value();
  EXPECT_EQ(permit.mechanism(), kGaussian64);
  EXPECT_EQ(permit.sum(), NameOf(1));
  EXPECT_EQ(ledger.spent(), Fraction64(1));
}

TEST_F(SumPermitTest, IsOnRecordWithTheSumThatItIsFor) {
  {
    Ledger ledger = OpenLedger();
    ASSERT_TRUE(ReleaseIntoSum(*ledger.Debit(name_, kGaussian64), NameOf(5), "secure").ok());
  }
  const LedgerReport report = ReadLedger(path_).value();
  ASSERT_EQ(report.summary.releases, 1);
  const auto& release = std::get<ReleaseEntry>(report.rows.back().entry);
  EXPECT_EQ(release.provenance, "secure");
  const std::vector<std::int64_t> words = DecodeCounts(release.value, 4).value();
  SumName recorded{};
  std::memcpy(recorded.data(), words.data(), recorded.size());
  EXPECT_EQ(recorded, NameOf(5));
}

TEST_F(SumPermitTest, IsNotGivenASecondTime) {
  {
    Ledger ledger = OpenLedger();
    ASSERT_TRUE(ReleaseIntoSum(*ledger.Debit(name_, kGaussian64), NameOf(1), "secure").ok());
    EXPECT_TRUE(absl::IsAlreadyExists(ReleaseIntoSum(*ledger.Debit(name_, kGaussian64), NameOf(1), "secure").status()));
  }
  Ledger reopened = OpenLedger();
  EXPECT_TRUE(reopened.HasValue(name_));
  for (const int sum : {1, 2}) {
    EXPECT_TRUE(
        absl::IsAlreadyExists(ReleaseIntoSum(*reopened.Debit(name_, kGaussian64), NameOf(sum), "secure").status()));
  }
  EXPECT_EQ(reopened.spent(), Fraction64(1));
  EXPECT_EQ(ReadLedger(path_)->summary.releases, 1);
}

TEST_F(SumPermitTest, IsUsedUpByWhoeverTakesItOver) {
  Ledger ledger = OpenLedger();
  SumPermit permit = ReleaseIntoSum(*ledger.Debit(name_, kGaussian64), NameOf(1), "secure").value();
  const auto take = [](SumPermit& from) { return SumPermit(std::move(from)).mechanism(); };
  EXPECT_EQ(take(permit), kGaussian64);
  EXPECT_DEATH(take(permit), "this permit has been used");
}

// A payment that never became a contribution may still become one, and is paid again.
TEST_F(SumPermitTest, IsPaidAgainIfTheFirstPaymentWasLost) {
  { const absl::StatusOr<Spend<GaussianMechanism>> lost = OpenLedger().Debit(name_, kGaussian64); }
  Ledger ledger = OpenLedger();
  EXPECT_TRUE(ReleaseIntoSum(*ledger.Debit(name_, kGaussian64), NameOf(1), "secure").ok());
  EXPECT_EQ(ledger.spent(), Fraction64(2));
}

}  // namespace
}  // namespace flaim
