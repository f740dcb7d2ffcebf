#include "algorithms/loop/error_bounds.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/check.h"
#include "base/status.h"
#include "marginal/score.h"
#include "model/inference/conditional_table.h"

namespace flaim {
namespace {

double Distance(std::span<const double> shares, double total, std::span<const double> counts) {
  double distance = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) distance += std::abs(total * shares[i] - counts[i]);
  return distance;
}

// |noise|_1 over n cells stays below this with probability 1 - exp(-excess): the largest of the 2^n signed sums, each
// sub-Gaussian with variance n sigma^2.
double NoiseNorm(double cells, double variance, double excess) {
  return std::sqrt(2 * cells * variance * (cells * std::numbers::ln2 + excess));
}

// The share of the risk that is taken with the noise of the j-th measurement of a superset. The shares add up to 1
// however many there are; so it does not matter that which were made, and how many, depended on earlier noise.
double NoiseShare(double j) { return 6 / std::pow(std::numbers::pi * j, 2); }

// The least bound that any measurement of a superset gives.
std::optional<double> BoundFromMeasurements(const Model& model, const Clique& clique, std::span<const double> shares,
                                            std::span<const Measurement> measurements, double risk) {
  std::optional<double> least;
  double covering = 0;
  for (const Measurement& measurement : measurements) {
    if (!clique.IsSubsetOf(measurement.clique)) continue;
    ++covering;
    const OrderedTable noisy =
        SumTo(model.domain(), {measurement.clique.attributes(), measurement.values}, clique.attributes());
    const auto cells = static_cast<double>(shares.size());
    const double variance = measurement.variance * static_cast<double>(measurement.values.size()) / cells;
    const double excess = -std::log(risk * NoiseShare(covering));
    const double bound = Distance(shares, model.total(), noisy.values) + NoiseNorm(cells, variance, excess);
    if (!least.has_value() || bound < *least) least = bound;
  }
  return least;
}

// What rounding to units of 1/kScoreScale can do to the score of a marginal, in records.
double ScoreRounding(double cells) { return (cells + 1) / (2.0 * kScoreScale); }

}  // namespace

absl::StatusOr<std::vector<ErrorBound>> BoundErrors(std::span<const WeightedQuery> candidates, const Model& model,
                                                    std::span<const Measurement> measurements, const LastRound& last,
                                                    double confidence, Parallel& parallel) {
  CHECK(confidence > 0 && confidence < 1);
  MarginalQuery query = model.Query();
  MarginalQuery query_before = last.before->Query();
  const double risk = 1 - confidence;

  // Two statements about the last round: how far the selected candidate was from the model, and how much worse than it
  // any other can be. A candidate without a measurement takes the risk of its first one with the first statement.
  const double noise_excess = -std::log(risk * NoiseShare(1));
  const double selection_excess = -std::log(risk * (1 - NoiseShare(1)));
  const WeightedQuery& selected = candidates[last.selected];
  const auto selected_cells = static_cast<double>(last.noisy.size());
  const double selected_error = Distance(query_before.Answer(selected.clique), last.before->total(), last.noisy) +
                                last.sigma * std::sqrt(2 * selected_cells * noise_excess) +
                                ScoreRounding(selected_cells);
  const double best_score =
      static_cast<double>(selected.weight) * (selected_error - last.penalty_records_per_cell * selected_cells) +
      last.score_noise_records * (std::log(static_cast<double>(last.affordable.size())) + selection_excess);

  std::vector<ErrorBound> bounds;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    RETURN_IF_ERROR(parallel.StopIfAsked());
    const Clique& clique = candidates[i].clique;
    const std::vector<double> shares = query.Answer(clique);
    const auto cells = static_cast<double>(shares.size());
    if (const std::optional<double> bound = BoundFromMeasurements(model, clique, shares, measurements, risk)) {
      bounds.push_back({clique, true, *bound});
    } else if (std::binary_search(last.affordable.begin(), last.affordable.end(), i)) {
      std::vector<double> before = query_before.Answer(clique);
      for (double& share : before) share *= last.before->total();
      const double error_before = best_score / static_cast<double>(candidates[i].weight) +
                                  last.penalty_records_per_cell * cells + ScoreRounding(cells);
      bounds.push_back({clique, false, std::max(0.0, error_before) + Distance(shares, model.total(), before)});
    }
  }
  return bounds;
}

}  // namespace flaim
