#include "runtime/coordinator/networked_federation.h"

#include <algorithm>

#include "base/secure_random_source.h"
#include "base/status.h"
#include "runtime/study/sum_terms.h"
#include "secagg/protocol/secure_server.h"

namespace flaim::runtime {
namespace {

// A site that was away for long finds no use for an old offer.
constexpr std::chrono::hours kOfferLasts{24};
// While too few are there for a sum, waiting longer is better than a round without anybody.
constexpr int kPatienceForTooFew = 20;

Digest DigestOf(const EncodedRequest& encoded) {
  return Transcript("flaim sum request").Add(AsBytes(encoded.request)).Add(AsBytes(encoded.model)).Finish();
}

absl::Status NotOverNetworks(std::string_view what) {
  return absl::PermissionDeniedError(fmt::format("a federation over the network has no {}", what));
}

}  // namespace

absl::StatusOr<std::unique_ptr<NetworkedFederation>> NetworkedFederation::Create(CoordinatorParts parts) {
  ASSIGN_OR_RETURN(GroupBook book, GroupBook::Create(parts.study.plan.availability, parts.roster.size(),
                                                     {.participation_cap = parts.study.plan.terms().participation_cap,
                                                      .least_members = parts.study.manifest.minimum_sites}));
  return std::unique_ptr<NetworkedFederation>(new NetworkedFederation(std::move(parts), std::move(book)));
}

absl::StatusOr<std::vector<secagg::ParticipantId>> NetworkedFederation::WaitFor(
    const std::vector<secagg::ParticipantId>& wanted) {
  const auto there = [&] {
    std::vector<secagg::ParticipantId> present;
    std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(present),
                 [&](auto site) { return parts_.exchange.IsReady(site); });
    return present;
  };
  const auto least = static_cast<std::size_t>(parts_.study.manifest.minimum_sites);
  if (wanted.size() < least) return there();
  const auto soon = parts_.clock.Now() + parts_.patience.disconnected;
  const auto late = parts_.clock.Now() + kPatienceForTooFew * parts_.patience.connected;
  const auto is_awaited = [this](auto site) { return !given_up_.contains(site) && !parts_.exchange.IsReady(site); };
  for (;;) {
    const bool are_too_few = there().size() < least;
    if (!are_too_few && std::none_of(wanted.begin(), wanted.end(), is_awaited)) break;
    const auto until = are_too_few ? late : soon;
    if (parts_.clock.Now() >= until) break;
    RETURN_IF_ERROR(parts_.exchange.Next(until).status());
  }
  std::copy_if(wanted.begin(), wanted.end(), std::inserter(given_up_, given_up_.end()), is_awaited);
  return there();
}

absl::StatusOr<std::vector<secagg::ParticipantId>> NetworkedFederation::Assemble(
    const std::vector<secagg::ParticipantId>& wanted) {
  if (wanted.empty()) return wanted;
  ASSIGN_OR_RETURN(std::vector<secagg::ParticipantId> came, WaitFor(wanted));
  const int least = parts_.study.manifest.minimum_sites;
  if (std::ssize(came) >= least) return came;
  return absl::UnavailableError(
      fmt::format("of {} sites whose turn it is, {} are there, and a sum takes {}. "
                  "Start the coordinator again once they are back: nothing is lost",
                  wanted.size(), came.size(), least));
}

absl::StatusOr<Group> NetworkedFederation::GatherAgain(const StudyJournal::Gathered& gathered) {
  if (gathered.round != book_.round()) return absl::DataLossError("the journal tells of another round");
  const absl::StatusOr<Group> group = book_.Enter(gathered.members);
  if (!group.ok() || group->newcomers != gathered.newcomers) {
    return absl::DataLossError(
        fmt::format("the journal tells of a group in round {} that cannot have come together", gathered.round));
  }
  return group;
}

