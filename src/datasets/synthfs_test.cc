#include "datasets/synthfs.h"

#include <cmath>
#include <vector>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

using ::testing::HasSubstr;

TEST(Zipf, GivesProbabilitiesThatFallWithTheirPower) {
  const ZipfDistribution zipf(2, 40);
  double total = 0;
  for (int value = 1; value <= 40; ++value) {
    total += zipf.Probability(value);
    EXPECT_NEAR(zipf.Probability(value) * value * value, zipf.Probability(1), 1e-12);
  }
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(ZipfDistribution(0, 40).Probability(17), 1.0 / 40, 1e-12);
}

// Pearson's statistic of 100,000 draws over cells 1, ..., 10 and the rest: 10 degrees of freedom, alpha = 1e-9.
TEST(Zipf, DrawsWithItsProbabilities) {
  constexpr double kCriticalAt10DegreesOfFreedom = 62.95;
  constexpr int kDraws = 100'000;
  for (const double beta : {0.5, 1.0, 2.0, 5.0}) {
    const ZipfDistribution zipf(beta, 40);
    SeededRandomSource random(11);
    std::vector<double> counts(11);
    for (int draw = 0; draw < kDraws; ++draw) ++counts[static_cast<std::size_t>(std::min(zipf.Draw(random), 11) - 1)];
    double rest = 1;
    double statistic = 0;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      const double probability = cell < 10 ? zipf.Probability(static_cast<int>(cell) + 1) : rest;
      rest -= probability;
      statistic += std::pow(counts[cell] - kDraws * probability, 2) / (kDraws * probability);
    }
    EXPECT_LT(statistic, kCriticalAt10DegreesOfFreedom) << beta;
  }
}

TEST(SynthFs, BinsAValueAsItsSchemaDoes) {
  const Schema schema = SynthFsSchema();
  SeededRandomSource random(5);
  EXPECT_EQ(schema.domain().size(), 10);
  for (int i = 0; i < 20'000; ++i) {
    const double value = random.NextUnit() * 60 - 10;
    const Encoded encoded = schema.columns()[0].Encode(fmt::format("{}", value));
    ASSERT_EQ(encoded.outcome, EncodeOutcome::kExact);
    ASSERT_EQ(encoded.code, SynthFsCode(value)) << value;
  }
  EXPECT_EQ(SynthFsCode(-1e300), 0);
  EXPECT_EQ(SynthFsCode(-0.001), 0);
  EXPECT_EQ(SynthFsCode(0.001), 1);
  EXPECT_EQ(SynthFsCode(39.999), 39);
  EXPECT_EQ(SynthFsCode(40.001), 40);
  EXPECT_EQ(SynthFsCode(1e300), 40);
}

TEST(SynthFs, GivesAClientTheSameRowsHoweverManyClientsThereAre) {
  const SynthFsRows few = GenerateSynthFs({.seed = 3, .beta = 2, .clients = 2}).value();
  const SynthFsRows more = GenerateSynthFs({.seed = 3, .beta = 2, .clients = 5}).value();
  ASSERT_EQ(few.table.rows(), 1'000);
  ASSERT_EQ(more.table.rows(), 2'500);
  for (std::size_t row = 0; row < few.table.rows(); ++row) {
    ASSERT_EQ(few.partition.client_of_row[row], row / 500);
    for (int feature = 0; feature < kSynthFsFeatures; ++feature) {
      ASSERT_EQ(few.table.at(row, feature), more.table.at(row, feature));
    }
  }
}

// The mean that a client's 500 codes of one feature tell: bins have the width 40/39, a normal value has variance 1, so
// the estimate has a standard deviation of 0.05 and rounding it recovers the whole number but for one case in 1e23.
// Means near 1 or 40 lose their tails to the outer bins, which moves them by less than 0.2.
std::vector<int> EstimateMeans(const SynthFsRows& rows) {
  std::vector<double> sums(rows.partition.clients * kSynthFsFeatures);
  for (std::size_t row = 0; row < rows.table.rows(); ++row) {
    for (int feature = 0; feature < kSynthFsFeatures; ++feature) {
      sums[rows.partition.client_of_row[row] * kSynthFsFeatures + static_cast<std::size_t>(feature)] +=
          (rows.table.at(row, feature) - 0.5) * 40.0 / 39.0;
    }
  }
  std::vector<int> means;
  for (const double sum : sums) means.push_back(static_cast<int>(std::lround(sum / kSynthFsRowsOfClient)));
  return means;
}

// Pearson's statistic of 2,000 means over cells 1, ..., 5 and the rest: 5 degrees of freedom, alpha = 1e-9.
TEST(SynthFs, DrawsMeansFromZipf) {
  constexpr double kCriticalAt5DegreesOfFreedom = 50.70;
  for (const double beta : {1.0, 2.0, 3.0}) {
    const ZipfDistribution zipf(beta, kSynthFsLargestMean);
    std::vector<double> counts(6);
    double means = 0;
    for (const int mean : EstimateMeans(GenerateSynthFs({.seed = 1, .beta = beta, .clients = 200}).value())) {
      ASSERT_GE(mean, 1);
      ASSERT_LE(mean, 40);
      ++counts[static_cast<std::size_t>(std::min(mean, 6) - 1)];
      ++means;
    }
    double rest = 1;
    double statistic = 0;
    for (std::size_t cell = 0; cell < counts.size(); ++cell) {
      const double probability = cell < 5 ? zipf.Probability(static_cast<int>(cell) + 1) : rest;
      rest -= probability;
      statistic += std::pow(counts[cell] - means * probability, 2) / (means * probability);
    }
    EXPECT_LT(statistic, kCriticalAt5DegreesOfFreedom) << beta;
  }
}

TEST(SynthFs, RefusesWhatIsNoSkewAndNoNumberOfClients) {
  for (const double beta : {-0.1, 101.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THAT(std::string(GenerateSynthFs({.beta = beta}).status().message()), HasSubstr("between 0 and 100"));
  }
  for (const std::size_t clients : {std::size_t{0}, kSynthFsMaxClients + 1}) {
    EXPECT_THAT(std::string(GenerateSynthFs({.clients = clients}).status().message()), HasSubstr("clients"));
  }
}

}  // namespace
}  // namespace flaim
