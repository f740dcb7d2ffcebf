#include "app/ledger/run_binding.h"

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"
#include "privacy/ledger/ledger_testing.h"

namespace flaim {
namespace {

using testing_support::Fraction64;
using testing_support::NoonClock;
using testing_support::ScratchPath;
using testing_support::TermsAllowing;
using testing_tables::RandomRows;
using testing_tables::TableOf;

using Rows = std::vector<std::vector<std::uint32_t>>;

Domain SmallDomain() { return Domain::Create({{"a", 3}, {"b", 4}, {"c", 2}}).value(); }

Rows SomeRows(std::uint64_t seed) {
  SeededRandomSource random(seed);
  return RandomRows(SmallDomain(), 40, random);
}

LedgerHash Digest(const Rows& rows, const LedgerHash& key = {}) {
  TableRows table(TableOf(SmallDomain(), rows));
  Parallel alone(1);
  return DigestOf(table, key, alone).value();
}

TEST(RunBinding, DigestFollowsTheRowsWhateverTheirOrder) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Rows rows = SomeRows(seed);
    EXPECT_EQ(Digest(rows), Digest(Rows(rows.rbegin(), rows.rend())));
    EXPECT_NE(Digest(rows), Digest(SomeRows(seed + 1000)));
  }
}

TEST(RunBinding, DigestTellsOneRecordMoreAndOneValueChanged) {
  const Rows rows = SomeRows(1);
  Rows more = rows;
  more.push_back({1, 1, 1});
  EXPECT_NE(Digest(rows), Digest(more));
  for (std::size_t column = 0; column < 3; ++column) {
    Rows changed = rows;
    changed[7][column] = changed[7][column] == 0 ? 1 : 0;
    EXPECT_NE(Digest(rows), Digest(changed));
  }
}

// Each column by itself is as it was.
TEST(RunBinding, DigestTellsAColumnThatWasTurned) {
  const Rows rows = SomeRows(1);
  for (std::size_t column = 0; column < 3; ++column) {
    Rows turned = rows;
    for (std::size_t row = 0; row < rows.size(); ++row) turned[row][column] = rows[(row + 1) % rows.size()][column];
    EXPECT_NE(Digest(rows), Digest(turned)) << column;
  }
}

TEST(RunBinding, DigestIsNothingWithoutItsKey) {
  EXPECT_NE(Digest(SomeRows(1)), Digest(SomeRows(1), LedgerHash{std::byte{1}}));
}

TEST(RunBinding, ARunComesBackForItsRowsOnly) {
  const ScratchPath path("binding");
  Ledger ledger = Ledger::Create(path, TermsAllowing(Fraction64(10)), NoonClock()).value();
  TableRows rows(TableOf(SmallDomain(), SomeRows(1)));
  TableRows others(TableOf(SmallDomain(), SomeRows(2)));
  Parallel alone(1);
  EXPECT_TRUE(BindRun(ledger, "fit", rows, alone).ok());
  EXPECT_TRUE(BindRun(ledger, "fit", rows, alone).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(BindRun(ledger, "fit", others, alone)));
  EXPECT_TRUE(BindRun(ledger, "another fit", others, alone).ok());
}

}  // namespace
}  // namespace flaim