absl::StatusOr<Group> NetworkedFederation::Gather(const GroupRequest& request) {
  if (request.membership != Membership::kPresent) return NotOverNetworks("parties that keep a pool");
  given_up_.clear();
  const std::unique_ptr<RandomSource> random =
      parts_.schedule_random(parts_.journal.begun()->schedule_seed, book_.NextDrawLabel());
  ASSIGN_OR_RETURN(const std::vector<secagg::ParticipantId> wanted, book_.Draw(request, *random));
  ASSIGN_OR_RETURN(const std::optional<StudyJournal::Gathered> settled, parts_.journal.ReplayGathered());
  Group group;
  if (settled) {
    ASSIGN_OR_RETURN(group, GatherAgain(*settled));
  } else {
    ASSIGN_OR_RETURN(const std::vector<secagg::ParticipantId> came, Assemble(wanted));
    ASSIGN_OR_RETURN(group, book_.Enter(came));
    RETURN_IF_ERROR(parts_.journal.Record({.round = group.round, .members = came, .newcomers = group.newcomers}));
  }
  parts_.watch.OnGathered(group, book_.members());
  return group;
}

absl::StatusOr<StudyJournal::Sum> NetworkedFederation::BeginSum(const SumRequest& request,
                                                                const EncodedRequest& encoded) {
  StudyJournal::Sum sum;
  sum.request = DigestOf(encoded);
  sum.attempt = request.attempt;
  sum.round = request.name().round;
  sum.query = request.name().query;
  std::vector<secagg::ParticipantId> willing;
  std::copy_if(book_.members().begin(), book_.members().end(), std::back_inserter(willing),
               [&](auto site) { return !declined_.contains(site); });
  ASSIGN_OR_RETURN(sum.invited, WaitFor(willing));
  if (std::ssize(sum.invited) < parts_.study.manifest.minimum_sites) {
    return absl::UnavailableError(fmt::format("{} of the round's {} sites are there and willing, and a sum takes {}",
                                              sum.invited.size(), book_.members().size(),
                                              parts_.study.manifest.minimum_sites));
  }
  SecureRandomSource random;
  random.Fill(std::as_writable_bytes(std::span(sum.session)));
  const auto deadline = (parts_.clock.Now() + kOfferLasts).time_since_epoch();
  sum.deadline_unix_ms = std::chrono::duration_cast<std::chrono::milliseconds>(deadline).count();
  RETURN_IF_ERROR(RemoveFile(parts_.sum_path));
  RETURN_IF_ERROR(parts_.journal.RecordBegun(sum));
  return sum;
}

absl::Status NetworkedFederation::FinishSum(const SumRequest& request, const EncodedRequest& encoded,
                                            StudyJournal::Sum& sum) {
  const int invited = static_cast<int>(sum.invited.size());
  parts_.watch.OnSumBegun(request, invited);
  ASSIGN_OR_RETURN(secagg::SessionTerms terms, TermsOfSum(parts_.study, parts_.roster, request, encoded, invited));
  ASSIGN_OR_RETURN(const std::unique_ptr<secagg::SumServer> server,
                   secagg::MakeSecureServer({.roster = parts_.roster,
                                             .signing_key = parts_.signing_key,
                                             .session = sum.session,
                                             .deadline_unix_ms = sum.deadline_unix_ms,
                                             .terms = std::move(terms),
                                             .invited = sum.invited},
                                            parts_.parallel));
  ASSIGN_OR_RETURN(SumEvents events, SumEvents::Open(parts_.sum_path));
  SumRun run({.session = sum.session, .request = encoded, .server = *server, .events = events}, parts_.exchange,
             parts_.patience, parts_.clock, parts_.watch);
  absl::StatusOr<secagg::SumOutcome> outcome = run.Run();
  declined_.insert(run.declined().begin(), run.declined().end());
  if (!outcome.ok() && !server->IsOver()) return outcome.status();
  if (!outcome.ok()) {
    sum.failure = std::string(outcome.status().message());
    RETURN_IF_ERROR(parts_.journal.RecordFailed(sum));
    parts_.watch.OnSumFailed(request, *sum.failure);
  } else {
    sum.contributors = std::move(outcome->contributors);
    for (const secagg::BlockSum& block : outcome->blocks) {
      sum.counts.insert(sum.counts.end(), block.counts.begin(), block.counts.end());
    }
    sum.is_done = true;
    RETURN_IF_ERROR(parts_.journal.RecordDone(sum));
    parts_.watch.OnSumDone(request, sum.contributors, false);
  }
  return RemoveFile(parts_.sum_path);
}

