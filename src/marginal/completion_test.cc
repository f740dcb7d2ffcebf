#include "marginal/completion.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "base/seeded_random_source.h"
#include "data/schema/schema_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "marginal/random_tables_testing.h"
#include "marginal/workload_spec.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

Domain Columns(std::size_t count) { return testing_tables::DomainOfSizes(std::vector<std::int64_t>(count, 2)); }

Workload RandomWorkload(const Domain& domain, RandomSource& random) {
  std::set<Clique> cliques;
  const std::uint64_t count = 1 + random.NextBelow(6);
  while (cliques.size() < count) {
    std::vector<AttributeIndex> attributes = {
        static_cast<int>(random.NextBelow(static_cast<std::uint64_t>(domain.size())))};
    for (int i = 0; i < domain.size(); ++i) {
      if (random.NextBelow(3) == 0) attributes.push_back(i);
    }
    cliques.insert(Clique(attributes));
  }
  std::vector<WeightedQuery> queries;
  queries.reserve(cliques.size());
  for (const Clique& clique : cliques) queries.push_back({clique, 1 + static_cast<std::int64_t>(random.NextBelow(5))});
  return Workload::Create(domain, queries).value();
}

bool IsSubsetOfSome(const Clique& clique, const Workload& workload) {
  return std::any_of(workload.begin(), workload.end(),
                     [&](const WeightedQuery& query) { return clique.IsSubsetOf(query.clique); });
}

Clique FromBits(unsigned bits) {
  std::vector<AttributeIndex> attributes;
  for (int i = 0; i < 32; ++i) {
    if ((bits >> i & 1U) != 0) attributes.push_back(i);
  }
  return Clique(attributes);
}

TEST(Completion, ListsSubsetsBySizeThenLexicographically) {
  const Workload workload = Workload::Create(Columns(4), {{Clique({0, 1, 3}), 1}, {Clique({1, 2}), 1}}).value();
  EXPECT_EQ(Completion(workload).value(),
            (std::vector<Clique>{Clique({0}), Clique({1}), Clique({2}), Clique({3}), Clique({0, 1}), Clique({0, 3}),
                                 Clique({1, 2}), Clique({1, 3}), Clique({0, 1, 3})}));
}

TEST(Completion, HoldsExactlyTheSubsetsOfTheQueries) {
  SeededRandomSource random(3);
  const Domain domain = Columns(6);
  for (int trial = 0; trial < 200; ++trial) {
    const Workload workload = RandomWorkload(domain, random);
    const std::vector<Clique> completion = Completion(workload).value();
    const std::set<Clique> listed(completion.begin(), completion.end());
    EXPECT_EQ(listed.size(), completion.size());
    for (unsigned bits = 1; bits < 64; ++bits) {
      EXPECT_EQ(listed.count(FromBits(bits)) == 1, IsSubsetOfSome(FromBits(bits), workload));
    }
  }
}

TEST(Completion, RefusesAQueryWithTooManySubsets) {
  std::vector<AttributeIndex> attributes(17);
  std::iota(attributes.begin(), attributes.end(), 0);
  const Workload workload = Workload::Create(Columns(17), {{Clique(attributes), 1}}).value();
  EXPECT_THAT(Completion(workload).status().ToString(), HasSubstr("at most 16 columns"));
}

TEST(WeightedCompletion, AddsTheOverlapsWithTheOriginals) {
  SeededRandomSource random(4);
  const Domain domain = Columns(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Workload workload = RandomWorkload(domain, random);
    const auto weighted = WeightedCompletion(workload).value();
    for (const WeightedQuery& candidate : weighted) {
      std::int64_t expected = 0;
      for (const WeightedQuery& r : workload) expected += r.weight * candidate.clique.Intersect(r.clique).size();
      EXPECT_EQ(candidate.weight, expected);
    }
  }
}

TEST(WeightedCompletion, AddsTheOverlapsWithTheCompletionWhenAsked) {
  SeededRandomSource random(5);
  const Domain domain = Columns(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Workload workload = RandomWorkload(domain, random);
    const auto weight_of = [&](const Clique& clique) {
      for (const WeightedQuery& query : workload) {
        if (query.clique == clique) return query.weight;
      }
      return std::int64_t{1};
    };
    const std::vector<Clique> completion = Completion(workload).value();
    const auto weighted = WeightedCompletion(workload, WeightBase::kCompletion).value();
    for (const WeightedQuery& candidate : weighted) {
      std::int64_t expected = 0;
      for (const Clique& r : completion) expected += weight_of(r) * candidate.clique.Intersect(r).size();
      EXPECT_EQ(candidate.weight, expected);
    }
  }
}

TEST(Completion, OfTheReferenceWorkloadHas161Cliques) {
  const std::string directory = std::string(FLAIM_DATA_DIR) + "/reference/adult";
  if (!std::filesystem::exists(directory)) GTEST_SKIP() << "no reference data in " << directory;
  const Domain domain = LoadSchema(directory + "/domain.json").value().domain();
  const Workload workload = MakeWorkload(domain, WorkloadFileSpec{directory + "/workload.json"}).value();
  std::vector<int> cliques_of_size(4);
  const std::vector<Clique> completion = Completion(workload).value();
  for (const Clique& clique : completion) ++cliques_of_size[static_cast<std::size_t>(clique.size())];
  EXPECT_EQ(cliques_of_size, (std::vector<int>{0, 14, 83, 64}));
}

}  // namespace
}  // namespace flaim
