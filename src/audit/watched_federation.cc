#include "audit/watched_federation.h"

#include <algorithm>

#include "audit/log_ratio.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "federation/client_answer.h"
#include "marginal/score.h"

namespace flaim {
namespace {

using Counts = std::vector<std::int64_t>;

absl::Status NotAudited(const char* what) {
  return absl::UnimplementedError(fmt::format("the audit does not know how likely {} are", what));
}

absl::StatusOr<Counts> StackedCounts(PrivateRows& rows, const std::vector<Clique>& cliques) {
  Counts stacked;
  for (const Clique& clique : cliques) {
    ASSIGN_OR_RETURN(const Counts counts, rows.CountOne(clique));
    stacked.insert(stacked.end(), counts.begin(), counts.end());
  }
  return stacked;
}

absl::StatusOr<Counts> ScoresOf(PrivateRows& rows, const SumSelection& request) {
  Counts scores;
  for (std::size_t i = 0; i < request.candidates.size(); ++i) {
    const auto& [clique, weight] = request.candidates[i];
    ASSIGN_OR_RETURN(const Counts counts, rows.CountOne(clique));
    ASSIGN_OR_RETURN(const ScaledDistance error, Distance({counts, request.expected(i)}));
    ASSIGN_OR_RETURN(scores.emplace_back(), Score({weight, request.penalty_records[i]}, error));
  }
  if (request.may_choose_none) scores.push_back(0);
  return scores;
}

absl::StatusOr<Counts> ScoresOf(PrivateRows& rows, const LocalSelection& request, const ModelShares& shares) {
  ASSIGN_OR_RETURN(const std::vector<ScaledDistance> heterogeneity, HeterogeneityOf(rows, request, shares));
  Counts scores;
  for (std::size_t i = 0; i < request.candidates.size(); ++i) {
    const auto& [clique, weight] = request.candidates[i];
    ASSIGN_OR_RETURN(const ShareDistance distance, rows.Distance(clique, shares.of_candidates[i]));
    ASSIGN_OR_RETURN(scores.emplace_back(),
                     AugmentedScore({weight, request.penalty_records[i]}, distance.Scaled(), heterogeneity[i]));
  }
  return scores;
}

// What colluders have added, in the plan's units.
Counts ToldNoise(const ReleaseName& name, const Shares& shares, const secagg::NoisePlan& plan, std::size_t cells) {
  Counts told(cells);
  for (const ClientIndex client : shares.told) {
    SeededRandomSource noise(shares.seed, SeedLabel(name, client));
    Counts share(cells);
    plan.AddShare(noise, share);
    for (std::size_t i = 0; i < cells; ++i) told[i] += share[i];
  }
  return told;
}

}  // namespace

WatchedFederation::WatchedFederation(Federation& inner, const Canary& canary, NoiseKnowledge knowledge,
                                     RunTranscript& transcript, std::optional<Death> death)
    : inner_(inner),
      with_(canary.with),
      without_(canary.without),
      knowledge_(std::move(knowledge)),
      transcript_(transcript),
      death_(death) {}

absl::Status WatchedFederation::Note(const ReleaseName& name, const Counts& answer, double price, double log_ratio,
                                     double& evidence) {
  const bool dies = death_ && transcript_.answers() + 1 == death_->answer;
  if (dies && death_->moment != Moment::kSeen) {
    // What was drawn is owed, also if nobody has seen it; what is on record will be seen yet.
    if (death_->moment == Moment::kDrawn) transcript_.evidence.price += price;
    return absl::CancelledError("killed");
  }
  if (transcript_.IsNews(name, answer)) {
    evidence += log_ratio;
    transcript_.evidence.price += price;
  }
  return dies ? absl::CancelledError("killed") : absl::OkStatus();
}

absl::StatusOr<Group> WatchedFederation::Gather(const GroupRequest& request) {
  ASSIGN_OR_RETURN(const Group group, inner_.Gather(request));
  if (group.members != 0 && group.members != clients()) return NotAudited("groups that not everybody is in");
  return group;
}

absl::StatusOr<double> WatchedFederation::LogRatioOfSum(const CountsRequest& request, const Counts& released,
                                                        const Counts& with, const Counts& without) {
  const auto* shares = std::get_if<Shares>(&knowledge_);
  if (shares == nullptr) return LogRatioOfCounts(released, with, without, request.sigma_squared);
  const auto contributors = static_cast<int>(clients());
  ASSIGN_OR_RETURN(const Rational sigma_squared, secagg::WithPriceOfSplitting(request.sigma_squared));
  ASSIGN_OR_RETURN(const secagg::NoisePlan plan,
                   secagg::NoisePlan::Make(sigma_squared, shares->bounds.Of(contributors)));
  const HiddenNoise hidden(plan, contributors - static_cast<int>(shares->told.size()));
  const Counts told = ToldNoise(request.name, *shares, plan, released.size());
  double log_ratio = 0;
  for (std::size_t i = 0; i < released.size(); ++i) {
    if (with[i] == without[i]) continue;
    log_ratio +=
        hidden.LogProbability(released[i], with[i], told[i]) - hidden.LogProbability(released[i], without[i], told[i]);
  }
  return log_ratio;
}

absl::StatusOr<NoisyMarginals> WatchedFederation::SumCounts(const CountsRequest& request) {
  if (request.contributors == Contributors::kChoosers && clients() > 1) return NotAudited("sums of what some chose");
  ASSIGN_OR_RETURN(NoisyMarginals answer, inner_.SumCounts(request));
  Counts released;
  for (const NoisyMarginal& marginal : answer.marginals) {
    released.insert(released.end(), marginal.counts.begin(), marginal.counts.end());
  }
  ASSIGN_OR_RETURN(const Counts with, StackedCounts(with_, request.cliques));
  ASSIGN_OR_RETURN(const Counts without, StackedCounts(without_, request.cliques));
  ASSIGN_OR_RETURN(const double log_ratio, LogRatioOfSum(request, released, with, without));
  RETURN_IF_ERROR(Note(request.name, released, PriceOfCounts(with, without, request.sigma_squared), log_ratio,
                       transcript_.evidence.of_counts));
  return answer;
}

absl::Status WatchedFederation::NoteChoice(const ReleaseName& name, std::size_t chosen, const Counts& with,
                                           const Counts& without, const ExponentialMechanism& mechanism) {
  return Note(name, {static_cast<std::int64_t>(chosen)}, PriceOfChoice(with, without, mechanism),
              LogRatioOfChoice(chosen, with, without, mechanism), transcript_.evidence.of_choices);
}

absl::StatusOr<SumChoice> WatchedFederation::ChooseBySum(const SumSelection& request) {
  ASSIGN_OR_RETURN(SumChoice answer, inner_.ChooseBySum(request));
  ASSIGN_OR_RETURN(const Counts with, ScoresOf(with_, request));
  ASSIGN_OR_RETURN(const Counts without, ScoresOf(without_, request));
  ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));
  const std::size_t chosen = answer.candidate.value_or(request.candidates.size());
  RETURN_IF_ERROR(NoteChoice(request.name, chosen, with, without, mechanism));
  return answer;
}

absl::StatusOr<LocalChoices> WatchedFederation::ChooseLocally(const LocalSelection& request) {
  if (clients() > 1 || request.steps != 1) return NotAudited("tallies of several choices");
  ASSIGN_OR_RETURN(LocalChoices answer, inner_.ChooseLocally(request));
  Parallel alone(1);
  ASSIGN_OR_RETURN(const ModelShares shares, SharesFor(request, alone));
  ASSIGN_OR_RETURN(const Counts with, ScoresOf(with_, request, shares));
  ASSIGN_OR_RETURN(const Counts without, ScoresOf(without_, request, shares));
  ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));
  const auto chosen = std::find(answer.choosers.begin(), answer.choosers.end(), 1) - answer.choosers.begin();
  RETURN_IF_ERROR(NoteChoice(request.name, static_cast<std::size_t>(chosen), with, without, mechanism));
  return answer;
}

absl::StatusOr<NoisyCounts> WatchedFederation::SumScores(const ScoresRequest&) { return NotAudited("sums of scores"); }

// Nothing of the rows is in it.
absl::StatusOr<LocalChoices> WatchedFederation::ChooseAtRandom(const RandomSelection& request) {
  return inner_.ChooseAtRandom(request);
}

}  // namespace flaim
