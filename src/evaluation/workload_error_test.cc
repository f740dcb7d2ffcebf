#include "evaluation/workload_error.h"

#include <cmath>
#include <set>

#include "base/seeded_random_source.h"
#include "evaluation/workload_error_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/kernels/naive_count_testing.h"
#include "marginal/random_tables_testing.h"
#include "model/inference/small_model_testing.h"
#include "model/sampling/synthetic_rows.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;
using testing_tables::DomainOfSizes;
using testing_tables::RandomRows;
using testing_tables::TableOf;

constexpr double kTolerance = 1e-12;
constexpr std::int64_t kPlenty = std::int64_t{1} << 20;

Workload RandomWorkload(const Domain& domain, RandomSource& random) {
  std::set<Clique> cliques;
  const std::size_t draws = 1 + random.NextBelow(5);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const Clique clique = testing_tables::RandomClique(domain, random);
    if (clique.size() > 0) cliques.insert(clique);
  }
  if (cliques.empty()) cliques.insert(Clique({0}));
  std::vector<WeightedQuery> queries;
  for (const Clique& clique : cliques) {
    queries.push_back({clique, static_cast<std::int64_t>(1 + random.NextBelow(9))});
  }
  return Workload::Create(domain, queries).value();
}

// Every non-empty subset of every query, found by trying all subsets of the attributes.
std::set<Clique> ClosureByTrial(const Domain& domain, const Workload& workload) {
  std::set<Clique> closure;
  for (std::uint32_t members = 1; members < (1U << domain.size()); ++members) {
    std::vector<AttributeIndex> attributes;
    for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
      if ((members >> attribute & 1U) != 0) attributes.push_back(attribute);
    }
    const Clique candidate(attributes);
    for (const WeightedQuery& query : workload) {
      if (candidate.IsSubsetOf(query.clique)) closure.insert(candidate);
    }
  }
  return closure;
}

std::vector<double> NaiveProbabilities(const Table& table, const Clique& clique) {
  std::vector<double> probabilities;
  for (const std::int64_t count : NaiveCountClique(table, clique)) {
    probabilities.push_back(static_cast<double>(count) / static_cast<double>(table.rows()));
  }
  return probabilities;
}

// The definition, word by word. `other_side` gives the probabilities of a clique.
template <typename OtherSide>
WorkloadError NaiveError(const Table& truth, const Workload& workload, const OtherSide& other_side) {
  const auto distance = [&](const Clique& clique) {
    const std::vector<double> left = NaiveProbabilities(truth, clique);
    const std::vector<double> right = other_side(clique);
    double sum = 0;
    for (std::size_t cell = 0; cell < left.size(); ++cell) sum += std::abs(left[cell] - right[cell]);
    return sum;
  };
  WorkloadError error;
  for (const WeightedQuery& query : workload) {
    error.queries += distance(query.clique) / static_cast<double>(workload.size());
  }
  const std::set<Clique> closure = ClosureByTrial(truth.domain(), workload);
  for (const Clique& clique : closure) error.closure += distance(clique) / static_cast<double>(closure.size());
  return error;
}

void ExpectNear(const WorkloadError& actual, const WorkloadError& expected) {
  EXPECT_NEAR(actual.queries, expected.queries, kTolerance);
  EXPECT_NEAR(actual.closure, expected.closure, kTolerance);
}

// Two random tables over a random domain, and a workload.
struct TwoTables {
  explicit TwoTables(std::uint64_t seed)
      : random(seed),
        domain(RandomDomain(random)),
        truth(TableOf(domain, RandomRows(domain, 1 + random.NextBelow(40), random))),
        synthetic(TableOf(domain, RandomRows(domain, 1 + random.NextBelow(40), random))),
        workload(RandomWorkload(domain, random)) {}

  static Domain RandomDomain(RandomSource& random) {
    std::vector<std::int64_t> sizes(1 + random.NextBelow(5));
    for (std::int64_t& size : sizes) size = static_cast<std::int64_t>(1 + random.NextBelow(6));
    return DomainOfSizes(sizes);
  }

  SeededRandomSource random;
  Domain domain;
  Table truth;
  Table synthetic;
  Workload workload;
};

