#include "marginal/private_rows.h"

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/kernels/count.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using ::testing::ElementsAreArray;

// Rows that are only counted, as an engine elsewhere does, with `factor` of each.
class CountedElsewhere final : public PrivateRows {
 public:
  explicit CountedElsewhere(const Table& table, std::int64_t factor = 1) : table_(table), factor_(factor) {}

  const Domain& domain() const override { return table_.domain(); }
  absl::StatusOr<CliqueCounts> Count(std::span<const Clique> cliques, Parallel& parallel) override {
    absl::StatusOr<CliqueCounts> counts = CountCliques(table_, cliques, parallel);
    for (std::size_t i = 0; counts.ok() && i < cliques.size(); ++i) {
      for (std::int64_t& cell : counts->Mutable(i)) cell *= factor_;
    }
    return counts;
  }

 private:
  Table table_;
  std::int64_t factor_;
};

PublicShares EvenShares(std::int64_t cells) {
  return PublicShares(std::vector<double>(static_cast<std::size_t>(cells), 1.0));
}

TEST(PrivateRows, AreCountedAndMeasuredAlikeInMemoryAndElsewhere) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SeededRandomSource random(seed);
    const Domain domain = testing_tables::DomainOfSizes({3, 1, 7, 2});
    const Table table = testing_tables::TableOf(domain, testing_tables::RandomRows(domain, 100, random));
    TableRows in_memory(table);
    CountedElsewhere elsewhere(table);
    const Clique clique = testing_tables::RandomClique(domain, random);
    const std::vector<std::int64_t> counts = in_memory.CountOne(clique).value();
    EXPECT_THAT(counts, ElementsAreArray(CountMarginal(table, clique).value().counts()));
    EXPECT_EQ(elsewhere.CountOne(clique).value(), counts);
    const PublicShares shares = EvenShares(std::ssize(counts));
    EXPECT_EQ(elsewhere.Distance(clique, shares).value(), in_memory.Distance(clique, shares).value());
    EXPECT_EQ(in_memory.Distance(clique, shares).value(), NaiveShareDistance(table, clique, shares));
  }
}

TEST(PrivateRows, ThatAreTooManyToBeMeasuredAreCountedAllTheSame) {
  const Domain domain = testing_tables::DomainOfSizes({2});
  const Table table = testing_tables::TableOf(domain, {{0}, {1}});
  const Clique clique({0});
  CountedElsewhere most(table, kMaxMeasuredRows / 2);
  EXPECT_TRUE(most.Distance(clique, EvenShares(2)).ok());
  CountedElsewhere more(table, kMaxMeasuredRows / 2 + 1);
  EXPECT_EQ(more.CountOne(clique).value().front(), kMaxMeasuredRows / 2 + 1);
  EXPECT_TRUE(absl::IsInvalidArgument(more.Distance(clique, EvenShares(2)).status()));
}

}  // namespace
}  // namespace flaim
