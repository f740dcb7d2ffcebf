#include "simulation/simulated_federation.h"

#include <algorithm>

#include "base/check.h"
#include "base/seeded_random_source.h"
#include "base/status.h"
#include "federation/client_answer.h"
#include "fmt/format.h"
#include "marginal/kernels/count.h"
#include "marginal/score.h"
#include "privacy/release/sum_permit.h"
#include "secagg/noise/noise_plan.h"

namespace flaim {
namespace {

// The first error of the lot, in their order, so that it does not depend on the threads.
absl::Status FirstError(std::span<const absl::Status> statuses) {
  for (const absl::Status& status : statuses) {
    RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

std::int64_t CellsOf(const Domain& domain, std::span<const Clique> cliques) {
  std::int64_t cells = 0;
  for (const Clique& clique : cliques) cells += CellCount(domain, clique).value_or(0);
  return cells;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SimulatedFederation>> SimulatedFederation::Create(
    const Table& table, std::span<const ClientIndex> client_of_row, std::size_t clients,
    const SimulationOptions& options, Parallel& parallel) {
  ASSIGN_OR_RETURN(GroupBook book, GroupBook::Create(options.availability, clients,
                                                     {.participation_cap = options.participation_cap,
                                                      .least_members = options.least_members}));
  return std::unique_ptr<SimulatedFederation>(
      new SimulatedFederation(table, table.SplitBy(client_of_row, clients), std::move(book), options, parallel));
}

SimulatedFederation::SimulatedFederation(const Table& table, std::vector<Table> rows, GroupBook book,
                                         const SimulationOptions& options, Parallel& parallel)
    : options_(options),
      parallel_(parallel),
      union_(table),
      rows_(std::move(rows)),
      book_(std::move(book)),
      accounts_(rows_.size(), options.allowance),
      traffic_(rows_.size()),
      members_rows_(table.Slice(0, 0)) {}

absl::Status SimulatedFederation::CheckAllowed(bool allowed, const char* operation) const {
  if (!allowed) return absl::PermissionDeniedError(fmt::format("the trust model of this study has no {}", operation));
  if (members_.empty()) return FailedPrecondition("nobody is in the group that is asked for {}", operation);
  return absl::OkStatus();
}

std::string SimulatedFederation::Label(const ReleaseName& name) const { return name.ToString(); }

// Shares of noise can be added to the sum of the counts, because both are sums of the same members.
absl::StatusOr<NoisyCounts> SimulatedFederation::ReleaseSum(Spend<GaussianMechanism> spend, const ReleaseName& name,
                                                            std::vector<std::int64_t> sum) {
  const auto* split = std::get_if<SplitNoise>(&options_.noise);
  if (split == nullptr) {
    SeededRandomSource noise(options_.seed, Label(name));
    ASSIGN_OR_RETURN(NoisyCounts noisy, ReleaseGaussian(std::move(spend), sum, noise));
    noisy.contributors = std::ssize(members_);
    return noisy;
  }
  ASSIGN_OR_RETURN(const Rational sigma_squared, secagg::WithPriceOfSplitting(spend.mechanism().sigma_squared));
  ASSIGN_OR_RETURN(const secagg::NoisePlan plan,
                   secagg::NoisePlan::Make(sigma_squared, split->bounds.Of(static_cast<int>(members_.size()))));
  for (std::int64_t& value : sum) value *= plan.resolution();
  std::string provenance;
  for (const ClientIndex member : members_) {
    SeededRandomSource noise(options_.seed, SeedLabel(name, member));
    std::vector<std::int64_t> share(sum.size());
    plan.AddShare(noise, share);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share[i];
    provenance = noise.Provenance();
  }
  RETURN_IF_ERROR(ReleaseIntoSum(std::move(spend), {}, provenance).status());
  for (std::int64_t& value : sum) value = plan.ToCount(value);
  return NoisyCounts{.values = std::move(sum),
                     .provenance = std::move(provenance),
                     .variance = plan.VarianceOfCounts(static_cast<int>(members_.size())),
                     .contributors = std::ssize(members_)};
}

Table SimulatedFederation::RowsOf(std::span<const ClientIndex> clients) const {
  std::vector<Table> parts;
  parts.reserve(clients.size());
  for (const ClientIndex client : clients) parts.push_back(rows_[client]);
  return Table::Concatenate(domain(), parts);
}

absl::StatusOr<Group> SimulatedFederation::Gather(const GroupRequest& request) {
  if (request.membership != Membership::kPresent && !options_.trust.compute_parties) {
    return absl::PermissionDeniedError("the trust model of this study has no compute parties that keep a pool");
  }
  SeededRandomSource random(options_.seed, book_.NextDrawLabel());
  ASSIGN_OR_RETURN(const std::vector<ClientIndex> drawn, book_.Draw(request, random));
  ASSIGN_OR_RETURN(const Group group, book_.Enter(drawn));  // whoever is available comes
  if (book_.is_pool()) {
    traffic_.Exchange(book_.newcomers(), WireSizes::kSharedCell * request.upload_cells + 2 * WireSizes::kSeed, 0);
  }
  choosers_.clear();
  has_shared_ = false;
  members_ = book_.members();
  members_rows_ = RowsOf(members_);
  return group;
}

Table SimulatedFederation::ContributedRows(const CountsRequest& request, const Clique& clique) const {
  if (request.contributors == Contributors::kEverybody) return members_rows_;
  const auto choosers = choosers_.find(clique);
  if (choosers == choosers_.end()) return members_rows_.Slice(0, 0);
  return RowsOf(std::vector<ClientIndex>(choosers->second.begin(), choosers->second.end()));
}

absl::Status SimulatedFederation::CheckContributions(const CountsRequest& request) const {
  if (request.contributors == Contributors::kEverybody) return absl::OkStatus();
  std::map<ClientIndex, int> contributions;
  for (const Clique& clique : request.cliques) {
    const auto choosers = choosers_.find(clique);
    if (choosers == choosers_.end()) continue;
    for (const ClientIndex client : choosers->second) {
      if (++contributions[client] <= request.choices_per_client) continue;
      return FailedPrecondition("a client would add to more marginals than the {} that it is asked to pay for",
                                request.choices_per_client);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<NoisyMarginals> SimulatedFederation::SumCounts(const CountsRequest& request) {
  RETURN_IF_ERROR(CheckAllowed(options_.trust.sums, "sums of counts"));
  RETURN_IF_ERROR(CheckContributions(request));
  const std::int64_t cells = CellsOf(domain(), request.cliques);
  std::vector<std::int64_t> stacked(static_cast<std::size_t>(cells));
  std::span<std::int64_t> rest = stacked;
  for (const Clique& clique : request.cliques) {
    RETURN_IF_ERROR(parallel_.StopIfAsked());
    const Table rows = ContributedRows(request, clique);
    const auto size = static_cast<std::size_t>(CellCount(domain(), clique).value());
    CountClique(rows, clique, rest.first(size));
    rest = rest.subspan(size);
    if (options_.oracle != nullptr) {
      options_.oracle->Note(book_.round(), clique, request.contributors, static_cast<std::int64_t>(rows.rows()));
    }
  }
  ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, accounts_.Debit(members_, request.name, MechanismOf(request)));
  ASSIGN_OR_RETURN(const NoisyCounts noisy, ReleaseSum(std::move(spend), request.name, std::move(stacked)));
  if (!book_.is_pool()) {  // a pool's clients have uploaded, and are not asked again
    traffic_.Exchange(members_, WireSizes::kSummedEntry * cells, WireSizes::kQuery * std::ssize(request.cliques));
  }
  return MarginalsOf(domain(), request.cliques, noisy);
}

absl::StatusOr<NoisyCounts> SimulatedFederation::SumScores(const ScoresRequest& request) {
  RETURN_IF_ERROR(CheckAllowed(options_.trust.sums, "sums of scores"));
  std::vector<std::vector<std::int64_t>> sum_of_thread(static_cast<std::size_t>(parallel_.threads()),
                                                       std::vector<std::int64_t>(request.candidates.size()));
  std::vector<ShareDistanceMeter> meters(sum_of_thread.size());
  ASSIGN_OR_RETURN(const ModelShares shares, SharesFor(request, parallel_));
  RETURN_IF_ERROR(parallel_.ForUnlessStopped(members_.size(), [&](std::size_t member, int thread) {
    const auto own = static_cast<std::size_t>(thread);
    TableRows rows(rows_[members_[member]], meters[own]);
    const std::vector<std::int64_t> scores = SummedScores(rows, request, shares).value();
    for (std::size_t i = 0; i < scores.size(); ++i) sum_of_thread[own][i] += scores[i];
  }));
  std::vector<std::int64_t> sum(request.candidates.size());
  for (const std::vector<std::int64_t>& part : sum_of_thread) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
  ASSIGN_OR_RETURN(Spend<GaussianMechanism> spend, accounts_.Debit(members_, request.name, MechanismOf(request)));
  traffic_.Exchange(members_, WireSizes::kSummedEntry * std::ssize(request.candidates),
                    WireSizes::kModelCell * request.model.cells() + WireSizes::kQuery * std::ssize(request.candidates));
  return ReleaseSum(std::move(spend), request.name, std::move(sum));
}

absl::StatusOr<SumChoice> SimulatedFederation::ChooseBySum(const SumSelection& request) {
  RETURN_IF_ERROR(CheckAllowed(options_.trust.compute_parties, "choices by the score of a sum"));
  ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(request));
  std::vector<std::int64_t> scores(request.candidates.size());
  std::vector<absl::Status> statuses(scores.size());
  std::vector<std::vector<double>> expected(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    RETURN_IF_ERROR(parallel_.StopIfAsked());
    expected[i] = request.expected(i);
  }
  std::vector<std::vector<std::int64_t>> counts_of_thread(static_cast<std::size_t>(parallel_.threads()));
  RETURN_IF_ERROR(parallel_.ForUnlessStopped(scores.size(), [&](std::size_t i, int thread) {
    const auto& [clique, weight] = request.candidates[i];
    std::vector<std::int64_t>& counts = counts_of_thread[static_cast<std::size_t>(thread)];
    counts.resize(expected[i].size());
    CountClique(members_rows_, clique, counts);
    const absl::StatusOr<ScaledDistance> error = Distance({counts, expected[i]});
    const absl::StatusOr<std::int64_t> score =
        error.ok() ? Score({weight, request.penalty_records[i]}, *error) : error.status();
    statuses[i] = score.status();
    scores[i] = score.value_or(0);
  }));
  RETURN_IF_ERROR(FirstError(statuses));
  if (request.may_choose_none) scores.push_back(0);
  ASSIGN_OR_RETURN(Spend<ExponentialMechanism> spend, accounts_.Debit(members_, request.name, mechanism));
  SeededRandomSource noise(options_.seed, Label(request.name));
  ASSIGN_OR_RETURN(const NoisyChoice choice, ReleaseExponential(std::move(spend), scores, noise));
  if (!book_.is_pool() && !has_shared_) {  // a group shares its counts out once
    std::int64_t cells = 0;
    for (const std::vector<double>& counts : expected) cells += std::ssize(counts);
    traffic_.Exchange(members_, WireSizes::kSharedCell * cells + 2 * WireSizes::kSeed,
                      WireSizes::kQuery * std::ssize(request.candidates));
    has_shared_ = true;
  }
  SumChoice chosen{.candidate = choice.index, .provenance = choice.provenance};
  if (choice.index == request.candidates.size()) chosen.candidate.reset();
  return chosen;
}

LocalChoices SimulatedFederation::Tally(std::span<const WeightedQuery> candidates,
                                        const std::vector<std::vector<std::size_t>>& choices) {
  LocalChoices tally;
  tally.choosers.resize(candidates.size());
  for (std::size_t member = 0; member < choices.size(); ++member) {
    for (const std::size_t candidate : choices[member]) {
      ++tally.choosers[candidate];
      choosers_[candidates[candidate].clique].insert(members_[member]);
    }
  }
  return tally;
}

// Every member pays for all of its steps, or nobody does anything.
absl::StatusOr<std::vector<LocalPayments>> SimulatedFederation::PayForLocalSelection(
    const LocalSelection& request, const ExponentialMechanism& selection) {
  std::vector<LocalPayments> payments(members_.size());
  for (int step = 0; step < request.steps; ++step) {
    const ReleaseName& name = request.name;
    ASSIGN_OR_RETURN(
        std::vector<Spend<ExponentialMechanism>> selections,
        accounts_.DebitEach(members_, {name.run, name.round, fmt::format("{} {}", name.query, step + 1)}, selection));
    for (std::size_t i = 0; i < members_.size(); ++i) payments[i].selections.push_back(std::move(selections[i]));
    if (!request.refit || step + 1 == request.steps) continue;
    ASSIGN_OR_RETURN(
        std::vector<Spend<GaussianMechanism>> measurements,
        accounts_.DebitEach(members_, {name.run, name.round, fmt::format("{} {}, kept", name.query, step + 1)},
                            GaussianMechanism{request.refit->sigma_squared}));
    for (std::size_t i = 0; i < members_.size(); ++i) payments[i].measurements.push_back(std::move(measurements[i]));
  }
  return payments;
}

absl::StatusOr<LocalChoices> SimulatedFederation::ChooseLocally(const LocalSelection& request) {
  RETURN_IF_ERROR(CheckAllowed(options_.trust.local_choices, "choices of single clients"));
  const bool has_guide = options_.oracle != nullptr && options_.oracle->guides_choices();
  std::vector<const PublicShares*> everybody;
  if (has_guide) everybody = options_.oracle->SharesOf(request.candidates);
  ASSIGN_OR_RETURN(const ExponentialMechanism selection, MechanismOf(request));
  if (request.steps < 1 || request.steps > std::ssize(request.candidates)) {
    return InvalidArgument("{} choices among {} candidates cannot be made", request.steps, request.candidates.size());
  }
  ASSIGN_OR_RETURN(std::vector<LocalPayments> payments, PayForLocalSelection(request, selection));

  std::vector<std::vector<std::size_t>> choices(members_.size());
  std::vector<absl::Status> statuses(members_.size());
  std::vector<ShareDistanceMeter> meters(static_cast<std::size_t>(parallel_.threads()));
  ASSIGN_OR_RETURN(const ModelShares shares, SharesFor(request, parallel_));
  std::string provenance;
  RETURN_IF_ERROR(parallel_.ForUnlessStopped(members_.size(), [&](std::size_t member, int thread) {
    SeededRandomSource noise(options_.seed, SeedLabel(request.name, members_[member]));
    TableRows rows(rows_[members_[member]], meters[static_cast<std::size_t>(thread)]);
    const absl::StatusOr<std::vector<ScaledDistance>> heterogeneity =
        has_guide ? TrueHeterogeneity(rows, request.candidates, everybody) : HeterogeneityOf(rows, request, shares);
    statuses[member] = heterogeneity.status();
    if (!heterogeneity.ok()) return;
    absl::StatusOr<LocalChoice> choice =
        ChooseForClient(rows, request, shares, *heterogeneity, std::move(payments[member]), noise);
    statuses[member] = choice.status();
    if (!choice.ok()) return;
    choices[member] = std::move(choice->candidates);
    if (member == 0) provenance = std::move(choice->provenance);
  }));
  RETURN_IF_ERROR(FirstError(statuses));
  traffic_.Exchange(members_, WireSizes::kQuery * request.steps,
                    WireSizes::kModelCell * request.model.cells() + WireSizes::kQuery * std::ssize(request.candidates));
  LocalChoices tally = Tally(request.candidates, choices);
  tally.provenance = provenance;
  return tally;
}

absl::StatusOr<LocalChoices> SimulatedFederation::ChooseAtRandom(const RandomSelection& request) {
  RETURN_IF_ERROR(CheckAllowed(options_.trust.local_choices, "choices of single clients"));
  std::vector<std::vector<std::size_t>> choices(members_.size());
  for (std::size_t member = 0; member < members_.size(); ++member) {
    SeededRandomSource random(options_.seed, SeedLabel(request.name, members_[member]));
    choices[member] = ChooseAtRandomForClient(request, random);
  }
  traffic_.Exchange(members_, WireSizes::kQuery * request.steps, WireSizes::kQuery * std::ssize(request.candidates));
  return Tally(request.candidates, choices);
}

}  // namespace flaim
