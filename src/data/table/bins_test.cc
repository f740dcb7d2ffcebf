#include "data/table/bins.h"

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Domain SomeDomain() { return Domain::Create({{"age", 5}, {"sex", 2}, {"place", 300}}).value(); }

std::vector<std::uint32_t> Halves(std::size_t values) {
  std::vector<std::uint32_t> bins(values);
  for (std::size_t value = 0; value < values; ++value) bins[value] = value < values / 2 ? 0 : 1;
  return bins;
}

TEST(Bins, AreTheSameColumnsWithFewerValues) {
  const Bins bins = Bins::Create(SomeDomain(), {{1, 1, 0, 2, 2}, {}, Halves(300)}).value();
  EXPECT_EQ(bins.bins(), Domain::Create({{"age", 3}, {"sex", 2}, {"place", 2}}).value());
  EXPECT_EQ(bins.values(), SomeDomain());
  EXPECT_TRUE(bins.HasBins(0));
  EXPECT_FALSE(bins.HasBins(1));
  EXPECT_EQ(bins.BinOf(0, 2), 0U);
  EXPECT_EQ(bins.BinOf(1, 1), 1U);
  EXPECT_THAT(bins.ValuesByBin(0), ElementsAre(ElementsAre(2), ElementsAre(0, 1), ElementsAre(3, 4)));
}

TEST(Bins, AsManyAsThereAreValuesAreNone) {
  const Bins bins = Bins::Create(SomeDomain(), {{4, 3, 2, 0, 1}, {0, 1}, {}}).value();
  EXPECT_EQ(bins, Bins::OfSingleValues(SomeDomain()));
}

TEST(Bins, OfSingleValuesChangeNothing) {
  const Bins bins = Bins::OfSingleValues(SomeDomain());
  EXPECT_EQ(bins.bins(), bins.values());
  EXPECT_FALSE(bins.HasBins());
}

TEST(Bins, AreRefusedWhereAValueHasNoneOrABinHasNoValue) {
  const auto refusal = [](std::vector<std::vector<std::uint32_t>> bins) {
    return std::string(Bins::Create(SomeDomain(), std::move(bins)).status().message());
  };
  EXPECT_THAT(refusal({{}, {}}), HasSubstr("3 columns"));
  EXPECT_THAT(refusal({{0, 0, 1, 1}, {}, {}}), HasSubstr("age has 5 values"));
  EXPECT_THAT(refusal({{}, {0, 2}, {}}), HasSubstr("leaves others empty"));
  EXPECT_THAT(refusal({{0, 0, 2, 2, 2}, {}, {}}), HasSubstr("is empty"));
}

TEST(Bins, GatherRowsValueByValue) {
  SeededRandomSource random(1, "rows");
  const Bins bins = Bins::Create(SomeDomain(), {{1, 1, 0, 2, 2}, {}, Halves(300)}).value();
  TableBuilder builder(SomeDomain());
  for (int row = 0; row < 500; ++row) {
    const std::uint32_t codes[] = {static_cast<std::uint32_t>(random.NextBelow(5)),
                                   static_cast<std::uint32_t>(random.NextBelow(2)),
                                   static_cast<std::uint32_t>(random.NextBelow(300))};
    builder.AddRow(codes);
  }
  const Table rows = std::move(builder).Build();
  for (const Table& some : {rows, rows.Slice(100, 350), rows.Slice(7, 7)}) {
    const Table gathered = bins.Gather(some);
    EXPECT_EQ(gathered.domain(), bins.bins());
    ASSERT_EQ(gathered.rows(), some.rows());
    for (std::size_t row = 0; row < some.rows(); ++row) {
      for (AttributeIndex attribute = 0; attribute < 3; ++attribute) {
        ASSERT_EQ(gathered.at(row, attribute), bins.BinOf(attribute, some.at(row, attribute)));
      }
    }
  }
}

}  // namespace
}  // namespace flaim
