#include "model/estimation/consistent_subspace.h"

#include <cmath>
#include <numeric>
#include <set>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/estimation/explicit_fit_testing.h"
#include "model/inference/brute_force_testing.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::Pointwise;

constexpr std::int64_t kMaxRecords = 200;

struct RandomTables {
  Domain domain;
  std::vector<Clique> cliques;  // no clique twice
  std::vector<double> clique_weights;
  std::vector<double> values;

  CliqueLayout Layout() const { return CliqueLayout(domain, cliques); }
};

std::vector<RandomTables> ManyRandomTables(int count) {
  std::vector<RandomTables> all;
  for (std::uint64_t seed = 1; std::ssize(all) < count; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {});
    if (model.cliques.empty() || RecordCount(model.domain) > kMaxRecords) continue;
    const std::set<Clique> distinct(model.cliques.begin(), model.cliques.end());
    RandomTables tables{model.domain, {distinct.begin(), distinct.end()}, {}, {}};
    SeededRandomSource random(seed, "tables");
    for (std::size_t i = 0; i < tables.cliques.size(); ++i) tables.clique_weights.push_back(0.1 + random.NextUnit());
    for (std::int64_t i = 0; i < tables.Layout().cells(); ++i) tables.values.push_back(random.NextUnit() - 0.3);
    all.push_back(std::move(tables));
  }
  return all;
}

std::vector<double> TablesOfRecord(const RandomTables& tables, std::size_t record) {
  const CliqueLayout layout = tables.Layout();
  std::vector<double> flat(layout.cells(), 0);
  for (int i = 0; i < layout.size(); ++i) {
    flat[layout.offset(i) + CellOfRecord(tables.domain, layout.cliques()[i], record)] = 1;
  }
  return flat;
}

// Weighted least squares by definition: consistent tables of total N are N times those of record 0 plus combinations of
// the differences between records. Gram and Schmidt, twice over, make the differences orthonormal in the weights.
class DenseProjection {
 public:
  explicit DenseProjection(const RandomTables& tables) : origin_(TablesOfRecord(tables, 0)) {
    const CliqueLayout layout = tables.Layout();
    for (int i = 0; i < layout.size(); ++i) {
      weights_.insert(weights_.end(), layout.offset(i + 1) - layout.offset(i), tables.clique_weights[i]);
    }
    for (std::int64_t record = 1; record < RecordCount(tables.domain); ++record) {
      std::vector<double> direction = TablesOfRecord(tables, record);
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= origin_[i];
      for (int pass = 0; pass < 2; ++pass) {
        for (const std::vector<double>& axis : axes_) Add(-Product(axis, direction), axis, direction);
      }
      const double length = std::sqrt(Product(direction, direction));
      if (length < 1e-7) continue;
      for (double& entry : direction) entry /= length;
      axes_.push_back(std::move(direction));
    }
  }

  std::vector<double> Project(std::vector<double> values, double total) const {
    std::vector<double> projected(values.size(), 0);
    Add(total, origin_, projected);
    Add(-total, origin_, values);
    for (const std::vector<double>& axis : axes_) Add(Product(axis, values), axis, projected);
    return projected;
  }

 private:
  double Product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += weights_[i] * a[i] * b[i];
    return sum;
  }
  static void Add(double factor, const std::vector<double>& from, std::vector<double>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
  }

  std::vector<double> origin_;
  std::vector<double> weights_;
  std::vector<std::vector<double>> axes_;
};

std::vector<double> Projected(const RandomTables& tables, std::vector<double> values, double total) {
  ConsistentSubspace subspace(tables.domain, tables.Layout(), tables.clique_weights);
  subspace.Project(values, total);
  return values;
}

TEST(ConsistentSubspace, EqualsDenseWeightedLeastSquares) {
  int nested = 0;
  for (const RandomTables& tables : ManyRandomTables(200)) {
    const DenseProjection dense(tables);
    for (const double total : {1.0, 0.0, 37.5}) {
      EXPECT_THAT(Projected(tables, tables.values, total),
                  Pointwise(DoubleNear(1e-9), dense.Project(tables.values, total)));
    }
    for (const Clique& inner : tables.cliques) {
      for (const Clique& outer : tables.cliques) nested += inner.size() > 0 && inner < outer && inner.IsSubsetOf(outer);
    }
  }
  EXPECT_GT(nested, 50) << "the random cliques hardly nest";
}

TEST(ConsistentSubspace, ProjectsOnlyOnce) {
  for (const RandomTables& tables : ManyRandomTables(100)) {
    const std::vector<double> once = Projected(tables, tables.values, 5);
    EXPECT_THAT(Projected(tables, once, 5), Pointwise(DoubleNear(1e-11), once));
  }
}

TEST(ConsistentSubspace, KeepsTheMarginalsOfOneDistribution) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomModel model = MakeRandomModel(seed, {.magnitude = 2});
    const std::set<Clique> distinct(model.cliques.begin(), model.cliques.end());
    RandomTables tables{model.domain, {distinct.begin(), distinct.end()}, {}, {}};
    tables.clique_weights.assign(tables.cliques.size(), 2.5);
    for (const Clique& clique : tables.cliques) {
      const std::vector<double> marginal = MarginalByBruteForce(model, clique);
      tables.values.insert(tables.values.end(), marginal.begin(), marginal.end());
    }
    EXPECT_THAT(Projected(tables, tables.values, 1), Pointwise(DoubleNear(1e-12), tables.values));
  }
}

TEST(ConsistentSubspace, GivesEveryTableTheTotal) {
  for (const RandomTables& tables : ManyRandomTables(100)) {
    const std::vector<double> projected = Projected(tables, tables.values, 12);
    const CliqueLayout layout = tables.Layout();
    for (int i = 0; i < layout.size(); ++i) {
      const std::span<const double> table = layout.Slice(std::span(projected), i);
      EXPECT_NEAR(std::accumulate(table.begin(), table.end(), 0.0), 12, 1e-10);
    }
  }
}

}  // namespace
}  // namespace flaim
