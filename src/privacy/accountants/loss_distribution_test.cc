#include "privacy/accountants/loss_distribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

namespace flaim {
namespace {

double Expectation(const LossDistribution& loss, const std::function<double(double)>& value) {
  double sum = 0;
  for (std::size_t index = 0; index < loss.mass.size(); ++index) {
    sum += loss.mass[index] *
           value(loss.lattice_step * static_cast<double>(loss.lowest + static_cast<std::int64_t>(index)));
  }
  return sum;
}

double Delta(const LossDistribution& loss, double epsilon) {
  return loss.infinite_mass + Expectation(loss, [&](double at) { return std::max(0.0, -std::expm1(epsilon - at)); });
}

// The delta of m unit shifts under discrete Gaussian noise on multiples of 1/resolution, by enumerating the noise
// vectors one coordinate at a time.
double EnumeratedDelta(double sigma_squared, int coordinates, double epsilon, int resolution = 1) {
  const double variance = sigma_squared * resolution * resolution;
  const int reach = static_cast<int>(14 * std::sqrt(variance)) + 2 + resolution;
  double normaliser = 0;
  for (int value = -reach; value <= reach; ++value) normaliser += std::exp(-value * value / (2 * variance));
  double delta = 0;
  const std::function<void(int, double, double)> enumerate = [&](int remaining, double under_p, double under_q) {
    if (remaining == 0) {
      delta += std::max(0.0, under_p - std::exp(epsilon) * under_q);
      return;
    }
    for (int value = -reach; value <= reach; ++value) {
      enumerate(remaining - 1, under_p * std::exp(-value * value / (2 * variance)) / normaliser,
                under_q * std::exp(-(value - resolution) * (value - resolution) / (2 * variance)) / normaliser);
    }
  };
  enumerate(coordinates, 1, 1);
  return delta;
}

TEST(LossDistribution, KeepsTheMeanOfTheInverseLikelihoodRatio) {
  const auto inverse_ratio = [](double loss) { return std::exp(-loss); };
  const auto one = [](double) { return 1.0; };
  for (const double step : {0.001, 0.01, 0.3}) {
    for (const double mu : {0.05, 0.3, 2.0}) {
      const LossDistribution loss = ContinuousGaussianLoss(*Mu::Create(mu), step);
      EXPECT_NEAR(Expectation(loss, inverse_ratio), 1, 1e-8) << mu << " " << step;
      EXPECT_NEAR(Expectation(loss, one), 1, 1e-8) << mu << " " << step;
      EXPECT_GE(Expectation(loss, one), 1) << mu << " " << step;
    }
    for (const Rational& variance : {Rational(1, 2), Rational(4, 1), Rational(400, 1)}) {
      for (const std::int64_t coordinates : {1, 2, 14}) {
        const LossDistribution loss = DiscreteGaussianLoss({variance, coordinates}, step);
        EXPECT_NEAR(Expectation(loss, inverse_ratio), 1, 1e-8) << variance.ToString() << " " << coordinates;
        EXPECT_NEAR(Expectation(loss, one), 1, 1e-8) << variance.ToString() << " " << coordinates;
        EXPECT_GE(Expectation(loss, one), 1) << variance.ToString() << " " << coordinates;
      }
    }
  }
}

TEST(LossDistribution, OfContinuousNoiseMeetsTheAnalyticGaussianOnTheLattice) {
  for (const double mu : {0.1, 0.5, 1.5}) {
    const LossDistribution loss = ContinuousGaussianLoss(*Mu::Create(mu), 0.125);
    for (double epsilon = 0; epsilon < 4 * mu; epsilon += 0.125) {
      const double analytic = DeltaOf(*Mu::Create(mu), epsilon);
      EXPECT_GE(Delta(loss, epsilon), analytic * (1 - 1e-12)) << mu << " " << epsilon;
      EXPECT_LE(Delta(loss, epsilon), analytic * (1 + 1e-6)) << mu << " " << epsilon;
    }
  }
}

TEST(LossDistribution, OfDiscreteNoiseMeetsDirectEnumerationOnTheLattice) {
  for (const Rational& variance : {Rational(1, 4), Rational(1, 1), Rational(3, 2), Rational(5, 1)}) {
    for (const int coordinates : {1, 2, 3}) {
      const LossDistribution loss = DiscreteGaussianLoss({variance, coordinates}, 0.25);
      for (const double epsilon : {0.0, 0.5, 1.0, 3.0}) {
        const double enumerated = EnumeratedDelta(variance.ToDouble(), coordinates, epsilon);
        EXPECT_GE(Delta(loss, epsilon), enumerated * (1 - 1e-12)) << variance.ToString() << " " << coordinates;
        EXPECT_LE(Delta(loss, epsilon), enumerated * (1 + 1e-7)) << variance.ToString() << " " << coordinates;
      }
    }
  }
}

// Noise on multiples of 1/2 or 1/4 has another delta than noise of the same sigma on whole numbers, now more, now less.
TEST(LossDistribution, OfFinerNoiseMeetsDirectEnumerationOnTheLattice) {
  bool is_ever_more = false;
  bool is_ever_less = false;
  for (const Rational& variance : {Rational(1, 4), Rational(1, 1), Rational(3, 2)}) {
    for (const int coordinates : {1, 2}) {
      for (const int resolution : {2, 4, 8}) {
        const LossDistribution loss = DiscreteGaussianLoss({variance, coordinates}, 0.25, resolution);
        for (const double epsilon : {0.0, 0.5, 1.0, 3.0}) {
          const double enumerated = EnumeratedDelta(variance.ToDouble(), coordinates, epsilon, resolution);
          EXPECT_GE(Delta(loss, epsilon), enumerated * (1 - 1e-12)) << variance.ToString() << " " << resolution;
          EXPECT_LE(Delta(loss, epsilon), enumerated * (1 + 1e-7)) << variance.ToString() << " " << resolution;
          const double whole = EnumeratedDelta(variance.ToDouble(), coordinates, epsilon);
          is_ever_more |= enumerated > 1.01 * whole;
          is_ever_less |= enumerated < 0.99 * whole;
        }
      }
    }
  }
  EXPECT_TRUE(is_ever_more && is_ever_less);
}

// Up to resolutions far beyond those that are followed one by one.
TEST(LossDistribution, OfEveryResolutionHasTheWorstOfThem) {
  for (const Rational& variance :
       {Rational(1, 16), Rational(2, 3), Rational(3, 1), Rational(90, 1), Rational(9000, 1)}) {
    const double sigma = std::sqrt(variance.ToDouble());
    const double step = 0.0625 / sigma;
    const std::vector<LossDistribution> losses = LossesOfEveryResolution({variance, 1}, step);
    for (int resolution = 1; resolution * sigma <= 2000; resolution *= 2) {
      for (const int steps : {0, 3, 20, 60}) {
        double worst = 0;
        for (const LossDistribution& loss : losses) worst = std::max(worst, Delta(loss, steps * step));
        const double enumerated = EnumeratedDelta(variance.ToDouble(), 1, steps * step, resolution);
        EXPECT_GE(worst, enumerated * (1 - 1e-12)) << variance.ToString() << " " << resolution << " " << steps;
      }
    }
    for (const int steps : {0, 3, 20}) {
      const double fine = DeltaOf(*Mu::Create(1 / sigma), steps * step);
      EXPECT_LE(Delta(losses.back(), steps * step), fine * 1.01) << "what dominates the finest hardly costs anything";
    }
  }
}

// Splitting at a variance of about 3 decides between convolving and the closed form; both must agree across it.
TEST(LossDistribution, OfManyCoordinatesComposesLikeTheirParts) {
  constexpr double kStep = 0.125;
  for (const Rational& variance : {Rational(5, 2), Rational(3, 1), Rational(7, 2), Rational(10, 1)}) {
    const LossDistribution whole = DiscreteGaussianLoss({variance, 8}, kStep);
    std::map<int, double> sum = {{0, 1.0}};
    const int reach = static_cast<int>(14 * std::sqrt(variance.ToDouble()));
    double normaliser = 0;
    for (int value = -reach; value <= reach; ++value)
      normaliser += std::exp(-value * value / (2 * variance.ToDouble()));
    for (int coordinate = 0; coordinate < 8; ++coordinate) {
      std::map<int, double> next;
      for (const auto& [total, mass] : sum) {
        for (int value = -reach; value <= reach; ++value) {
          next[total + value] += mass * std::exp(-value * value / (2 * variance.ToDouble())) / normaliser;
        }
      }
      sum = std::move(next);
    }
    for (const double epsilon : {0.0, 1.0, 4.0}) {
      double delta = 0;
      for (const auto& [total, mass] : sum) {
        const double loss = (total + 4) / variance.ToDouble();
        delta += mass * std::max(0.0, -std::expm1(epsilon - loss));
      }
      EXPECT_GE(Delta(whole, epsilon), delta * (1 - 1e-12)) << variance.ToString();
      EXPECT_LE(Delta(whole, epsilon), delta * (1 + 1e-6)) << variance.ToString();
    }
  }
}

TEST(LossDistributionDeathTest, StopsAtASumThatItCannotFollow) {
  EXPECT_DEATH(DiscreteGaussianLoss({Rational(Rational::kMaxTerm, 1), 1}, 0.1), "coordinates");
}

}  // namespace
}  // namespace flaim
