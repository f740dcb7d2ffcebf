#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/messages/study_roster.h"
#include "runtime/observe/log.h"
#include "runtime/site/sum_answer.h"

namespace flaim::runtime {

// What a site needs to serve in a study. The references are to things that outlive it.
struct SiteParts {
  std::string name;
  std::string software;
  const Study& study;     // as its steward consented to
  RosterConsent consent;  // to the roster
  const secagg::SigningKey& signing_key;
  PrivateRows& rows;
  Ledger& ledger;
  SiteRecords& records;
  const Clock& clock;
  NoiseByLabel noise;
  Log& log;
  Parallel& parallel;
};

// A site in its study: takes what the coordinator says and gives back what is to be said to it. Knows no network, so
// every order of messages can be played. Believes the coordinator nothing that the manifest or the roster, once pinned,
// does not bear out. Not thread-safe.
class SiteAgent {
 public:
  explicit SiteAgent(SiteParts parts);

  // What to say whenever a connection is made.
  std::string Greeting() const;
  // The answers to a message, in order; none if there is nothing to say. What cannot be read is logged and left alone.
  std::vector<std::string> Receive(const std::string& message);

  // The coordinator has said that the study is over.
  bool is_over() const { return is_over_; }
  // Why the site takes no part, if it does not: another manifest or roster, or one that nobody has consented to.
  const absl::Status& refusal() const { return refusal_; }
  int RoundsServed() const { return parts_.records.RoundsServed(); }

 private:
  absl::Status Meet(const std::string& manifest, const std::string& roster, const std::string& signature);
  absl::Status TakeRoster(const std::string& bytes);
  // To the pinned roster.
  absl::Status CheckConsent() const;
  std::vector<std::string> TakeSum(const std::string& session, const std::string& message,
                                   const EncodedRequest& encoded);
  // The answer to an offer. A sum that is refused leaves the one that is on its way alone.
  absl::StatusOr<std::string> BeginSum(const secagg::SessionId& session, const std::string& offer,
                                       const EncodedRequest& encoded);
  // The answer to a message of the sum on its way; empty if it is not its turn.
  absl::StatusOr<std::string> GoOn(const std::string& message);

  SiteParts parts_;
  SiteAccount account_;
  std::optional<secagg::Roster> roster_;
  secagg::ParticipantId self_ = 0;
  absl::Status refusal_ = absl::OkStatus();
  bool is_over_ = false;
  secagg::SessionId session_{};
  std::unique_ptr<SumAnswer> sum_;  // the latest; its session is the one above
};

}  // namespace flaim::runtime
