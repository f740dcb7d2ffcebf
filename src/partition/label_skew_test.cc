#include "partition/label_skew.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/seeded_random_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace flaim {
namespace {

// A mean of n draws is farther than 6.2 standard errors from its expectation with probability below 1e-9.
constexpr double kSigmas = 6.2;

// E[log G] = digamma(shape) and Var[log G] = trigamma(shape), by their asymptotic series after recurrences.
double Digamma(double x) {
  double sum = 0;
  for (; x < 20; ++x) sum -= 1 / x;
  return sum + std::log(x) - 1 / (2 * x) - 1 / (12 * x * x) + 1 / (120 * std::pow(x, 4));
}
double Trigamma(double x) {
  double sum = 0;
  for (; x < 20; ++x) sum += 1 / (x * x);
  return sum + 1 / x + 1 / (2 * x * x) + 1 / (6 * std::pow(x, 3)) - 1 / (30 * std::pow(x, 5));
}

TEST(LogGamma, HasTheMeanOfItsDistribution) {
  constexpr int kDraws = 40'000;
  for (const double shape : {0.01, 0.1, 0.8, 1.0, 3.0, 100.0}) {
    SeededRandomSource random(1);
    double sum = 0;
    for (int draw = 0; draw < kDraws; ++draw) sum += DrawLogGamma(shape, random);
    EXPECT_NEAR(sum / kDraws, Digamma(shape), kSigmas * std::sqrt(Trigamma(shape) / kDraws)) << shape;
  }
}

// A share has mean 1/K and variance m(1 - m) / (K beta + 1). Shares are in [0, 1], so that the squares of their
// distances from the mean have a standard deviation of at most sqrt(variance): a bound for the error of the variance.
TEST(Dirichlet, HasTheMeanAndTheVarianceOfItsDistribution) {
  constexpr int kDraws = 20'000;
  for (const double beta : {0.01, 0.1, 0.8, 5.0}) {
    for (const std::size_t count : {2U, 5U, 30U}) {
      SeededRandomSource random(count);
      const double mean = 1.0 / static_cast<double>(count);
      const double variance = mean * (1 - mean) / (static_cast<double>(count) * beta + 1);
      double sum = 0;
      double squares = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        const double share = DrawDirichlet(count, beta, random)[0];
        sum += share;
        squares += (share - mean) * (share - mean);
      }
      EXPECT_NEAR(sum / kDraws, mean, kSigmas * std::sqrt(variance / kDraws)) << beta << " " << count;
      EXPECT_NEAR(squares / kDraws, variance, kSigmas * std::sqrt(variance / kDraws)) << beta << " " << count;
    }
  }
}

TEST(Dirichlet, NeverVanishesHoweverSmallBetaIs) {
  SeededRandomSource random(4);
  for (const double beta : {kLeastBeta, 1e-4, 0.01, 1.0, kLargestBeta}) {
    for (int draw = 0; draw < 200; ++draw) {
      const std::vector<double> shares = DrawDirichlet(100, beta, random);
      EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-12);
      EXPECT_THAT(shares, testing::Each(testing::AllOf(testing::Ge(0), testing::Le(1))));
    }
  }
}

std::vector<std::uint32_t> Classes(std::size_t rows, std::uint32_t classes) {
  std::vector<std::uint32_t> class_of_row(rows);
  for (std::size_t row = 0; row < rows; ++row) class_of_row[row] = static_cast<std::uint32_t>(row * 7 % classes);
  return class_of_row;
}

// The sum over classes and clients of the squared share of the class: 1 for each class that one client has alone.
double Skew(const Partition& partition, const std::vector<std::uint32_t>& class_of_row, std::uint32_t classes) {
  std::vector<std::vector<double>> counts(classes, std::vector<double>(partition.clients));
  std::vector<double> sizes(classes);
  for (std::size_t row = 0; row < class_of_row.size(); ++row) {
    ++counts[class_of_row[row]].at(partition.client_of_row[row]);
    ++sizes[class_of_row[row]];
  }
  double skew = 0;
  for (std::uint32_t one = 0; one < classes; ++one) {
    for (const double count : counts[one]) skew += std::pow(count / sizes[one], 2);
  }
  return skew;
}

TEST(LabelSkew, DealsEveryRowOnce) {
  SeededRandomSource random(1);
  for (const std::size_t rows : {0U, 1U, 100U, 3001U}) {
    for (const std::size_t clients : {1U, 3U, 500U}) {
      const Partition partition = PartitionByLabelSkew(Classes(rows, 5), clients, 0.3, random);
      EXPECT_EQ(partition.clients, clients);
      EXPECT_EQ(partition.client_of_row.size(), rows);
      EXPECT_THAT(partition.client_of_row, testing::Each(testing::Lt(clients)));
      EXPECT_TRUE(partition.ids.empty());
    }
  }
}

// E[sum of squared shares] is (beta + 1) / (K beta + 1) for each class, plus what drawing the rows adds.
TEST(LabelSkew, IsLessForLargerBeta) {
  constexpr std::uint32_t kClasses = 200;
  const std::vector<std::uint32_t> class_of_row = Classes(200 * 100, kClasses);
  double before = kClasses + 1e-9;
  for (const double beta : {1e-4, 0.1, 0.8, 10.0, 1000.0}) {
    SeededRandomSource random(2);
    const double skew = Skew(PartitionByLabelSkew(class_of_row, 20, beta, random), class_of_row, kClasses);
    const double of_shares = (beta + 1) / (20 * beta + 1);
    EXPECT_NEAR(skew / kClasses, of_shares + (1 - of_shares) / 100, 0.06) << beta;
    EXPECT_LT(skew, before) << beta;
    before = skew;
  }
}

TEST(LabelSkew, GivesClassesToDifferentClients) {
  SeededRandomSource random(3);
  const std::vector<std::uint32_t> class_of_row = Classes(1000, 10);
  const Partition partition = PartitionByLabelSkew(class_of_row, 1000, kLeastBeta, random);
  for (std::size_t row = 10; row < 1000; ++row) {
    EXPECT_EQ(partition.client_of_row[row], partition.client_of_row[row % 10]);
  }
  EXPECT_NE(partition.client_of_row[0], partition.client_of_row[1]);
}

TEST(LabelSkew, TakesASingleClassAndASingleClient) {
  SeededRandomSource random(5);
  const std::vector<std::uint32_t> one_class(50, 3);
  EXPECT_THAT(PartitionByLabelSkew(Classes(50, 4), 1, 0.1, random).client_of_row, testing::Each(0U));
  EXPECT_EQ(PartitionByLabelSkew(one_class, 4, 0.5, random).client_of_row.size(), 50U);
}

TEST(LabelSkew, RepeatsItselfForTheSameSeedOnly) {
  SeededRandomSource first(6);
  SeededRandomSource again(6);
  SeededRandomSource other(7);
  const std::vector<std::uint32_t> class_of_row = Classes(500, 3);
  const Partition partition = PartitionByLabelSkew(class_of_row, 10, 0.5, first);
  EXPECT_EQ(PartitionByLabelSkew(class_of_row, 10, 0.5, again), partition);
  EXPECT_NE(PartitionByLabelSkew(class_of_row, 10, 0.5, other), partition);
}

}  // namespace
}  // namespace flaim