absl::StatusOr<NoisyCounts> NetworkedFederation::Sum(const SumBody& body) {
  if (book_.members().empty()) return FailedPrecondition("nobody is in the group that is asked for a sum");
  declined_.clear();
  std::string failure;
  int attempts_now = 0;  // what failed before the coordinator was started again does not count
  for (int attempt = 1; attempts_now < kMostAttempts; ++attempt) {
    const SumRequest request{.attempt = attempt, .is_initialisation = book_.is_initialisation(), .body = body};
    const EncodedRequest encoded = Encode(request);
    ASSIGN_OR_RETURN(std::optional<StudyJournal::Sum> sum, parts_.journal.ReplaySum());
    if (sum && sum->request != DigestOf(encoded)) {
      return absl::DataLossError(
          "the journal tells of another request than the one that follows from it: was the study begun with another "
          "version?");
    }
    if (!sum) {
      ASSIGN_OR_RETURN(sum, BeginSum(request, encoded));
    }
    if (sum->is_done) parts_.watch.OnSumDone(request, sum->contributors, true);
    if (!sum->is_done && !sum->failure) {
      ++attempts_now;
      // After the coordinator was stopped, sites need a while to find back, and may have paid.
      RETURN_IF_ERROR(WaitFor(sum->invited).status());
      RETURN_IF_ERROR(FinishSum(request, encoded, *sum));
    }
    if (sum->is_done) {
      ASSIGN_OR_RETURN(const secagg::SessionTerms terms, TermsOfSum(parts_.study, parts_.roster, request, encoded,
                                                                    static_cast<int>(sum->invited.size())));
      return NoisyCounts{.values = std::move(sum->counts),
                         .provenance = parts_.provenance,
                         .variance = VarianceOfSum(terms, static_cast<int>(sum->contributors.size())),
                         .contributors = std::ssize(sum->contributors)};
    }
    failure = *sum->failure;
  }
  return absl::UnavailableError(fmt::format(
      "the sum '{}' of round {} did not come about in {} attempts: {}. Start the coordinator again once "
      "the sites are back",
      std::visit([](const auto& request) { return request.name.query; }, body), book_.round(), kMostAttempts, failure));
}

absl::StatusOr<NoisyMarginals> NetworkedFederation::SumCounts(const CountsRequest& request) {
  ASSIGN_OR_RETURN(const NoisyCounts sum, Sum(request));
  return MarginalsOf(domain(), request.cliques, sum);
}

absl::StatusOr<NoisyCounts> NetworkedFederation::SumScores(const ScoresRequest& request) { return Sum(request); }

absl::StatusOr<LocalChoices> NetworkedFederation::ChooseLocally(const LocalSelection& request) {
  if (request.refit) return NotOverNetworks("local measurements between steps");
  ASSIGN_OR_RETURN(NoisyCounts sum, Sum(request));
  return LocalChoices{.choosers = std::move(sum.values), .provenance = std::move(sum.provenance)};
}

absl::StatusOr<LocalChoices> NetworkedFederation::ChooseAtRandom(const RandomSelection& request) {
  ASSIGN_OR_RETURN(NoisyCounts sum, Sum(request));
  return LocalChoices{.choosers = std::move(sum.values), .provenance = std::move(sum.provenance)};
}

absl::StatusOr<SumChoice> NetworkedFederation::ChooseBySum(const SumSelection&) {
  return NotOverNetworks("choices by the score of a sum");
}

}  // namespace flaim::runtime
