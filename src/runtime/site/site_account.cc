#include "runtime/site/site_account.h"

#include <algorithm>

#include "base/overloaded.h"
#include "base/status.h"
#include "secagg/protocol/contribution.h"

namespace flaim::runtime {
namespace {

// Each attempt is a release of its own. Its name in the ledger says so.
ReleaseName LedgerName(const Study& study, const SumRequest& request) {
  ReleaseName name{study.manifest.id, request.name().round, request.name().query};
  if (request.attempt > 1) name.query = fmt::format("{}, attempt {}", name.query, request.attempt);
  return name;
}

ReleaseName StepName(const Study& study, const ReleaseName& name, int step) {
  return {study.manifest.id, name.round, fmt::format("{} {}", name.query, step + 1)};
}

std::optional<GaussianMechanism> GaussianOf(const SumBody& body) {
  if (const auto* counts = std::get_if<CountsRequest>(&body)) return MechanismOf(*counts);
  if (const auto* scores = std::get_if<ScoresRequest>(&body)) return MechanismOf(*scores);
  return std::nullopt;
}

absl::Status NotAgreed(std::string_view why) {
  return absl::PermissionDeniedError(fmt::format("this is not what the site agreed to: {}", why));
}

}  // namespace

absl::Status SiteAccount::CheckMethod(const SumRequest& request) const {
  const Method& method = study_.plan.method;
  if (request.name().run != study_.plan.options.run) return NotAgreed("the request is of another study");
  if (std::holds_alternative<ScoresRequest>(request.body) && method.selection != Selection::kSummedScores) {
    return NotAgreed("the method sums no scores");
  }
  if (std::holds_alternative<RandomSelection>(request.body) && method.selection != Selection::kRandom) {
    return NotAgreed("the method has no random choices");
  }
  if (const auto* local = std::get_if<LocalSelection>(&request.body)) {
    if (method.selection != Selection::kLocal) return NotAgreed("the method has no local choices");
    if (local->steps > method.local_steps) return NotAgreed("more choices than the method makes");
  }
  if (const auto* counts = std::get_if<CountsRequest>(&request.body)) {
    const std::set<Clique> chosen = records_.ChosenIn(request.name().round);
    const auto contributions = std::count_if(counts->cliques.begin(), counts->cliques.end(),
                                             [&](const Clique& clique) { return chosen.contains(clique); });
    if (counts->contributors == Contributors::kChoosers && contributions > counts->choices_per_client) {
      return NotAgreed("the site would add to more marginals than it is asked to pay for");
    }
  }
  return absl::OkStatus();
}

absl::Status SiteAccount::CheckMarginals(const SumRequest& request) const {
  const AgreedMarginals& agreed = study_.marginals;
  const auto counted = [&](const std::vector<Clique>& cliques) {
    return std::all_of(cliques.begin(), cliques.end(),
                       [&](const Clique& clique) { return agreed.MayBeCounted(clique); });
  };
  const auto chosen = [&](const std::vector<WeightedQuery>& candidates) {
    return std::all_of(candidates.begin(), candidates.end(),
                       [&](const WeightedQuery& candidate) { return agreed.MayBeChosen(candidate); });
  };
  const bool is_agreed = std::visit(Overloaded{[&](const CountsRequest& counts) { return counted(counts.cliques); },
                                               [&](const ScoresRequest& scores) { return counted(scores.candidates); },
                                               [&](const auto& selection) { return chosen(selection.candidates); }},
                                    request.body);
  return is_agreed ? absl::OkStatus() : NotAgreed("marginals, or weights of them, that the workload does not have");
}

absl::Status SiteAccount::CheckRound(const SumRequest& request) const {
  const std::int64_t round = request.name().round;
  if (request.is_initialisation) {
    if (round_check_) return NotAgreed("the plan has no initialisation");
    const std::optional<std::int64_t> served = records_.initialisation();
    if (served && *served != round) return absl::OutOfRangeError("the site has served in an initialisation already");
  } else if (!records_.HasServedIn(round) && records_.RoundsServed() >= study_.plan.terms().participation_cap) {
    return absl::OutOfRangeError(
        fmt::format("the site has served in {} round(s), as often as it agreed to", records_.RoundsServed()));
  }
  const auto* counts = std::get_if<CountsRequest>(&request.body);
  if (round_check_ && counts != nullptr) return round_check_->Check(records_.CountedIn(round), *counts);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<SiteAccount::Price>> SiteAccount::PricesOf(const SumRequest& request) const {
  if (const std::optional<GaussianMechanism> gaussian = GaussianOf(request.body)) {
    return std::vector<Price>{{LedgerName(study_, request), CostOf(*gaussian)}};
  }
  std::vector<Price> prices;
  if (const auto* local = std::get_if<LocalSelection>(&request.body)) {
    ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(*local));
    for (int step = 0; step < local->steps; ++step) {
      prices.push_back({StepName(study_, local->name, step), CostOf(mechanism)});
    }
  }
  return prices;
}

absl::Status SiteAccount::CheckBooks() {
  const std::vector<SiteRecords::Served>& served = records_.served();
  Rho known;
  for (std::size_t i = 0; i < served.size(); ++i) {
    ASSIGN_OR_RETURN(const std::vector<Price> prices, PricesOf(served[i].request));
    for (const Price& price : prices) known = known + price.cost;
    const bool is_in_ledger =
        std::all_of(prices.begin(), prices.end(), [this](const Price& price) { return ledger_.HasDebit(price.name); });
    if (is_in_ledger || !served[i].is_paid) continue;
    if (i + 1 < served.size()) {
      return absl::DataLossError(
          "the site has contributed to this study from another ledger, or an older copy of this one: give the right "
          "one; with this one the site would pay again from the beginning");
    }
    RETURN_IF_ERROR(records_.GiveUpLast());
  }
  if (ledger_.SpentBy(study_.manifest.id) <= known) return absl::OkStatus();
  return absl::DataLossError(
      "the ledger shows payments for this study that the site's records know nothing of: restore records.log");
}

absl::Status SiteAccount::CheckBudget(const SumRequest& request) const {
  if (GaussianOf(request.body) && ledger_.HasValue(LedgerName(study_, request))) {
    return absl::AlreadyExistsError("this attempt was paid for and used");
  }
  ASSIGN_OR_RETURN(const std::vector<Price> prices, PricesOf(request));
  Rho cost;
  for (const Price& price : prices) {
    if (!ledger_.HasValue(price.name)) cost = cost + price.cost;
  }
  const Rho in_study = ledger_.SpentBy(study_.manifest.id) + cost;
  if (in_study > study_.plan.terms().allowance) {
    return absl::ResourceExhaustedError("the study would cost more than the site consented to");
  }
  if (cost <= ledger_.left()) return absl::OkStatus();
  return absl::ResourceExhaustedError("the site's privacy budget does not pay for this any more");
}

absl::Status SiteAccount::Check(const SumRequest& request) const {
  RETURN_IF_ERROR(CheckMethod(request));
  RETURN_IF_ERROR(CheckMarginals(request));
  RETURN_IF_ERROR(CheckRound(request));
  return CheckBudget(request);
}

absl::Status SiteAccount::GiveUp(const absl::Status& why) {
  RETURN_IF_ERROR(records_.GiveUpLast());
  return why;
}

absl::StatusOr<SumPermit> SiteAccount::Pay(const SumRequest& request, const std::string& encoded,
                                           const secagg::SessionId& session, const std::string& provenance) {
  RETURN_IF_ERROR(Check(request));
  RETURN_IF_ERROR(records_.Serve(session, encoded));
  absl::StatusOr<Spend<GaussianMechanism>> spend =
      ledger_.Debit(LedgerName(study_, request), *GaussianOf(request.body));
  if (!spend.ok()) return GiveUp(spend.status());
  return ReleaseIntoSum(*std::move(spend), secagg::NameOfSum(session), provenance);
}

absl::StatusOr<LocalPayments> SiteAccount::PayForChoice(const SumRequest& request, const std::string& encoded,
                                                        const secagg::SessionId& session) {
  RETURN_IF_ERROR(Check(request));
  RETURN_IF_ERROR(records_.Serve(session, encoded));
  const auto& local = std::get<LocalSelection>(request.body);
  ASSIGN_OR_RETURN(const ExponentialMechanism mechanism, MechanismOf(local));
  LocalPayments payments;
  for (int step = 0; step < local.steps; ++step) {
    absl::StatusOr<Spend<ExponentialMechanism>> spend = ledger_.Debit(StepName(study_, local.name, step), mechanism);
    if (!spend.ok()) return GiveUp(spend.status());
    payments.selections.push_back(*std::move(spend));
  }
  return payments;
}

absl::Status SiteAccount::ServeForFree(const SumRequest& request, const std::string& encoded,
                                       const secagg::SessionId& session) {
  RETURN_IF_ERROR(Check(request));
  return records_.Serve(session, encoded);
}

}  // namespace flaim::runtime
