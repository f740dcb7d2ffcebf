#include "model/kernels/cell_map.h"

#include <numeric>

#include "base/seeded_random_source.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// A table over some attributes, a smaller one over some of those, both in random memory orders, and a block of cells.
struct Case {
  Domain domain;
  std::vector<AttributeIndex> source_order;
  std::vector<AttributeIndex> target_order;
  std::int64_t first = 0;
  std::int64_t count = 0;

  std::int64_t Cells(std::span<const AttributeIndex> order) const {
    std::int64_t cells = 1;
    for (const AttributeIndex attribute : order) cells *= domain[attribute].size;
    return cells;
  }

  // The naive twin: takes a cell's index apart and puts the target's together.
  std::int64_t TargetOf(std::int64_t cell) const {
    std::vector<std::int64_t> code(domain.size(), 0);
    for (std::size_t i = source_order.size(); i-- > 0;) {
      code[source_order[i]] = cell % domain[source_order[i]].size;
      cell /= domain[source_order[i]].size;
    }
    std::int64_t target = 0;
    for (const AttributeIndex attribute : target_order) target = target * domain[attribute].size + code[attribute];
    return target;
  }
};

void Shuffle(std::vector<AttributeIndex>& order, SeededRandomSource& random) {
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.NextBelow(i)]);
}

Case MakeCase(std::uint64_t seed) {
  SeededRandomSource random(seed, "cell map");
  std::vector<Attribute> attributes;
  const int size = 1 + static_cast<int>(random.NextBelow(5));
  for (int i = 0; i < size; ++i) {
    attributes.push_back({std::to_string(i), 1 + static_cast<std::int64_t>(random.NextBelow(7))});
  }
  Case result{Domain::Create(attributes).value(), {}, {}};
  for (AttributeIndex i = 0; i < size; ++i) {
    result.source_order.push_back(i);
    if (random.NextBelow(2) == 0) result.target_order.push_back(i);
  }
  Shuffle(result.source_order, random);
  Shuffle(result.target_order, random);
  const std::int64_t cells = result.Cells(result.source_order);
  result.first = static_cast<std::int64_t>(random.NextBelow(cells));
  result.count = 1 + static_cast<std::int64_t>(random.NextBelow(cells - result.first));
  return result;
}

std::vector<double> RandomNumbers(std::int64_t count, std::uint64_t seed, const char* label) {
  SeededRandomSource random(seed, label);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.NextUnit();
  return numbers;
}

TEST(CellMap, AgreesWithIndexArithmeticOnEveryBlockAndOrder) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Case example = MakeCase(seed);
    const CellMap map(example.domain, example.source_order, example.target_order);
    ASSERT_EQ(map.source_cells(), example.Cells(example.source_order));
    ASSERT_EQ(map.target_cells(), example.Cells(example.target_order));

    const std::vector<double> target = RandomNumbers(map.target_cells(), seed, "target");
    const std::vector<double> block = RandomNumbers(example.count, seed, "block");
    std::vector<double> added = block;
    std::vector<double> summed = target;
    kernels::AddFromTarget(map, example.first, added, target.data());
    kernels::AddToTarget(map, example.first, block, summed.data());

    std::vector<double> naive_sum = target;
    for (std::int64_t i = 0; i < example.count; ++i) {
      const std::int64_t at = example.TargetOf(example.first + i);
      ASSERT_EQ(added[i], block[i] + target[at]) << "seed " << seed;
      naive_sum[at] += block[i];
    }
    for (std::int64_t i = 0; i < map.target_cells(); ++i) {
      ASSERT_NEAR(summed[i], naive_sum[i], 1e-9) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace flaim
