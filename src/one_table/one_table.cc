#include "one_table/one_table.h"

#include <algorithm>
#include <utility>

#include "base/status.h"
#include "marginal/score.h"
#include "privacy/release/release.h"

namespace flaim {
namespace {

absl::Status NoClients(const char* operation) {
  return absl::PermissionDeniedError(fmt::format("one table has no clients for {}", operation));
}

}  // namespace

absl::StatusOr<std::unique_ptr<OneTable>> OneTable::Create(std::shared_ptr<PrivateRows> rows,
                                                           std::vector<WeightedQuery> queries,
                                                           std::int64_t max_kept_cells, Ledger& ledger,
                                                           NoiseSource& noise, Parallel& parallel) {
  std::vector<Clique> cliques;
  std::map<Clique, std::size_t> position_of;
  for (WeightedQuery& query : queries) {
    if (!position_of.emplace(query.clique, cliques.size()).second) continue;
    cliques.push_back(std::move(query.clique));
  }
  ASSIGN_OR_RETURN(CountedTable counts, CountedTable::Create(rows, std::move(cliques), max_kept_cells, parallel));
  return std::unique_ptr<OneTable>(
      new OneTable(std::move(rows), std::move(counts), std::move(position_of), ledger, noise, parallel));
}

OneTable::OneTable(std::shared_ptr<PrivateRows> rows, CountedTable counts, std::map<Clique, std::size_t> position_of,
                   Ledger& ledger, NoiseSource& noise, Parallel& parallel)
    : rows_(std::move(rows)),
      counts_(std::move(counts)),
      position_of_(std::move(position_of)),
      ledger_(ledger),
      noise_(noise),
      parallel_(parallel) {}

absl::StatusOr<std::span<const std::int64_t>> OneTable::Counts(const Clique& clique) {
  if (const auto kept = position_of_.find(clique); kept != position_of_.end()) return counts_.Counts(kept->second);
  ASSIGN_OR_RETURN(scratch_, rows_->CountOne(clique));
  return scratch_;
}

absl::StatusOr<Group> OneTable::Gather(const GroupRequest&) {
  ++round_;
  return Group{round_, 1, round_ == 1 ? 1 : 0};
}

absl::StatusOr<NoisyMarginals> OneTable::SumCounts(const CountsRequest& request) {
  if (request.contributors != Contributors::kEverybody) return NoClients("choices of their own");
  std::vector<std::int64_t> stacked;
  for (const Clique& clique : request.cliques) {
    RETURN_IF_ERROR(parallel_.StopIfAsked());
    ASSIGN_OR_RETURN(const std::span<const std::int64_t> counts, Counts(clique));
    stacked.insert(stacked.end(), counts.begin(), counts.end());
  }
  // Paid as late as can be: what a crash loses between a debit and its value stays spent.
  ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, ledger_.Debit(request.name, MechanismOf(request)));
  ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseGaussian(std::move(spend), stacked, *noise_.For(request.name)));
  return MarginalsOf(domain(), request.cliques, noisy);
}

absl::StatusOr<SumChoice> OneTable::ChooseBySum(const SumSelection& request) {
  ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));
  std::vector<std::int64_t> scores;
  for (std::size_t i = 0; i < request.candidates.size(); ++i) {
    RETURN_IF_ERROR(parallel_.StopIfAsked());
    const auto& [clique, weight] = request.candidates[i];
    ASSIGN_OR_RETURN(const std::span<const std::int64_t> counts, Counts(clique));
    ASSIGN_OR_RETURN(const ScaledDistance error, Distance({counts, request.expected(i)}));
    ASSIGN_OR_RETURN(const std::int64_t score, Score({weight, request.penalty_records[i]}, error));
    scores.push_back(score);
  }
  if (request.may_choose_none) scores.push_back(0);
  ASSIGN_OR_RETURN(Spend<ExponentialMechanism> spend, ledger_.Debit(request.name, mechanism));
  ASSIGN_OR_RETURN(const NoisyChoice choice, ReleaseExponential(std::move(spend), scores, *noise_.For(request.name)));
  if (choice.index == request.candidates.size()) return SumChoice{std::nullopt, choice.provenance};
  return SumChoice{choice.index, choice.provenance};
}

absl::StatusOr<NoisyCounts> OneTable::SumScores(const ScoresRequest&) { return NoClients("sums of their scores"); }
absl::StatusOr<LocalChoices> OneTable::ChooseLocally(const LocalSelection&) {
  return NoClients("choices of their own");
}
absl::StatusOr<LocalChoices> OneTable::ChooseAtRandom(const RandomSelection&) {
  return NoClients("choices of their own");
}

}  // namespace flaim
