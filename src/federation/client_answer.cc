#include "federation/client_answer.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/parallel.h"
#include "base/status.h"
#include "federation/model_view.h"
#include "marginal/score.h"
#include "privacy/release/release.h"

namespace flaim {
namespace {

absl::StatusOr<std::vector<ShareDistance>> OneWayDistances(PrivateRows& rows, std::span<const PublicShares> shares) {
  std::vector<ShareDistance> distances;
  for (AttributeIndex attribute = 0; attribute < rows.domain().size(); ++attribute) {
    ASSIGN_OR_RETURN(const ShareDistance distance,
                     rows.Distance(Clique({attribute}), shares[static_cast<std::size_t>(attribute)]));
    distances.push_back(distance);
  }
  return distances;
}

ScaledDistance ProxyFor(const Clique& clique, std::span<const ShareDistance> one_ways) {
  std::vector<ShareDistance> distances;
  for (const AttributeIndex attribute : clique) distances.push_back(one_ways[static_cast<std::size_t>(attribute)]);
  return MeanDistance(distances);
}

// Against these shares of the candidates, which after a local step are of the client's own model.
absl::StatusOr<std::vector<std::int64_t>> LocalScores(PrivateRows& rows, const LocalSelection& request,
                                                      std::span<const PublicShares> shares,
                                                      std::span<const ScaledDistance> heterogeneity) {
  std::vector<std::int64_t> scores;
  scores.reserve(request.candidates.size());
  for (std::size_t i = 0; i < request.candidates.size(); ++i) {
    const auto& [clique, weight] = request.candidates[i];
    ASSIGN_OR_RETURN(const ShareDistance distance, rows.Distance(clique, shares[i]));
    ASSIGN_OR_RETURN(const std::int64_t score,
                     AugmentedScore({weight, request.penalty_records[i]}, distance.Scaled(), heterogeneity[i]));
    scores.push_back(score);
  }
  return scores;
}

// The client's own model after one local step: what everybody has measured, and its own noisy marginal, scaled to
// everybody's number of records by its noisy sum.
absl::StatusOr<Model> RefitLocally(PrivateRows& rows, const Clique& clique, LocalRefit& refit,
                                   Spend<GaussianMechanism> spend, RandomSource& noise) {
  ASSIGN_OR_RETURN(const std::vector<std::int64_t> counts, rows.CountOne(clique));
  ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(spend), counts, noise));
  const double sum = std::accumulate(noisy.values.begin(), noisy.values.end(), 0.0);
  const double scale = refit.known.total / std::max(sum, 1.0);
  Measurement measurement{
      clique, {noisy.values.begin(), noisy.values.end()}, scale * scale * refit.sigma_squared.ToDouble()};
  for (double& value : measurement.values) value *= scale;
  refit.known.measurements.push_back(std::move(measurement));
  Parallel alone(1);
  ASSIGN_OR_RETURN(Estimate estimate, EstimateFromWhatFits(refit.known, nullptr, refit.fit, alone));
  return std::move(estimate.model);
}

}  // namespace

std::string SeedLabel(const ReleaseName& name, ClientIndex client) {
  return fmt::format("{}, client {}", name.ToString(), client);
}

absl::StatusOr<ModelShares> SharesFor(const ScoresRequest& request, Parallel& parallel) {
  ModelShares shares;
  ASSIGN_OR_RETURN(shares.of_candidates, request.model.SharesOf(request.candidates, parallel));
  return shares;
}

absl::StatusOr<ModelShares> SharesFor(const LocalSelection& request, Parallel& parallel) {
  ModelShares shares;
  ASSIGN_OR_RETURN(shares.of_candidates, request.model.SharesOf(request.candidates, parallel));
  if (request.heterogeneity != Heterogeneity::kProxy) return shares;
  ASSIGN_OR_RETURN(shares.of_attributes, request.model.OneWayShares(parallel));
  return shares;
}

absl::StatusOr<std::vector<std::int64_t>> SummedScores(PrivateRows& rows, const ScoresRequest& request,
                                                       const ModelShares& shares) {
  std::vector<std::int64_t> scores;
  scores.reserve(request.candidates.size());
  for (std::size_t i = 0; i < request.candidates.size(); ++i) {
    ASSIGN_OR_RETURN(const ShareDistance distance, rows.Distance(request.candidates[i], shares.of_candidates[i]));
    scores.push_back(ToSummedScore(distance));
  }
  return scores;
}

absl::StatusOr<std::vector<ScaledDistance>> HeterogeneityOf(PrivateRows& rows, const LocalSelection& request,
                                                            const ModelShares& shares) {
  std::vector<ScaledDistance> heterogeneity(request.candidates.size());
  if (request.heterogeneity == Heterogeneity::kIgnored) return heterogeneity;
  ASSIGN_OR_RETURN(const std::vector<ShareDistance> one_ways, OneWayDistances(rows, shares.of_attributes));
  for (std::size_t i = 0; i < request.candidates.size(); ++i) {
    const Clique& clique = request.candidates[i].clique;
    if (clique.size() > kMaxScoredAttributes) {
      return InvalidArgument("a marginal over {} attributes is too wide to be compared by its one-ways: {} is the most",
                             clique.size(), kMaxScoredAttributes);
    }
    heterogeneity[i] = ProxyFor(clique, one_ways);
  }
  return heterogeneity;
}

absl::StatusOr<LocalChoice> ChooseForClient(PrivateRows& rows, const LocalSelection& request, const ModelShares& shares,
                                            std::span<const ScaledDistance> heterogeneity, LocalPayments payments,
                                            RandomSource& noise) {
  CHECK(std::ssize(payments.selections) == request.steps);
  CHECK(heterogeneity.size() == request.candidates.size());
  CHECK(!request.refit || std::ssize(payments.measurements) == request.steps - 1);
  std::optional<LocalRefit> refit = request.refit;
  std::vector<std::size_t> left(request.candidates.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  ASSIGN_OR_RETURN(std::vector<std::int64_t> scores, LocalScores(rows, request, shares.of_candidates, heterogeneity));

  LocalChoice chosen;
  for (int step = 0; step < request.steps; ++step) {
    std::vector<std::int64_t> scores_left;
    for (const std::size_t candidate : left) scores_left.push_back(scores[candidate]);
    ASSIGN_OR_RETURN(
        const NoisyChoice choice,
        ReleaseExponential(std::move(payments.selections[static_cast<std::size_t>(step)]), scores_left, noise));
    const std::size_t candidate = left[choice.index];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(choice.index));
    chosen.candidates.push_back(candidate);
    chosen.provenance = choice.provenance;
    if (!refit || step + 1 == request.steps) continue;

    ASSIGN_OR_RETURN(const Model own_model,
                     RefitLocally(rows, request.candidates[candidate].clique, *refit,
                                  std::move(payments.measurements[static_cast<std::size_t>(step)]), noise));
    Parallel alone(1);
    ASSIGN_OR_RETURN(const std::vector<PublicShares> own_shares,
                     ModelView(own_model).SharesOf(request.candidates, alone));
    ASSIGN_OR_RETURN(scores, LocalScores(rows, request, own_shares, heterogeneity));
  }
  return chosen;
}

std::vector<std::size_t> ChooseAtRandomForClient(const RandomSelection& request, RandomSource& random) {
  std::vector<std::size_t> left(request.candidates.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::vector<std::size_t> chosen;
  for (int step = 0; step < request.steps && !left.empty(); ++step) {
    const std::size_t position = random.NextBelow(left.size());
    chosen.push_back(left[position]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(position));
  }
  return chosen;
}

}  // namespace flaim
