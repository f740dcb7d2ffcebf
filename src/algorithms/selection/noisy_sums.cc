#include <map>

#include "algorithms/loop/expected_noise.h"
#include "algorithms/selection/selector.h"
#include "algorithms/selection/watched_pair.h"
#include "base/status.h"
#include "model/inference/triangulation.h"

namespace flaim {
namespace {

// Larger pairs drown in noise at any budget that was tried, and watching them takes budget from the others.
constexpr std::int64_t kMaxWatchedCells = 4096;

const ChooseThenMeasure& PlanOf(const MethodRun& run) { return std::get<ChooseThenMeasure>(run.method.rounds); }

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

// The pair that gains most over its noise and fits the model; none if none gains anything.
absl::StatusOr<WatchedPair*> BestPair(std::vector<WatchedPair>& pairs, const MethodRun& run, const RunState& state) {
  MarginalQuery query = state.model->Query();
  const HypotheticalSize size(state.model->domain(), state.ModelCliques());
  WatchedPair* best = nullptr;
  double best_gain = 0;
  for (WatchedPair& pair : pairs) {
    RETURN_IF_ERROR(run.parallel.StopIfAsked());
    if (pair.is_taken) continue;
    const double noise = ExpectedNoise(NoiseOfPairAtTheEnd(pair, pairs.size(), PlanOf(run)), pair.sum.size());
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
// How the error is told from noise: watched_pair.h. docs/METHODS.md says what it gains.
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

  void Watch(const NoisyMarginals& noisy, const Group& group) override {
    for (ReleasedMarginal& released : ReleasedOf(noisy, group, Contributors::kEverybody)) {
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
    for (WatchedPair& pair : pairs) pair.sampling_variance = SamplingVariance(pair, PlanOf(run), between_groups);
    const int most = PlanOf(run).marginals;
    for (int choice = 0; choice < most; ++choice) {
      ASSIGN_OR_RETURN(WatchedPair* const best, BestPair(pairs, run, state));
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
