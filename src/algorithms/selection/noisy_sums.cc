#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "algorithms/loop/expected_noise.h"
#include "algorithms/selection/selector.h"
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

std::vector<WatchedPair> PoolWatched(std::span<const ReleasedMarginal> watched, const RunState& state) {
  std::map<Clique, WatchedPair> pairs;
  for (const ReleasedMarginal& part : watched) {
    WatchedPair& pair = pairs[part.measured.clique];
    pair.sum.resize(part.measured.values.size());
    for (std::size_t cell = 0; cell < pair.sum.size(); ++cell) pair.sum[cell] += part.measured.values[cell];
    pair.rows += state.released.RowsOf(part.group);
    pair.variance += part.measured.variance;
    pair.parts.push_back(&part);
  }
  std::vector<WatchedPair> pooled;
  for (const WeightedQuery& query : state.candidates) {
    const auto found = pairs.find(query.clique);
    if (found == pairs.end()) continue;
    pooled.push_back(std::move(found->second));
    pooled.back().query = query;
  }
  return pooled;
}

// What the groups that watched may differ by from all, as a variance of shares summed over the cells.
double SamplingVariance(const WatchedPair& pair, const MethodRun& run,
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
double NoiseOfPairAtTheEnd(const WatchedPair& pair, std::size_t watched, const MethodRun& run) {
  const auto& plan = std::get<ChooseThenMeasure>(run.method.rounds);
  const auto groups = static_cast<double>(pair.parts.size());
  const double groups_to_come = std::max(0.0, static_cast<double>(plan.rounds) - groups);
  const double watched_variance = pair.variance / groups;
  const double later_variance = watched_variance * plan.marginals / static_cast<double>(watched);
  return groups / std::sqrt(groups / watched_variance + groups_to_come / later_variance);
}

// The pair that gains most over its noise and fits the model; none if none gains anything.
WatchedPair* BestPair(std::vector<WatchedPair>& pairs, const MethodRun& run, const RunState& state) {
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
  return best;
}

// FLAIM-Once: the first groups measure *all* pairs of the workload, and whoever has the sums chooses
// from them. Choosing is post-processing, so it is free, and can fit the model anew after every choice. Needs nothing
// but secure sums, and sees the error of the sum, which clients that score by themselves cannot.
//
// For the residuals r of a pair, noise of variance sigma^2 and the model's shares m, assume r_c ~ N(0, tau^2 m_c): then
//
//   tau^2 = sum m_c (r_c^2 - sigma^2) / sum m_c^2   with standard deviation  sigma^2 sqrt(2 / sum m_c^2),
//
// and the expected L1 error is sqrt(2/pi) tau sum sqrt(m_c). What is within two standard deviations is taken for noise,
// and what few groups may differ by from all is subtracted. Weighing cells by m_c matters: most cells of a large pair
// are nearly empty and hold nothing but noise. docs/METHODS.md says what it gains.
class NoisySumsSelector final : public Selector {
 public:
  std::vector<Clique> ToWatch(const Domain& domain, const RunState& state) const override {
    std::vector<Clique> pairs;
    for (const WeightedQuery& query : state.candidates) {
      if (query.clique.size() != 2) continue;
      const absl::StatusOr<std::int64_t> cells = CellCount(domain, query.clique);
      if (cells.ok() && *cells <= kMaxWatchedCells) pairs.push_back(query.clique);
    }
    return pairs;
  }

  void Watch(const NoisyMarginals& noisy, const Rational& sigma_squared, const Group& group) override {
    for (ReleasedMarginal& released : ReleasedOf(noisy, sigma_squared.ToDouble(), group, Contributors::kEverybody)) {
      watched_.push_back(std::move(released));
    }
  }

  absl::StatusOr<Choices> Select(const RoundSpending&, const ReleaseName&, const Group&, const MethodRun&,
                                 RunState&) override {
    return Choices{};  // made at the end, from all that was watched
  }

  // Chooses pairs, one after the other, as long as one is worth its noise and the method wants more. What was measured
  // of them becomes part of what the model is fitted to.
  absl::Status Finish(const MethodRun& run, RunState& state) override {
    if (watched_.empty() || has_chosen_) return absl::OkStatus();
    has_chosen_ = true;
    std::vector<WatchedPair> pairs = PoolWatched(watched_, state);
    const std::map<AttributeIndex, double> between_groups = state.released.BetweenGroups();
    for (WatchedPair& pair : pairs) pair.sampling_variance = SamplingVariance(pair, run, between_groups);
    const int most = std::get<ChooseThenMeasure>(run.method.rounds).marginals;
    for (int choice = 0; choice < most; ++choice) {
      WatchedPair* best = BestPair(pairs, run, state);
      if (best == nullptr) break;
      best->is_taken = true;
      state.MarkChosen(best->query.clique);
      for (const ReleasedMarginal* part : best->parts) state.Add(*part);
      RETURN_IF_ERROR(state.Refit(run, run.options.round_fit));
    }
    return absl::OkStatus();
  }

 private:
  std::vector<ReleasedMarginal> watched_;
  bool has_chosen_ = false;
};

}  // namespace

std::unique_ptr<Selector> SelectFromNoisySums() { return std::make_unique<NoisySumsSelector>(); }

}  // namespace flaim