TEST(WorkloadError, IsWhatTheDefinitionSaysForTables) {
  Parallel parallel(2);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const TwoTables tables(seed);
    const WorkloadError expected = NaiveError(tables.truth, tables.workload, [&](const Clique& clique) {
      return NaiveProbabilities(tables.synthetic, clique);
    });
    ExpectNear(ErrorAgainst(tables.truth, tables.synthetic, tables.workload, parallel).value(), expected);
  }
}

TEST(WorkloadError, IsWhatTheDefinitionSaysForModels) {
  Parallel parallel(1);
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const RandomModel random_model = MakeRandomModel(seed, {.magnitude = 2, .zero_probability = 0.1});
    const std::optional<Model> model = Calibrate(random_model);
    if (!model) continue;
    ++compared;
    SeededRandomSource random(seed, "rows");
    const Table truth = TableOf(model->domain(), RandomRows(model->domain(), 1 + random.NextBelow(40), random));
    const Workload workload = RandomWorkload(model->domain(), random);
    const WorkloadError expected =
        NaiveError(truth, workload, [&](const Clique& clique) { return MarginalByBruteForce(random_model, clique); });
    ExpectNear(ErrorAgainst(truth, *model, workload, parallel).value(), expected);
  }
  EXPECT_GT(compared, 100);
}

TEST(WorkloadError, DoesNotDependOnHowMuchIsKeptInMemoryNorOnThreads) {
  Parallel one(1);
  Parallel three(3);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    const RandomModel random_model = MakeRandomModel(seed, {});
    const Model model = Calibrate(random_model).value();
    const Domain& domain = model.domain();
    SeededRandomSource random(seed, "rows");
    const Table truth = TableOf(domain, RandomRows(domain, 30, random));
    const Table synthetic = TableOf(domain, RandomRows(domain, 20, random));
    const Workload workload = RandomWorkload(domain, random);
    WorkloadTruth kept = WorkloadTruth::Create(truth, workload, three, kPlenty).value();
    for (const std::int64_t max_kept_cells : {std::int64_t{0}, std::int64_t{10}}) {
      WorkloadTruth counted_anew = WorkloadTruth::Create(truth, workload, one, max_kept_cells).value();
      EXPECT_EQ(counted_anew.ErrorOf(synthetic, one).value(), kept.ErrorOf(synthetic, three).value());
      EXPECT_EQ(counted_anew.ErrorOf(model, one).value(), kept.ErrorOf(model, three).value());
    }
  }
}

TEST(WorkloadError, IsZeroForTheSameRowsInAnyOrderAndNumberOfCopies) {
  Parallel parallel(1);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    SeededRandomSource random(seed);
    const Domain domain = DomainOfSizes({3, 5, 2, 4});
    std::vector<std::vector<std::uint32_t>> rows = RandomRows(domain, 1 + random.NextBelow(50), random);
    WorkloadTruth truth =
        WorkloadTruth::Create(TableOf(domain, rows), RandomWorkload(domain, random), parallel).value();
    std::vector<std::vector<std::uint32_t>> copies(rows.rbegin(), rows.rend());
    for (int copy = 0; copy < 2; ++copy) copies.insert(copies.end(), rows.begin(), rows.end());
    EXPECT_EQ(truth.ErrorOf(TableOf(domain, rows), parallel).value(), WorkloadError());
    EXPECT_EQ(truth.ErrorOf(TableOf(domain, copies), parallel).value(), WorkloadError());
  }
}

TEST(WorkloadError, IsSymmetricAndBetweenZeroAndTwo) {
  Parallel parallel(1);
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const TwoTables tables(seed);
    const WorkloadError there = ErrorAgainst(tables.truth, tables.synthetic, tables.workload, parallel).value();
    const WorkloadError back = ErrorAgainst(tables.synthetic, tables.truth, tables.workload, parallel).value();
    ExpectNear(there, back);
    for (const double error : {there.queries, there.closure}) {
      EXPECT_GE(error, 0);
      EXPECT_LE(error, 2 + kTolerance);
    }
  }
}

TEST(WorkloadError, IsTwoForRowsThatShareNoValue) {
  const Domain domain = DomainOfSizes({2, 4});
  Parallel parallel(1);
  const Workload workload = AllKWay(domain, 2).value();
  const WorkloadError error =
      ErrorAgainst(TableOf(domain, {{0, 0}, {0, 1}}), TableOf(domain, {{1, 2}, {1, 3}}), workload, parallel).value();
  ExpectNear(error, {.queries = 2, .closure = 2});
}

