#include "secagg/graph/hypergeometric.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "gtest/gtest.h"

namespace flaim::secagg {
namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

// Pascal's triangle: exact in a long double up to 60 or so.
long double Choose(int total, int chosen) {
  static const std::vector<std::vector<long double>> triangle = [] {
    std::vector<std::vector<long double>> rows(61);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      rows[n].assign(n + 1, 1);
      for (std::size_t k = 1; k < n; ++k) rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
    }
    return rows;
  }();
  return chosen < 0 || chosen > total ? 0 : triangle[total][chosen];
}

void ExpectIsLogOf(double log, long double probability) {
  if (probability == 0) {
    EXPECT_EQ(log, kNothing);
  } else {
    EXPECT_NEAR(log, static_cast<double>(std::log(probability)), 1e-11);
  }
}

TEST(LogHypergeometricTail, EqualsTheExactSumForEverySmallUrn) {
  for (int total = 0; total <= 14; ++total) {
    for (int marked = 0; marked <= total; ++marked) {
      for (int drawn = 0; drawn <= total; ++drawn) {
        long double tail = 0;
        for (int least = drawn + 1; least >= 0; --least) {
          tail += Choose(marked, least) * Choose(total - marked, drawn - least);
          SCOPED_TRACE(testing::Message() << total << " " << marked << " " << drawn << " " << least);
          ExpectIsLogOf(LogHypergeometricTail(total, marked, drawn, least), tail / Choose(total, drawn));
        }
        EXPECT_EQ(LogHypergeometricTail(total, marked, drawn, -3), 0);
      }
    }
  }
}

TEST(LogHypergeometricTail, EqualsTheExactSumOnBothSidesOfTheMode) {
  long double tail = 0;
  for (int least = 30; least >= 0; --least) {
    tail += Choose(25, least) * Choose(35, 30 - least);
    ExpectIsLogOf(LogHypergeometricTail(60, 25, 30, least), tail / Choose(60, 30));
  }
}

TEST(LogBothTails, EqualsTheExactSumForEverySmallUrn) {
  for (int total = 0; total <= 14; ++total) {
    for (int marked = 0; marked <= total; ++marked) {
      for (int drawn = 0; 2 * drawn <= total; ++drawn) {
        for (int least = 0; least <= drawn + 1; ++least) {
          long double sum = 0;
          for (int x = least; x <= drawn; ++x) {
            for (int y = least; y <= drawn; ++y) {
              sum += Choose(drawn, x) * Choose(drawn, y) * Choose(total - 2 * drawn, marked - x - y);
            }
          }
          SCOPED_TRACE(testing::Message() << total << " " << marked << " " << drawn << " " << least);
          ExpectIsLogOf(LogBothTails(total, marked, drawn, least), sum / Choose(total, marked));
        }
      }
    }
  }
}

// Computed with exact integers by another program (Python), times 1,000 and C(1000, 2), in bits.
TEST(LogHypergeometricTail, EqualsExactIntegersForAThousand) {
  const double tail = LogHypergeometricTail(999, 50, 52, 22) + std::log(1000.0);
  EXPECT_NEAR(tail / std::numbers::ln2, -45.92663985410399, 1e-9);
  const double both = LogBothTails(1000, 50, 26, 11) + std::log(1000.0 * 999 / 2);
  EXPECT_NEAR(both / std::numbers::ln2, -39.12042924282268, 1e-9);
}

TEST(LogAdd, AddsWhatALinearScaleCannotHold) {
  EXPECT_DOUBLE_EQ(LogAdd(-5000, -5000), -5000 + std::numbers::ln2);
  EXPECT_EQ(LogAdd(kNothing, -7), -7);
  EXPECT_EQ(LogAdd(kNothing, kNothing), kNothing);
}

}  // namespace
}  // namespace flaim::secagg
