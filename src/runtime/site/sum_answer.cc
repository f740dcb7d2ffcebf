#include "runtime/site/sum_answer.h"

#include "base/check.h"
#include "base/secure_random_source.h"
#include "base/status.h"
#include "runtime/study/sum_terms.h"
#include "secagg/messages/messages.h"
#include "secagg/protocol/secure_client.h"

namespace flaim::runtime {
namespace {

std::string ToText(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

// A choice that was made is told again, whatever the candidates are now.
std::vector<std::size_t> ChosenBefore(const std::vector<Clique>& chosen, std::span<const WeightedQuery> candidates) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (std::find(chosen.begin(), chosen.end(), candidates[i].clique) != chosen.end()) positions.push_back(i);
  }
  return positions;
}

}  // namespace

absl::StatusOr<std::unique_ptr<SumAnswer>> SumAnswer::Begin(const SiteInStudy& site, const secagg::SessionId& session,
                                                            const std::string& offer, const EncodedRequest& encoded,
                                                            Parallel& parallel) {
  ASSIGN_OR_RETURN(const secagg::Message message, secagg::Decode(AsBytes(offer)));
  const auto* offered = std::get_if<secagg::Offer>(&message.body);
  if (offered == nullptr || message.session != session) return InvalidArgument("a sum begins with its offer");
  RequestLimits limits;
  limits.max_model_cells = site.study.manifest.max_model_cells;
  ASSIGN_OR_RETURN(ReceivedRequest received, Decode(encoded, site.study.domain(), limits, parallel));
  RETURN_IF_ERROR(site.account.Check(received.request));
  std::unique_ptr<SumAnswer> answer(new SumAnswer(site, session, encoded, std::move(received), parallel));
  RETURN_IF_ERROR(answer->JoinSum(offered->terms.bounds.invited));
  return answer;
}

std::unique_ptr<RandomSource> SumAnswer::Noise() const {
  return site_.noise(SeedLabel(received_.request.name(), site_.self));
}

absl::Status SumAnswer::JoinSum(int invited) {
  ASSIGN_OR_RETURN(secagg::SessionTerms terms,
                   TermsOfSum(site_.study, site_.roster, received_.request, encoded_, invited));
  random_ = std::make_unique<SecureRandomSource>();
  noise_ = Noise();
  RandomSource* const research_noise = site_.study.IsResearch() ? noise_.get() : nullptr;
  const secagg::GroupBounds& bounds = site_.study.manifest.bounds;
  const int stands_in_for = StandsInFor(site_.consent, static_cast<int>(site_.roster.size()), terms.bounds);
  secagg::Participation participation{
      .roster = site_.roster,
      .self = site_.self,
      .signing_key = site_.signing_key,
      .agreed = std::move(terms),
      .contribution = [this] { return Contribution(); },
      .stands_in_for = stands_in_for,
      .least_participants = bounds.Of(site_.study.manifest.minimum_sites).LeastSurvivors()};
  ASSIGN_OR_RETURN(client_, secagg::MakeSecureClient(std::move(participation), {.answered = site_.records,
                                                                                .clock = site_.clock,
                                                                                .random = *random_,
                                                                                .research_noise = research_noise}));
  return absl::OkStatus();
}

absl::StatusOr<std::string> SumAnswer::Receive(const std::string& message) {
  const Digest digest = Sha256(AsBytes(message));
  if (const auto answered = answers_.find(digest); answered != answers_.end()) return answered->second;
  ASSIGN_OR_RETURN(const Bytes answer, client_->Receive(AsBytes(message)));
  return answers_[digest] = ToText(answer);
}

absl::StatusOr<secagg::PaidCounts> SumAnswer::Pay() {
  ASSIGN_OR_RETURN(SumPermit permit,
                   site_.account.Pay(received_.request, encoded_.request, session_, noise_->Provenance()));
  return secagg::PaidCounts(std::move(permit));
}

