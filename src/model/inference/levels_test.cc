#include "model/inference/levels.h"

#include <cmath>
#include <limits>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/inference/small_levels_testing.h"

namespace flaim {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

// Five ages in three bins, two sexes by themselves.
Bins SomeBins() {
  return Bins::Create(Domain::Create({{"age", 5}, {"sex", 2}}).value(), {{1, 1, 0, 2, 2}, {}}).value();
}

std::string Refusal(std::vector<std::vector<double>> shares) {
  return std::string(Levels::Create(SomeBins(), std::move(shares)).status().message());
}

TEST(Levels, AreTheShareOfEachValueInItsBin) {
  const Levels levels = Levels::Create(SomeBins(), {{1, 3, 7, 0.5, 0}, {}}).value();
  EXPECT_THAT(levels.SharesOf(0), ElementsAre(0.25, 0.75, 1, 1, 0));
  EXPECT_THAT(levels.SharesOf(1), IsEmpty());
  EXPECT_EQ(levels.Share(0, 1), 0.75);
  EXPECT_EQ(levels.Share(1, 1), 1);
}

TEST(Levels, AreRefusedWhereAShareIsNoneOrABinHasNone) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(Refusal({{1, 1, 1, 1, 1}}), HasSubstr("there are 2 columns, but shares for 1"));
  EXPECT_THAT(Refusal({{1, 1, 1, 1}, {}}), HasSubstr("column age: there are 4 shares for 5 values in bins"));
  EXPECT_THAT(Refusal({{1, 1, 1, 1, 1}, {1, 1}}), HasSubstr("column sex: there are 2 shares for 0 values in bins"));
  for (const double bad : {-1e-300, std::nan(""), kInfinity, -kInfinity}) {
    EXPECT_THAT(Refusal({{1, bad, 1, 1, 1}, {}}), HasSubstr("is no share")) << bad;
  }
  EXPECT_THAT(Refusal({{1, 1, 0, 1, 1}, {}}), HasSubstr("add up to 0"));
  EXPECT_THAT(Refusal({{1e308, 1e308, 1, 1, 1}, {}}), HasSubstr("add up to inf"));
}

TEST(Levels, OfNormalisedSharesAreTheSameBitForBit) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededRandomSource random(seed, "shares");
    const std::size_t values = 2 + random.NextBelow(5000);
    std::vector<std::uint32_t> bin_of_value(values, 0);
    bin_of_value.back() = values > 2 ? 1 : 0;
    std::vector<double> shares(values);
    for (double& share : shares) share = std::exp(60 * (random.NextUnit() - 0.5));
    const Domain domain = Domain::Create({{"a", static_cast<std::int64_t>(values)}}).value();
    const Levels once = Levels::Create(Bins::Create(domain, {bin_of_value}).value(), {shares}).value();
    ASSERT_EQ(Levels::Create(once.bins(), {once.SharesOf(0)}).value(), once) << values;
  }
}

TEST(Levels, DivideEachCellAmongItsValuesAsDefined) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SeededRandomSource random(seed, "levels");
    const RandomModel model = MakeRandomModel(seed, {});
    const Levels levels = RandomLevels(model.domain, random);
    const Bins& bins = levels.bins();
    for (unsigned subset = 0; subset < 1U << model.domain.size(); ++subset) {
      std::vector<AttributeIndex> attributes;
      for (AttributeIndex attribute = 0; attribute < model.domain.size(); ++attribute) {
        if ((subset >> attribute & 1U) != 0) attributes.push_back(attribute);
      }
      const Clique clique(attributes);
      std::vector<double> of_bins(CellCount(bins.bins(), clique).value());
      for (double& cell : of_bins) cell = random.NextUnit() - 0.5;
      std::vector<double> expected(CellCount(bins.values(), clique).value());
      for (std::size_t cell = 0; cell < expected.size(); ++cell) {
        std::size_t rest = cell;
        std::int64_t bin_cell = 0;
        std::int64_t stride = 1;
        double share = 1;
        for (auto attribute = attributes.rbegin(); attribute != attributes.rend(); ++attribute) {
          const auto value = static_cast<std::uint32_t>(rest % bins.values()[*attribute].size);
          rest /= bins.values()[*attribute].size;
          bin_cell += stride * bins.BinOf(*attribute, value);
          stride *= bins.bins()[*attribute].size;
          share *= levels.Share(*attribute, value);
        }
        expected[cell] = share * of_bins[bin_cell];
      }
      ASSERT_THAT(levels.Refine(clique, of_bins), Pointwise(DoubleNear(1e-15), expected)) << "seed " << seed;
    }
  }
}

TEST(Levels, TellTablesOverBinsFromTablesOverValues) {
  const Levels levels = Levels::Create(SomeBins(), {{1, 1, 1, 1, 1}, {}}).value();
  EXPECT_TRUE(levels.IsOverBins(Clique({0, 1}), 6));
  EXPECT_FALSE(levels.IsOverBins(Clique({0, 1}), 10));
  EXPECT_FALSE(levels.IsOverBins(Clique({0, 1}), 7));
  EXPECT_FALSE(levels.IsOverBins(Clique({1}), 2));
}

TEST(Levels, WithoutBinsChangeNothing) {
  const Levels levels =
      Levels::Create(Bins::OfSingleValues(Domain::Create({{"a", 3}, {"b", 2}}).value()), {{}, {}}).value();
  const std::vector<double> cells = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(levels.Refine(Clique({0, 1}), cells), cells);
}

}  // namespace
}  // namespace flaim
