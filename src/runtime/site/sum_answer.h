#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "marginal/private_rows.h"
#include "runtime/site/guarded_rows.h"
#include "runtime/site/roster_consent.h"
#include "runtime/site/site_account.h"
#include "secagg/protocol/contribution.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::runtime {

// Makes the noise of one release. In earnest always the secure source; research draws from a seed and the label.
using NoiseByLabel = std::function<std::unique_ptr<RandomSource>(const std::string& label)>;

// What a site brings to a study. The references are to things that outlive every sum.
struct SiteInStudy {
  const Study& study;
  const secagg::Roster& roster;
  const RosterConsent& consent;
  secagg::ParticipantId self;
  const secagg::SigningKey& signing_key;
  PrivateRows& rows;
  SiteAccount& account;
  SiteRecords& records;
  const Clock& clock;
  NoiseByLabel noise;
};

// The site's part in one secure sum: it works out for itself what the sum must be about, pays before it contributes,
// and answers each message once; who asks again, because the answer got lost, gets the same bytes. Not thread-safe.
class SumAnswer {
 public:
  // Refuses what SiteAccount::Check refuses, and requests that cannot be read. `encoded` comes with the offer.
  static absl::StatusOr<std::unique_ptr<SumAnswer>> Begin(const SiteInStudy& site, const secagg::SessionId& session,
                                                          const std::string& offer, const EncodedRequest& encoded,
                                                          Parallel& parallel);

  // Empty if nothing is to be said. FailedPrecondition if the message is not due yet: nothing changed.
  absl::StatusOr<std::string> Receive(const std::string& message);

  bool IsOver() const { return client_->IsOver(); }
  const SumRequest& request() const { return received_.request; }

 private:
  SumAnswer(const SiteInStudy& site, const secagg::SessionId& session, EncodedRequest encoded, ReceivedRequest received,
            Parallel& parallel)
      : site_(site),
        parallel_(parallel),
        rows_(site.rows, parallel),
        session_(session),
        encoded_(std::move(encoded)),
        received_(std::move(received)) {}

  absl::Status JoinSum(int invited);
  // What the site adds, paid for first.
  absl::StatusOr<secagg::Contribution> Contribution();
  absl::StatusOr<secagg::PaidCounts> Pay();
  absl::StatusOr<secagg::PaidCounts> CountsOf(const CountsRequest& request);
  absl::StatusOr<secagg::PaidCounts> ScoresOf(const ScoresRequest& request);
  absl::StatusOr<std::vector<std::size_t>> ChoiceOf(const LocalSelection& request);
  absl::StatusOr<std::vector<std::size_t>> ChoiceOf(const RandomSelection& request);
  absl::StatusOr<secagg::Ballot> Ballot(std::span<const WeightedQuery> candidates,
                                        const std::vector<std::size_t>& chosen);
  std::unique_ptr<RandomSource> Noise() const;

  SiteInStudy site_;
  Parallel& parallel_;
  GuardedRows rows_;
  secagg::SessionId session_;
  EncodedRequest encoded_;
  ReceivedRequest received_;
  std::unique_ptr<RandomSource> random_;  // for keys
  std::unique_ptr<RandomSource> noise_;
  std::unique_ptr<secagg::SumClient> client_;
  std::map<Digest, std::string> answers_;  // by the message that they answer
};

}  // namespace flaim::runtime