absl::StatusOr<secagg::PaidCounts> SumAnswer::CountsOf(const CountsRequest& request) {
  const std::set<Clique> chosen = site_.records.ChosenIn(request.name.round);
  std::vector<std::vector<std::int64_t>> blocks;
  for (const Clique& clique : request.cliques) {
    if (request.contributors == Contributors::kChoosers && !chosen.contains(clique)) {
      blocks.emplace_back(static_cast<std::size_t>(*CellCount(site_.study.domain(), clique)));
      continue;
    }
    ASSIGN_OR_RETURN(blocks.emplace_back(), rows_.CountOne(clique));
  }
  ASSIGN_OR_RETURN(secagg::PaidCounts own, Pay());
  for (std::vector<std::int64_t>& counts : blocks) own.AddBlock(std::move(counts));
  return own;
}

absl::StatusOr<secagg::PaidCounts> SumAnswer::ScoresOf(const ScoresRequest& request) {
  ASSIGN_OR_RETURN(const ModelShares shares, SharesFor(request, parallel_));
  ASSIGN_OR_RETURN(std::vector<std::int64_t> scores, SummedScores(rows_, request, shares));
  ASSIGN_OR_RETURN(secagg::PaidCounts own, Pay());
  own.AddBlock(std::move(scores));
  return own;
}

absl::StatusOr<std::vector<std::size_t>> SumAnswer::ChoiceOf(const LocalSelection& request) {
  if (const std::optional<std::vector<Clique>> before = site_.records.ChoiceOf(request.name)) {
    return ChosenBefore(*before, request.candidates);
  }
  ASSIGN_OR_RETURN(const ModelShares shares, SharesFor(request, parallel_));
  ASSIGN_OR_RETURN(LocalPayments payments, site_.account.PayForChoice(received_.request, encoded_.request, session_));
  ASSIGN_OR_RETURN(const std::vector<ScaledDistance> heterogeneity, HeterogeneityOf(rows_, request, shares));
  ASSIGN_OR_RETURN(LocalChoice choice,
                   ChooseForClient(rows_, request, shares, heterogeneity, std::move(payments), *noise_));
  return std::move(choice.candidates);
}

absl::StatusOr<std::vector<std::size_t>> SumAnswer::ChoiceOf(const RandomSelection& request) {
  RETURN_IF_ERROR(site_.account.ServeForFree(received_.request, encoded_.request, session_));
  const std::optional<std::vector<Clique>> before = site_.records.ChoiceOf(request.name);
  return before ? ChosenBefore(*before, request.candidates) : ChooseAtRandomForClient(request, *noise_);
}

absl::StatusOr<secagg::Ballot> SumAnswer::Ballot(std::span<const WeightedQuery> candidates,
                                                 const std::vector<std::size_t>& chosen) {
  std::vector<Clique> cliques;
  for (const std::size_t candidate : chosen) cliques.push_back(candidates[candidate].clique);
  RETURN_IF_ERROR(site_.records.Choose(received_.request.name(), cliques));
  return secagg::Ballot(candidates.size(), chosen);
}

absl::StatusOr<secagg::Contribution> SumAnswer::Contribution() {
  const SumBody& body = received_.request.body;
  if (const auto* counts = std::get_if<CountsRequest>(&body)) return CountsOf(*counts);
  if (const auto* scores = std::get_if<ScoresRequest>(&body)) return ScoresOf(*scores);
  if (const auto* local = std::get_if<LocalSelection>(&body)) {
    ASSIGN_OR_RETURN(const std::vector<std::size_t> chosen, ChoiceOf(*local));
    return Ballot(local->candidates, chosen);
  }
  const auto& random = std::get<RandomSelection>(body);
  ASSIGN_OR_RETURN(const std::vector<std::size_t> chosen, ChoiceOf(random));
  return Ballot(random.candidates, chosen);
}

}  // namespace flaim::runtime
