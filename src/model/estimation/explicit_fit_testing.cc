#include "model/estimation/explicit_fit_testing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "model/inference/brute_force_testing.h"
#include "model/inference/small_model_testing.h"

namespace flaim {
namespace {

// Twice the loss is the squared norm of a convex combination of points, one for each record. 64 bits of mantissa keep
// the small linear systems accurate far below the gap.
using Number = long double;
using Vector = std::vector<Number>;

constexpr Number kRelativeGap = 1e-11L;
constexpr Number kLeastGap = 1e-13L;  // below which rounding decides
constexpr int kMaxSteps = 10'000;
constexpr std::int64_t kMostRecords = 200;

Number Dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), Number{0}); }

Vector PointOfRecord(const FitProblem& problem, std::size_t record) {
  Vector point;
  for (const Measurement& measurement : problem.measurements) {
    const std::size_t first = point.size();
    const Number scale = 1 / std::sqrt(static_cast<Number>(measurement.variance));
    for (const double value : measurement.values) point.push_back(-scale * value);
    point[first + CellOfRecord(problem.domain, measurement.clique, record)] += scale * problem.total;
  }
  return point;
}

// Solves matrix * x = right for a positive definite matrix, by Cholesky's method.
Vector SolvePositive(std::vector<Vector> matrix, Vector right) {
  const std::size_t size = right.size();
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      for (std::size_t k = 0; k < j; ++k) matrix[i][j] -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = i == j ? std::sqrt(matrix[i][i]) : matrix[i][j] / matrix[j][j];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
  }
  return right;
}

class LeastNorm {
 public:
  explicit LeastNorm(std::vector<Vector> points) : points_(std::move(points)) {}

  void Run() {
    const auto norm_of = [](const Vector& point) { return Dot(point, point); };
    const auto nearest = std::min_element(points_.begin(), points_.end(),
                                          [&](const Vector& a, const Vector& b) { return norm_of(a) < norm_of(b); });
    Add(nearest - points_.begin());
    weights_ = {1};
    for (int step = 0; step < kMaxSteps; ++step) {
      UpdatePoint();
      const std::size_t steepest = Steepest();
      if (gap_ <= std::max(kRelativeGap * norm() / 2, kLeastGap)) return;
      CHECK(std::find(active_.begin(), active_.end(), steepest) == active_.end(), "stuck at a gap of {}",
            static_cast<double>(gap_));
      Add(steepest);
      weights_.push_back(0);
      while (!MoveToAffineOptimum()) {
      }
    }
    CHECK(false, "no optimum after {} steps", kMaxSteps);
  }

  Number norm() const { return Dot(point_, point_); }
  Number gap() const { return gap_; }
  const std::vector<std::size_t>& active() const { return active_; }
  const Vector& weights() const { return weights_; }

 private:
  void Add(std::size_t point) {
    Vector products;
    for (const std::size_t other : active_) products.push_back(Dot(points_[point], points_[other]));
    for (std::size_t i = 0; i < active_.size(); ++i) gram_[i].push_back(products[i]);
    products.push_back(Dot(points_[point], points_[point]));
    gram_.push_back(std::move(products));
    active_.push_back(point);
  }

  void Drop(std::size_t position) {
    gram_.erase(gram_.begin() + position);
    for (Vector& row : gram_) row.erase(row.begin() + position);
    active_.erase(active_.begin() + position);
    weights_.erase(weights_.begin() + position);
  }

  void UpdatePoint() {
    const Number sum = std::accumulate(weights_.begin(), weights_.end(), Number{0});
    for (Number& weight : weights_) weight /= sum;
    point_.assign(points_.front().size(), 0);
    for (std::size_t i = 0; i < active_.size(); ++i) {
      for (std::size_t k = 0; k < point_.size(); ++k) point_[k] += weights_[i] * points_[active_[i]][k];
    }
  }

