#include "marginal/marginal.h"

#include "gtest/gtest.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;

Marginal MarginalOf(const Table& table, const Clique& clique) {
  return Marginal(table.domain(), clique, NaiveCountClique(table, clique));
}

TEST(Marginal, IsRowMajorWithTheLastAttributeFastest) {
  const Domain domain = DomainOfSizes({2, 3});
  const Marginal marginal = MarginalOf(testing_tables::TableOf(domain, {{0, 1}, {1, 2}, {1, 2}}), Clique({0, 1}));
  EXPECT_EQ(std::vector<std::int64_t>(marginal.counts().begin(), marginal.counts().end()),
            (std::vector<std::int64_t>{0, 1, 0, 0, 0, 2}));
  EXPECT_EQ(marginal.sizes(), (std::vector<std::int64_t>{2, 3}));
}

TEST(MarginalDeathTest, RefusesAWrongNumberOfCounts) {
  EXPECT_DEATH(Marginal(DomainOfSizes({2, 3}), Clique({0, 1}), std::vector<std::int64_t>(5)), "CHECK");
}

}  // namespace
}  // namespace flaim
