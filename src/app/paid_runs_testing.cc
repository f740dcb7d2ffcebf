#include "app/paid_runs_testing.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "app/aim_testing.h"
#include "base/seeded_random_source.h"
#include "model/inference/triangulation.h"

namespace flaim {
namespace {

constexpr double kMostCells = 5000;

struct Setting {
  Domain domain;
  Workload workload;
  AimOptions options;
};

Clique RandomCliqueOf(const Domain& domain, std::size_t size, RandomSource& random) {
  std::vector<AttributeIndex> members(size);
  for (AttributeIndex& member : members) member = static_cast<AttributeIndex>(random.NextBelow(domain.size()));
  return Clique(members);
}

Domain RandomDomain(RandomSource& random) {
  std::vector<Attribute> attributes(12 + random.NextBelow(4));
  const std::uint64_t largest = 2 + random.NextBelow(11);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    attributes[i] = {fmt::format("a{}", i), static_cast<std::int64_t>(1 + random.NextBelow(largest))};
  }
  return Domain::Create(attributes).value();
}

// In which one cell cannot occur, but all values can.
std::vector<StructuralZeros> RandomZeros(const Domain& domain, std::uint64_t count, RandomSource& random) {
  std::vector<StructuralZeros> zeros;
  std::set<Clique> taken;
  for (; count > 0; --count) {
    Clique clique = RandomCliqueOf(domain, 2 + random.NextBelow(5) / 4, random);
    const std::int64_t cells = CellCount(domain, clique).value();
    if (clique.size() < 2 || cells < 8 || !taken.insert(clique).second) continue;
    zeros.push_back({std::move(clique), {static_cast<std::int64_t>(random.NextBelow(cells))}});
  }
  return zeros;
}

Triangulation FirstTree(const Domain& domain, const std::vector<StructuralZeros>& zeros, std::vector<Clique>& cliques) {
  for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) cliques.push_back(Clique({attribute}));
  for (const StructuralZeros& impossible : zeros) cliques.push_back(impossible.clique);
  return SmallestTriangulation(domain, cliques);
}

// Built, not asked of HypotheticalSize, which these runs are to test.
bool HasTrap(const Domain& domain, const Triangulation& tree, std::vector<Clique> cliques) {
  for (AttributeIndex a = 0; a < domain.size(); ++a) {
    for (AttributeIndex b = a + 1; b < domain.size(); ++b) {
      const Clique pair({a, b});
      const bool is_covered = std::any_of(tree.cliques.begin(), tree.cliques.end(),
                                          [&](const Clique& node) { return pair.IsSubsetOf(node); });
      if (!is_covered) continue;
      cliques.push_back(pair);
      if (SmallestTriangulation(domain, cliques).cells > tree.cells) return true;
      cliques.pop_back();
    }
  }
  return false;
}

Workload RandomWorkload(const Domain& domain, RandomSource& random) {
  Workload pairs = AllPairs(domain);
  std::vector<WeightedQuery> queries(pairs.begin(), pairs.end());
  std::set<Clique> larger;
  for (std::uint64_t count = random.NextBelow(4); count > 0; --count) {
    Clique clique = RandomCliqueOf(domain, 3 + random.NextBelow(2), random);
    if (clique.size() > 2) larger.insert(std::move(clique));
  }
  for (const Clique& clique : larger) queries.push_back({clique, 1});
  return Workload::Create(domain, std::move(queries)).value();
}

Rounds RandomRoundsOf(const Domain& domain, RandomSource& random) {
  if (random.NextBelow(4) == 0) return Annealed{0.5 + 1.5 * random.NextUnit()};
  return FixedRounds{static_cast<int>(domain.size() + random.NextBelow(domain.size()))};
}

Setting MakeSetting(RandomSource& random) {
  const bool has_trap = random.NextBelow(2) == 0;
  while (true) {
    Domain domain = RandomDomain(random);
    const std::uint64_t most_zeros = has_trap ? 2 * domain.size() : random.NextBelow(4);
    std::vector<StructuralZeros> zeros = RandomZeros(domain, most_zeros, random);
    std::vector<Clique> cliques;
    const Triangulation tree = FirstTree(domain, zeros, cliques);
    if (tree.cells > kMostCells || (has_trap && !HasTrap(domain, tree, cliques))) continue;
    Workload workload = RandomWorkload(domain, random);
    AimOptions options = OptionsFor(1, RandomRoundsOf(domain, random));
    options.round_fit.max_iterations = options.last_fit.max_iterations = 1;
    options.zeros = std::move(zeros);
    options.model_grows_with_budget = random.NextBelow(4) == 0;
    options.max_model_cells = static_cast<std::int64_t>(tree.cells) - 1;
    options.max_model_cells += has_trap ? 1 : static_cast<std::int64_t>(random.NextBelow(kMostCells));
    return {std::move(domain), std::move(workload), std::move(options)};
  }
}

Table TinyTable(const Domain& domain, RandomSource& random) {
  TableBuilder builder(domain);
  for (std::uint64_t row = random.NextBelow(20); row > 0; --row) {
    std::vector<std::uint32_t> codes;
    for (AttributeIndex attribute = 0; attribute < domain.size(); ++attribute) {
      codes.push_back(static_cast<std::uint32_t>(random.NextBelow(domain[attribute].size)));
    }
    builder.AddRow(codes);
  }
  return std::move(builder).Build();
}

void ExpectModelOfAllThatWasPaid(const FittedModel& fitted, const Setting& setting) {
  EXPECT_LE(fitted.model.tree().cells(), setting.options.max_model_cells);
  const std::vector<Clique>& cliques = fitted.model.layout().cliques();
  for (const Measurement& measured : fitted.report.measurements) {
    EXPECT_NE(std::find(cliques.begin(), cliques.end(), measured.clique), cliques.end()) << "was left out";
  }
}

}  // namespace

PaidRuns RunAndPay(std::uint64_t first, int runs) {
  PaidRuns result;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(runs); ++seed) {
    SCOPED_TRACE(seed);
    SeededRandomSource random(seed, "paid runs");
    const Setting setting = MakeSetting(random);
    AimBench bench("paid-runs", setting.options);
    SeededNoise noise(seed);
    RoundObserver rounds;
    const auto rows = std::make_shared<TableRows>(TinyTable(setting.domain, random));
    const absl::StatusOr<FittedModel> fitted = bench.Run(setting.options, setting.workload, rows, noise, rounds);
    const auto paid = static_cast<int>(bench.Debits().size());
    if (!fitted.ok()) {
      EXPECT_EQ(paid, 0) << fitted.status();
      ++result.refused;
      continue;
    }
    ExpectModelOfAllThatWasPaid(*fitted, setting);
    ++result.ended;
    result.measurements += paid / 2;
  }
  return result;
}

}  // namespace flaim