// Summing an attribute out brings two distributions no further apart, and each j-way lies in equally many k-ways.
TEST(WorkloadError, IsNoLargerOverTheClosureOfAllKWaysThanOverThemselves) {
  Parallel parallel(1);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const TwoTables tables(seed);
    for (int k = 1; k <= tables.domain.size(); ++k) {
      const Workload workload = AllKWay(tables.domain, k).value();
      const WorkloadError error = ErrorAgainst(tables.truth, tables.synthetic, workload, parallel).value();
      EXPECT_LE(error.closure, error.queries + kTolerance);
      if (k == 1) {
        EXPECT_EQ(error.closure, error.queries);
      }
    }
  }
}

// Rounded sampling keeps each count within a few rows of the model's, so many rows tell the model's error.
TEST(WorkloadError, OfManyRowsDrawnFromAModelApproachesTheErrorOfTheModel) {
  Parallel parallel(1);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const RandomModel random_model = MakeRandomModel(seed, {});
    const Model model = Calibrate(random_model).value();
    SeededRandomSource random(seed, "rows");
    const Table truth = TableOf(model.domain(), RandomRows(model.domain(), 40, random));
    WorkloadTruth counted = WorkloadTruth::Create(truth, RandomWorkload(model.domain(), random), parallel).value();
    RowSampler sampler(model, SamplingMethod::kRounded);
    const WorkloadError of_rows = counted.ErrorOf(sampler.Next(1'000'000, random), parallel).value();
    const WorkloadError of_model = counted.ErrorOf(model, parallel).value();
    EXPECT_NEAR(of_rows.queries, of_model.queries, 0.05);
    EXPECT_NEAR(of_rows.closure, of_model.closure, 0.05);
  }
}

TEST(WorkloadError, RefusesTablesWithoutRows) {
  const Domain domain = DomainOfSizes({2, 3});
  Parallel parallel(1);
  const Workload workload = AllKWay(domain, 2).value();
  const Table empty = TableOf(domain, {});
  const Table one_row = TableOf(domain, {{1, 2}});
  EXPECT_THAT(std::string(ErrorAgainst(empty, one_row, workload, parallel).status().message()), HasSubstr("no rows"));
  EXPECT_THAT(std::string(ErrorAgainst(one_row, empty, workload, parallel).status().message()),
              HasSubstr("synthetic table has no rows"));
}

TEST(WorkloadError, RefusesAnotherDomain) {
  const Domain domain = DomainOfSizes({2, 3});
  const Domain wider = DomainOfSizes({2, 4});
  Parallel parallel(1);
  WorkloadTruth truth = WorkloadTruth::Create(TableOf(domain, {{1, 2}}), AllKWay(domain, 2).value(), parallel).value();
  const Model model =
      Model::Create(wider, {Clique({0, 1})}, std::vector<double>(8, 0.0), 10, kPlenty, parallel).value();
  EXPECT_THAT(std::string(truth.ErrorOf(TableOf(wider, {{1, 2}}), parallel).status().message()),
              HasSubstr("same schema"));
  EXPECT_THAT(std::string(truth.ErrorOf(model, parallel).status().message()), HasSubstr("same schema"));
}

TEST(WorkloadError, RefusesAQueryThatNobodyCouldCount) {
  const Domain domain = DomainOfSizes({1 << 20, 1 << 20});
  Parallel parallel(1);
  const auto truth = WorkloadTruth::Create(TableOf(domain, {{1, 2}}), AllKWay(domain, 2).value(), parallel);
  EXPECT_EQ(truth.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(truth.status().message()), HasSubstr("c0,c1"));
}

TEST(WorkloadError, IsWorkedOutNoFurtherOnceTheTeamIsToStop) {
  Parallel parallel(1);
  Parallel stopped(1, [] { return true; });
  const Domain domain = Domain::Create({{"a", 2}, {"b", 2}}).value();
  const Table table = TableOf(domain, {{0, 1}, {1, 1}});
  const WorkloadTruth truth = WorkloadTruth::Create(table, AllKWay(domain, 2).value(), parallel).value();
  const Model model = Model::Create(domain, {Clique({0, 1})}, std::vector<double>(4), 2, 100, parallel).value();
  EXPECT_TRUE(absl::IsCancelled(truth.ErrorOf(model, stopped).status()));
  EXPECT_TRUE(absl::IsCancelled(truth.ErrorOf(table, stopped).status()));
}

}  // namespace
}  // namespace flaim