  std::size_t Steepest() {
    std::size_t best = 0;
    Number least = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Number slope = Dot(point_, points_[i]);
      if (i > 0 && slope >= least) continue;
      least = slope;
      best = i;
    }
    gap_ = norm() - least;
    return best;
  }

  // Towards the optimum over the affine hull of the active points. Stops where the first weight becomes 0 and drops its
  // point; true when none does.
  bool MoveToAffineOptimum() {
    std::vector<Vector> shifted = gram_;
    const Number scale = gram_.front().front() + 1;
    for (Vector& row : shifted) {
      for (Number& entry : row) entry += scale;
    }
    Vector target = SolvePositive(std::move(shifted), Vector(active_.size(), 1));
    const Number sum = std::accumulate(target.begin(), target.end(), Number{0});
    Number length = 1;
    std::size_t first = active_.size();
    for (std::size_t i = 0; i < target.size(); ++i) {
      target[i] /= sum;
      if (target[i] > 0) continue;
      const Number until_zero = weights_[i] / (weights_[i] - target[i]);
      if (first < active_.size() && until_zero >= length) continue;
      length = until_zero;
      first = i;
    }
    for (std::size_t i = 0; i < target.size(); ++i) weights_[i] += length * (target[i] - weights_[i]);
    if (first == active_.size()) return true;
    Drop(first);
    return false;
  }

  std::vector<Vector> points_;
  std::vector<std::size_t> active_;
  Vector weights_;
  std::vector<Vector> gram_;
  Vector point_;
  Number gap_ = 0;
};

}  // namespace

FitProblem MakeFitProblem(std::uint64_t seed) {
  const RandomModel model = MakeRandomModel(seed, {});
  SeededRandomSource random(seed, "measurements");
  FitProblem problem{model.domain, {}};
  for (const Clique& clique : model.cliques) {
    Measurement measurement{clique, MarginalByBruteForce(model, clique), 1 + 4 * random.NextUnit()};
    for (double& value : measurement.values) value = problem.total * value + 20 * (random.NextUnit() - 0.5);
    problem.measurements.push_back(std::move(measurement));
  }
  return problem;
}

std::vector<FitProblem> SmallProblems(int count, std::uint64_t seed) {
  std::vector<FitProblem> problems;
  for (; std::ssize(problems) < count; ++seed) {
    FitProblem problem = MakeFitProblem(seed);
    if (problem.measurements.empty() || RecordCount(problem.domain) > kMostRecords) continue;
    problem.measurements = MergeMeasurements(problem.measurements);
    problems.push_back(std::move(problem));
  }
  return problems;
}

EstimationProblem ProblemOf(const FitProblem& problem, std::vector<StructuralZeros> zeros) {
  return {problem.domain, problem.measurements, std::move(zeros), problem.total, 1 << 20};
}

std::int64_t RecordCount(const Domain& domain) { return CellCount(domain, AllAttributes(domain)).value(); }

std::int64_t CellOfRecord(const Domain& domain, const Clique& clique, std::size_t record) {
  const std::vector<std::uint32_t> codes = DecodeRecord(domain, record);
  std::int64_t cell = 0;
  for (const AttributeIndex attribute : clique) cell = cell * domain[attribute].size + codes[attribute];
  return cell;
}

ExplicitFit FitExplicitly(const FitProblem& problem, const std::vector<std::size_t>& records) {
  CHECK(!records.empty());
  std::vector<Vector> points;
  for (const std::size_t record : records) points.push_back(PointOfRecord(problem, record));
  LeastNorm solver(std::move(points));
  solver.Run();
  ExplicitFit fit{static_cast<double>(solver.norm() / 2), static_cast<double>(solver.gap()),
                  std::vector<double>(RecordCount(problem.domain), 0)};
  for (std::size_t i = 0; i < solver.active().size(); ++i) {
    fit.probabilities[records[solver.active()[i]]] += static_cast<double>(solver.weights()[i]);
  }
  return fit;
}

ExplicitFit FitExplicitly(const FitProblem& problem) {
  std::vector<std::size_t> records(RecordCount(problem.domain));
  std::iota(records.begin(), records.end(), 0);
  return FitExplicitly(problem, records);
}

double LossOf(const FitProblem& problem, const std::vector<double>& probabilities) {
  double loss = 0;
  for (const Measurement& measurement : problem.measurements) {
    std::vector<double> residual = measurement.values;
    for (std::size_t record = 0; record < probabilities.size(); ++record) {
      residual[CellOfRecord(problem.domain, measurement.clique, record)] -= problem.total * probabilities[record];
    }
    for (const double difference : residual) loss += difference * difference / measurement.variance / 2;
  }
  return loss;
}

}  // namespace flaim
