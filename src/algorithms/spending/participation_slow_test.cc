#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/methods/presets.h"
#include "algorithms/spending/spending.h"
#include "gtest/gtest.h"

// Rounds of FLAIM-Once under exact accounting, against the delta of their very noise: sums over the noise of all counts
// that a record moves, in floating point, without the accountant.
namespace flaim {
namespace {

// Counts that a record moves by one each, under discrete Gaussian noise on multiples of 1/resolution.
struct Sum {
  double sigma_squared = 1;
  int counts = 0;
  int resolution = 1;
};

// Probabilities of the sum of the noise of all counts, in units of the resolution, from -reach to reach.
std::vector<double> NoiseOf(const Sum& sum) {
  const double variance = sum.sigma_squared * sum.resolution * sum.resolution;
  const int reach = static_cast<int>(9 * std::sqrt(variance)) + 2;
  std::vector<double> one;
  double total = 0;
  for (int value = -reach; value <= reach; ++value)
    total += one.emplace_back(std::exp(-value * value / (2 * variance)));
  for (double& mass : one) mass /= total;
  std::vector<double> all = {1};
  for (int count = 0; count < sum.counts; ++count) {
    std::vector<double> next(all.size() + one.size() - 1, 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < one.size(); ++j) next[i + j] += all[i] * one[j];
    }
    all = std::move(next);
  }
  return all;
}

struct Loss {
  double loss;
  double mass;
};

std::vector<Loss> LossesOf(const Sum& sum) {
  const std::vector<double> noise = NoiseOf(sum);
  const double middle = static_cast<double>(noise.size() - 1) / 2;
  std::vector<Loss> losses;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    if (noise[i] < 1e-18) continue;
    const double moved = 2 * (static_cast<double>(i) - middle) / sum.resolution + sum.counts;
    losses.push_back({moved / (2 * sum.sigma_squared), noise[i]});
  }
  return losses;
}

// Of two sums together: for each loss of the first, the losses of the second that exceed what is left of epsilon.
double Delta(const Sum& first, const Sum& second, double epsilon) {
  const std::vector<Loss> later = LossesOf(second);
  std::vector<double> mass_from(later.size() + 1, 0);
  std::vector<double> inverse_from(later.size() + 1, 0);  // of mass times e^-loss
  for (std::size_t i = later.size(); i > 0; --i) {
    mass_from[i - 1] = mass_from[i] + later[i - 1].mass;
    inverse_from[i - 1] = inverse_from[i] + later[i - 1].mass * std::exp(-later[i - 1].loss);
  }
  double delta = 0;
  for (const Loss& one : LossesOf(first)) {
    const double left = epsilon - one.loss;
    const auto above = std::upper_bound(later.begin(), later.end(), left,
                                        [](double value, const Loss& loss) { return value < loss.loss; });
    const auto from = static_cast<std::size_t>(above - later.begin());
    delta += one.mass * (mass_from[from] - std::exp(left) * inverse_from[from]);
  }
  return delta;
}

constexpr double kDelta = 1e-6;
constexpr double kRounding = 1 + 1e-6;  // of all these sums

std::unique_ptr<SpendingPlan> PlanFor(double epsilon, int columns, SumNoise noise) {
  const PrivacyBudget budget = PrivacyBudget::Create(epsilon, kDelta).value();
  return MakeSpendingPlan(FindMethod("flaim-once").value(), budget, columns, noise).value();
}

std::vector<double> Epsilons() {
  std::vector<double> epsilons = {0.5, 1.5, 8.25, 12.4, 15.7};
  for (int epsilon = 1; epsilon <= 20; ++epsilon) epsilons.push_back(epsilon);
  return epsilons;
}

TEST(ExactParticipation, KeepsItsPromiseWithTheVeryNoiseOfEachPlan) {
  for (const double epsilon : Epsilons()) {
    for (int columns = 1; columns <= 5; ++columns) {
      const auto plan = PlanFor(epsilon, columns, SumNoise::kWhole);
      for (int marginals = 0; marginals <= 5; ++marginals) {
        const RoundSpending round = *plan->Clone()->Next(static_cast<std::size_t>(marginals)).value();
        const Sum one_ways{round.one_way_sigma_squared->ToDouble(), columns};
        const Sum others{marginals > 0 ? round.sigma_squared->ToDouble() : 1, marginals};
        EXPECT_LE(Delta(one_ways, others, epsilon), kDelta * kRounding)
            << epsilon << " " << columns << " " << marginals;
      }
    }
  }
}

// Resolutions are chosen by how many take part, for each sum anew.
TEST(ExactParticipation, KeepsItsPromiseWithNoiseInSharesOfAnyResolution) {
  for (const double epsilon : {1.0, 4.0, 8.25, 13.0, 20.0}) {
    for (const int columns : {1, 2, 5}) {
      const auto plan = PlanFor(epsilon, columns, SumNoise::kSplit);
      for (const int marginals : {0, 1, 4}) {
        const RoundSpending round = *plan->Clone()->Next(static_cast<std::size_t>(marginals)).value();
        for (const int first : {1, 2, 4, 8}) {
          for (const int second : {1, 2, 4, 8}) {
            const Sum one_ways{round.one_way_sigma_squared->ToDouble(), columns, first};
            const Sum others{marginals > 0 ? round.sigma_squared->ToDouble() : 1, marginals, second};
            EXPECT_LE(Delta(one_ways, others, epsilon), kDelta * kRounding)
                << epsilon << " " << columns << " " << marginals << " at " << first << " and " << second;
            if (marginals == 0) break;
          }
        }
      }
    }
  }
}

// Why both tests above are there, and why a site takes no other noise than the plan's.
TEST(ExactParticipation, WouldNotKeepItsPromiseWithMoreOrFinerNoise) {
  double more = 0;
  double finer = 0;
  for (double epsilon = 4; epsilon <= 20; epsilon += 0.5) {
    const double planned = PlanFor(epsilon, 1, SumNoise::kWhole)->Next(0).value()->one_way_sigma_squared->ToDouble();
    for (double factor = 1; factor < 1.3; factor += 0.002) {
      more = std::max(more, Delta({planned * factor, 1}, {}, epsilon));
    }
    finer = std::max(finer, Delta({planned, 1, 2}, {}, epsilon));
  }
  EXPECT_GT(more, 1.05 * kDelta);
  EXPECT_GT(finer, 1.05 * kDelta);
}

}  // namespace
}  // namespace flaim
