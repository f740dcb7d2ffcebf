#pragma once

#include <set>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/random_source.h"
#include "secagg/graph/graph_parameters.h"
#include "secagg/messages/messages.h"
#include "secagg/messages/roster.h"
#include "secagg/protocol/contribution.h"

namespace flaim::secagg {

// Which sessions a participant has answered. Kept as long as its counts are: answering a session twice with other keys
// would give the server two maskings of the same counts.
class AnsweredSessions {
 public:
  virtual ~AnsweredSessions() = default;
  // Durable when it returns. AlreadyExists if the session is known.
  virtual absl::Status Begin(const SessionId& session) = 0;
};

// For a process that never restarts.
class AnsweredSessionsInMemory final : public AnsweredSessions {
 public:
  absl::Status Begin(const SessionId& session) override;

 private:
  std::set<SessionId> sessions_;
};

// What a participant brings to a session: who it is, what it agreed to, and its contribution. The references are to
// things that outlive the session.
struct Participation {
  const Roster& roster;
  ParticipantId self;
  const SigningKey& signing_key;  // of roster.KeyOf(self)
  SessionTerms agreed;            // as this participant understands the study, not as the server tells it
  ContributionSource contribution;
  int stands_in_for = 0;  // others whose noise it draws too, because it does not count on them
  // Refuses to be one of fewer, even if all who may drop out do. One is consent to being alone, with all of the noise.
  int least_participants = 2;
  double security_bits = 40;  // a graph that leaves the server a better chance than 2^-security_bits is refused
};

// InvalidArgument if the agreed terms are not valid.
absl::Status CheckParticipation(const Participation& participation);

// The outside world of a participant.
struct Surroundings {
  AnsweredSessions& answered;
  const Clock& clock;
  RandomSource& random;  // for keys, seeds and noise
  // For the noise alone, instead: research that must be repeatable gives a seeded one, and stamps what comes of it.
  RandomSource* research_noise = nullptr;

  RandomSource& noise() const { return research_noise != nullptr ? *research_noise : random; }
};

// Whether to take part at all: the server's signature, the agreed terms, enough participants, the deadline, and that
// the session is new; it is recorded as answered. InvalidArgument, FailedPrecondition or AlreadyExists says what is
// wrong.
absl::Status AcceptOffer(const Participation& participation, const Surroundings& surroundings, const SessionId& session,
                         const Offer& offer);

// Whether those who advertised are few enough to have been invited and enough to go on, in ascending order, and this
// participant is among them as it advertised itself.
absl::Status AcceptEveryone(const Participation& participation, const std::vector<KeyList::Entry>& everyone,
                            const Digest& own_advertisement);

}  // namespace flaim::secagg
