#include "runtime/messages/request_codec_testing.h"

#include <set>

#include "fmt/format.h"

namespace flaim::runtime {
namespace {

Clique RandomClique(const Domain& domain, RandomSource& random) {
  std::vector<AttributeIndex> attributes;
  while (attributes.empty()) {
    for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
      if (random.NextBelow(3) == 0) attributes.push_back(attribute);
    }
  }
  return Clique(attributes);
}

std::vector<Clique> RandomCliques(const Domain& domain, RandomSource& random) {
  std::vector<Clique> cliques;
  std::set<Clique> seen;
  for (std::uint64_t i = 1 + random.NextBelow(6); i > 0; --i) {
    const Clique clique = RandomClique(domain, random);
    if (seen.insert(clique).second) cliques.push_back(clique);
  }
  return cliques;
}

std::vector<WeightedQuery> RandomQueries(const Domain& domain, RandomSource& random) {
  std::vector<WeightedQuery> queries;
  for (const Clique& clique : RandomCliques(domain, random)) {
    queries.push_back({clique, static_cast<std::int64_t>(1 + random.NextBelow(50))});
  }
  return queries;
}

ReleaseName RandomName(RandomSource& random) {
  return {std::string(32, static_cast<char>('a' + random.NextBelow(6))),
          static_cast<std::int64_t>(random.NextBelow(100)), fmt::format("query {}", random.NextBelow(100))};
}

Rational RandomFraction(RandomSource& random) {
  return {static_cast<std::int64_t>(100 + random.NextBelow(1'000'000)),
          static_cast<std::int64_t>(1 + random.NextBelow(10))};
}

}  // namespace

Domain DomainForTest() { return Domain::Create({{"a", 3}, {"b", 2}, {"c", 4}, {"d", 2}}).value(); }

Model RandomModel(const Domain& domain, RandomSource& random, Parallel& parallel) {
  const std::vector<Clique> cliques = RandomCliques(domain, random);
  std::vector<double> potentials;
  for (const Clique& clique : cliques) {
    for (std::int64_t cell = CellCount(domain, clique).value(); cell > 0; --cell) {
      potentials.push_back(4 * random.NextUnit() - 2);
    }
  }
  return Model::Create(domain, cliques, potentials, 1 + 1000 * random.NextUnit(), 100'000, parallel).value();
}

CountsRequest RandomCounts(const Domain& domain, RandomSource& random) {
  return {.name = RandomName(random),
          .cliques = RandomCliques(domain, random),
          .sigma_squared = RandomFraction(random),
          .contributors = random.NextBelow(2) == 0 ? Contributors::kEverybody : Contributors::kChoosers,
          .choices_per_client = static_cast<int>(1 + random.NextBelow(5)),
          .round_marginals = static_cast<int>(random.NextBelow(50))};
}

ScoresRequest RandomScores(const Domain& domain, RandomSource& random) {
  ScoresRequest request;
  request.name = RandomName(random);
  request.candidates = RandomCliques(domain, random);
  request.sigma_squared = Rational(static_cast<std::int64_t>((1ULL << 38) + random.NextBelow(1ULL << 38)), 1);
  return request;
}

LocalSelection RandomLocal(const Domain& domain, RandomSource& random) {
  LocalSelection request;
  request.name = RandomName(random);
  request.candidates = RandomQueries(domain, random);
  for (std::size_t i = 0; i < request.candidates.size(); ++i) request.penalty_records.push_back(10 * random.NextUnit());
  request.heterogeneity = random.NextBelow(2) == 0 ? Heterogeneity::kIgnored : Heterogeneity::kProxy;
  request.steps = static_cast<int>(1 + random.NextBelow(request.candidates.size()));
  request.epsilon = Rational(static_cast<std::int64_t>(1 + random.NextBelow(100)), 100);
  return request;
}

RandomSelection RandomRandom(const Domain& domain, RandomSource& random) {
  return {.name = RandomName(random),
          .candidates = RandomQueries(domain, random),
          .steps = static_cast<int>(1 + random.NextBelow(4))};
}

}  // namespace flaim::runtime
