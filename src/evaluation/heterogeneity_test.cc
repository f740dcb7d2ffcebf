#include "evaluation/heterogeneity.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/seeded_random_source.h"
#include "data/rows/real_data_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/completion.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/random_tables_testing.h"

namespace flaim {
namespace {

using testing_tables::DomainOfSizes;
using testing_tables::RandomRows;
using testing_tables::TableOf;

// The definition: half the L1 distance of all cells, for every client with rows and every marginal.
double NaiveMean(const std::vector<Table>& clients, const Table& everybody, const Workload& workload) {
  double sum = 0;
  double terms = 0;
  const std::vector<Clique> closure = Completion(workload).value();
  for (const Clique& clique : closure) {
    const std::vector<std::int64_t> all = NaiveCountClique(everybody, clique);
    for (const Table& client : clients) {
      if (client.rows() == 0) continue;
      const std::vector<std::int64_t> own = NaiveCountClique(client, clique);
      double distance = 0;
      for (std::size_t cell = 0; cell < all.size(); ++cell) {
        distance += std::abs(static_cast<double>(own[cell]) / static_cast<double>(client.rows()) -
                             static_cast<double>(all[cell]) / static_cast<double>(everybody.rows()));
      }
      sum += distance / 2;
      ++terms;
    }
  }
  return sum / terms;
}

TEST(Heterogeneity, AgreesWithItsDefinition) {
  SeededRandomSource random(1);
  for (int trial = 0; trial < 60; ++trial) {
    const Domain domain = DomainOfSizes({1 + static_cast<std::int64_t>(random.NextBelow(5)), 3, 4, 300});
    const std::size_t rows = 1 + random.NextBelow(80);
    const std::size_t clients = 1 + random.NextBelow(10);
    const Table table = TableOf(domain, RandomRows(domain, rows, random));
    std::vector<std::uint32_t> client_of_row;
    while (client_of_row.size() < rows) {
      client_of_row.push_back(static_cast<std::uint32_t>(random.NextBelow(clients)));
    }
    const Workload workload = RandomKWay(domain, 1 + random.NextBelow(4), 3, random).value();
    const std::vector<Table> parts = table.SplitBy(client_of_row, clients);
    Parallel parallel(1 + trial % 3);
    const ClientHeterogeneity found = MeasureHeterogeneity(table, client_of_row, clients, workload, parallel).value();
    ASSERT_NEAR(found.mean, NaiveMean(parts, table, workload), 1e-12);
    EXPECT_EQ(found.marginals, Completion(workload)->size());
    EXPECT_EQ(found.clients_without_rows,
              std::count_if(parts.begin(), parts.end(), [](const Table& part) { return part.rows() == 0; }));
    EXPECT_EQ(found.clients + found.clients_without_rows, clients);
  }
}

TEST(Heterogeneity, IsZeroForOneClientAndForEqualOnes) {
  const Domain domain = DomainOfSizes({2, 3});
  const Table table = TableOf(domain, {{0, 0}, {1, 2}, {0, 0}, {1, 2}});
  const Workload workload = AllKWay(domain, 2).value();
  Parallel parallel(1);
  EXPECT_EQ(MeasureHeterogeneity(table, std::vector<std::uint32_t>(4, 0), 1, workload, parallel)->mean, 0);
  EXPECT_EQ(MeasureHeterogeneity(table, std::vector<std::uint32_t>{0, 0, 1, 1}, 2, workload, parallel)->mean, 0);
  EXPECT_EQ(MeasureHeterogeneity(table, std::vector<std::uint32_t>{0, 1, 0, 1}, 2, workload, parallel)->mean, 0.5);
}

TEST(Heterogeneity, RefusesATableWithoutRowsAndMarginalsThatAreTooLarge) {
  Parallel parallel(1);
  const Domain domain = DomainOfSizes({2, 3});
  EXPECT_FALSE(MeasureHeterogeneity(TableOf(domain, {}), {}, 1, AllKWay(domain, 2).value(), parallel).ok());
  const Domain large = DomainOfSizes({1 << 20, 1 << 20});
  const auto refused = MeasureHeterogeneity(TableOf(large, {{0, 0}}), std::vector<std::uint32_t>{0}, 1,
                                            AllKWay(large, 2).value(), parallel);
  EXPECT_THAT(std::string(refused.status().message()), testing::HasSubstr("c0,c1"));
}

// Table 5 of the paper: Adult in 100 clusters.
TEST(Heterogeneity, OfTheReferenceClientsIsThatOfThePaper) {
  SKIP_IF_ABSENT("reference/adult/train.csv.xz");
  const Schema schema = LoadSchema(DataPath("reference/adult/domain.json")).value();
  const TableWithNumbers rows =
      ReadTableWithNumbers(DataPath("reference/adult/train.csv.xz"), schema, "client_id").value();
  const std::vector<std::uint32_t> clients(rows.numbers.begin(), rows.numbers.end());
  Parallel parallel(2);
  const Workload three_ways = AllKWay(schema.domain(), 3).value();
  const ClientHeterogeneity found = MeasureHeterogeneity(rows.table, clients, 100, three_ways, parallel).value();
  EXPECT_EQ(found.marginals, 469);
  EXPECT_EQ(found.clients, 100);
  EXPECT_NEAR(found.mean, 0.525, 0.003);
}

}  // namespace
}  // namespace flaim
