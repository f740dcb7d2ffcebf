#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "federation/federation.h"
#include "federation/group_book.h"
#include "runtime/coordinator/site_exchange.h"
#include "runtime/coordinator/study_journal.h"
#include "runtime/coordinator/sum_run.h"
#include "runtime/study/study.h"
#include "secagg/messages/roster.h"

namespace flaim::runtime {

// Draws who is asked in a round: from the schedule's seed and a label, so that a coordinator that was stopped draws the
// same again. Decides about nobody's privacy.
using ScheduleRandom = std::function<std::unique_ptr<RandomSource>(std::uint64_t seed, const std::string& label)>;

// What a coordinator runs a study with. The references are to things that outlive the federation.
struct CoordinatorParts {
  const Study& study;
  const secagg::Roster& roster;
  const secagg::SigningKey& signing_key;
  SiteExchange& exchange;
  StudyJournal& journal;
  std::string sum_path;  // of the file that keeps the sum that is being made
  Patience patience;
  const Clock& clock;
  ScheduleRandom schedule_random;
  std::string provenance;  // of the sites' noise: "secure", or what the model must be stamped with
  CoordinatorWatch& watch;
  Parallel& parallel;
};

// The port over the network. Every operation is a secure sum of what the sites work out for themselves: counts and
// scores with noise inside, and how many chose each marginal. So the coordinator sees sums only; which site chose what
// it does not see either.
//
// A sum that does not come about is tried again with the sites that are there, a few times. Each attempt that sites
// have contributed to is paid for; a site whose budget does not allow another declines. Choices by the score of a sum
// and local measurements are refused.
//
// Whatever was settled before the coordinator was stopped is answered from the journal, in the same order.
class NetworkedFederation final : public Federation {
 public:
  static constexpr int kMostAttempts = 3;

  static absl::StatusOr<std::unique_ptr<NetworkedFederation>> Create(CoordinatorParts parts);

  const Domain& domain() const override { return parts_.study.domain(); }
  std::int64_t clients() const override { return static_cast<std::int64_t>(parts_.roster.size()); }

  // Waits for those whose turn it is. A group of fewer than the manifest promises does not come together.
  absl::StatusOr<Group> Gather(const GroupRequest& request) override;
  absl::StatusOr<NoisyMarginals> SumCounts(const CountsRequest& request) override;
  absl::StatusOr<NoisyCounts> SumScores(const ScoresRequest& request) override;
  absl::StatusOr<SumChoice> ChooseBySum(const SumSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseLocally(const LocalSelection& request) override;
  absl::StatusOr<LocalChoices> ChooseAtRandom(const RandomSelection& request) override;

 private:
  NetworkedFederation(CoordinatorParts parts, GroupBook book) : parts_(std::move(parts)), book_(std::move(book)) {}

  // Those of `wanted` that are there, once all are or patience is over. In a round, a site is waited for in vain once.
  absl::StatusOr<std::vector<secagg::ParticipantId>> WaitFor(const std::vector<secagg::ParticipantId>& wanted);
  // Those of `wanted` that come. Unavailable if they are too few for a sum.
  absl::StatusOr<std::vector<secagg::ParticipantId>> Assemble(const std::vector<secagg::ParticipantId>& wanted);
  // The group that an earlier run had in this round.
  absl::StatusOr<Group> GatherAgain(const StudyJournal::Gathered& gathered);

  // All numbers of the answer, block after block, and what is known of them.
  absl::StatusOr<NoisyCounts> Sum(const SumBody& body);
  absl::StatusOr<StudyJournal::Sum> BeginSum(const SumRequest& request, const EncodedRequest& encoded);
  // Runs it from wherever it is, and puts on record what became of it.
  absl::Status FinishSum(const SumRequest& request, const EncodedRequest& encoded, StudyJournal::Sum& sum);

  CoordinatorParts parts_;
  GroupBook book_;
  std::set<secagg::ParticipantId> given_up_;  // waited for in vain in this round
  std::set<secagg::ParticipantId> declined_;  // an earlier attempt of this sum
};

}  // namespace flaim::runtime
