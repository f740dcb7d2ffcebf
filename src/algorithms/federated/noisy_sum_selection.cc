#include "algorithms/federated/noisy_sum_selection.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "algorithms/expected_noise.h"
#include "base/status.h"
#include "model/inference/triangulation.h"

namespace flaim {
namespace {

// Larger pairs drown in noise at any budget that was tried, and watching them takes budget from the others.
constexpr std::int64_t kMaxWatchedCells = 4096;
constexpr double kDoubt = 2;
// Of the variance between groups that one-way marginals show, what is taken to remain in a pair whose one-ways fit.
constexpr double kHeterogeneityOfPairs = 0.5;

// A pair as all groups so far have measured it.
struct WatchedPair {
  WeightedQuery query;
  std::vector<double> sum;
  double rows = 0;
  double variance = 0;  // of each cell
  std::vector<const ReleasedMarginal*> parts;
  double sampling_variance = 0;
  bool is_taken = false;
};

std::vector<WatchedPair> PoolWatched(const FederatedState& state) {
  std::map<Clique, WatchedPair> pairs;
  for (const ReleasedMarginal& part : state.watched.released()) {
    WatchedPair& pair = pairs[part.measured.clique];
    pair.sum.resize(part.measured.values.size());
    for (std::size_t cell = 0; cell < pair.sum.size(); ++cell) pair.sum[cell] += part.measured.values[cell];
    pair.rows += state.released.RowsOf(part.group);
    pair.variance += part.measured.variance;
    pair.parts.push_back(&part);
  }
  std::vector<WatchedPair> watched;
  for (const WeightedQuery& query : state.candidates) {
    const auto found = pairs.find(query.clique);
    if (found == pairs.end()) continue;
    watched.push_back(std::move(found->second));
    watched.back().query = query;
  }
  return watched;
}

// What the groups that watched may differ by from all, as a variance of shares summed over the cells.
double SamplingVariance(const WatchedPair& pair, const FederatedRun& run,
                        const std::map<AttributeIndex, double>& between_groups) {
  const auto groups = static_cast<double>(pair.parts.size());
  const auto rounds = static_cast<double>(std::get<ChooseThenMeasure>(run.method.rounds).rounds);
  return kHeterogeneityOfPairs * BetweenGroupsOf(pair.query.clique, between_groups) *
         std::max(0.0, 1 / groups - 1 / rounds);
}

// The L1 error of the model on the pair, in records, as far as it is more than noise and chance.
double EstimatedError(const WatchedPair& pair, std::span<const double> shares) {
  double excess = 0;
  double squares = 0;
  double spread = 0;
  for (std::size_t cell = 0; cell < shares.size(); ++cell) {
    const double residual = pair.sum[cell] - pair.rows * shares[cell];
    excess += shares[cell] * (residual * residual - pair.variance);
    squares += shares[cell] * shares[cell];
    spread += std::sqrt(shares[cell]);
  }
  const double tau_squared = excess / squares - kDoubt * pair.variance * std::sqrt(2 / squares) -
                             pair.sampling_variance * pair.rows * pair.rows;
  if (tau_squared <= 0) return 0;
  return std::min(2 * pair.rows, std::sqrt(2 / std::numbers::pi * tau_squared) * spread);
}

// The noise per cell that is left when the groups still to come have measured the chosen marginals too, in records of
// the groups that watched.
double NoiseOfPairAtTheEnd(const WatchedPair& pair, std::size_t watched, const FederatedRun& run) {
  const auto& plan = std::get<ChooseThenMeasure>(run.method.rounds);
  const auto groups = static_cast<double>(pair.parts.size());
  const double groups_to_come = std::max(0.0, static_cast<double>(plan.rounds) - groups);
  const double watched_variance = pair.variance / groups;
  const double later_variance = watched_variance * plan.marginals / static_cast<double>(watched);
  return groups / std::sqrt(groups / watched_variance + groups_to_come / later_variance);
}

}  // namespace

std::vector<Clique> WatchedCandidates(const Domain& domain, const FederatedState& state) {
  std::vector<Clique> watched;
  for (const WeightedQuery& query : state.candidates) {
    if (query.clique.size() != 2) continue;
    const absl::StatusOr<std::int64_t> cells = CellCount(domain, query.clique);
    if (cells.ok() && *cells <= kMaxWatchedCells) watched.push_back(query.clique);
  }
  return watched;
}

absl::Status ChooseFromNoisySums(const FederatedRun& run, FederatedState& state) {
  if (state.watched.empty() || state.nothing_left_to_choose) return absl::OkStatus();
  state.nothing_left_to_choose = true;
  const int choices = std::get<ChooseThenMeasure>(run.method.rounds).marginals;
  std::vector<WatchedPair> pairs = PoolWatched(state);
  const std::map<AttributeIndex, double> between_groups = state.released.BetweenGroups();
  for (WatchedPair& pair : pairs) pair.sampling_variance = SamplingVariance(pair, run, between_groups);
  for (int choice = 0; choice < choices; ++choice) {
    MarginalQuery query = state.model->Query();
    const HypotheticalSize size(state.model->domain(), state.ModelCliques());
    WatchedPair* best = nullptr;
    double best_gain = 0;
    for (WatchedPair& pair : pairs) {
      if (pair.is_taken) continue;
      const double noise = ExpectedNoise(NoiseOfPairAtTheEnd(pair, pairs.size(), run), pair.sum.size());
      const double error = EstimatedError(pair, query.Answer(pair.query.clique));
      const double gain = static_cast<double>(pair.query.weight) * (error - run.method.noise_penalty * noise);
      if (gain <= best_gain) continue;
      if (size.CellsWith(pair.query.clique) > static_cast<double>(run.options.max_model_cells)) continue;
      best = &pair;
      best_gain = gain;
    }
    if (best == nullptr) break;
    best->is_taken = true;
    state.MarkChosen(best->query.clique);
    for (const ReleasedMarginal* part : best->parts) state.released.Add(*part);
    RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));
  }
  return absl::OkStatus();
}

}  // namespace flaim
