#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "io/bytes.h"
#include "secagg/messages/messages.h"
#include "secagg/messages/terms.h"

namespace flaim::secagg {

// A sum over participants, as two state machines that take and give bytes. Nothing here sends, waits, knows the time of
// day or starts a thread: whoever drives a machine carries messages and decides when a stage has lasted long enough, so
// every order of events can be played.
//
// Two protocols implement it: the secure one (secure_client.h, secure_server.h) and its twin in the clear
// (clear_sum.h), which runs the same tests and shows what security costs.

// The participant's side of one session.
class SumClient {
 public:
  SumClient(const SumClient&) = delete;
  SumClient& operator=(const SumClient&) = delete;
  virtual ~SumClient() = default;

  // Answers a message of the server; empty if nothing is to be sent. An error says why there is no answer:
  //   AlreadyExists       it was answered before, and is never answered again; nothing changed
  //   FailedPrecondition  it is not its turn yet; nothing changed
  //   anything else       the message or the server is not to be trusted, or the session cannot go on. Unless the
  //                       message could not even be read, or was an offer, the session is over for this participant
  //                       and its secrets are wiped.
  virtual absl::StatusOr<Bytes> Receive(ByteView message) = 0;

  // Nothing more will be answered.
  virtual bool IsOver() const = 0;

 protected:
  SumClient() = default;
};

struct BlockSum {
  std::vector<std::int64_t> counts;  // with noise
  double noise_variance = 0;         // of what is in these counts, if all contributors are honest
  double promised_variance = 0;      // sigma^2 of the terms, left after the worst dropout and collusion allowed
};

struct SumOutcome {
  std::vector<ParticipantId> contributors;
  std::vector<BlockSum> blocks;  // in the order of the terms
};

// The server's side of one session. Stages: each begins with a message to some participants and ends when all have
// answered, or when its driver has waited long enough.
class SumServer {
 public:
  SumServer(const SumServer&) = delete;
  SumServer& operator=(const SumServer&) = delete;
  virtual ~SumServer() = default;

  // To whom the stage's message goes, and the message: the same bytes whenever it is asked for.
  virtual std::vector<ParticipantId> Recipients() const = 0;
  // REQUIRES: `to` is one of the recipients.
  virtual Bytes MessageFor(ParticipantId to) const = 0;

  // Takes an answer. A message that is refused changes nothing, and its sender may still send a right one:
  // AlreadyExists for a second answer, FailedPrecondition for one that is too late or too early, InvalidArgument for
  // anything malformed or not signed.
  virtual absl::Status Receive(ParticipantId from, ByteView message) = 0;

  // Everybody has answered: no need to wait.
  virtual bool IsStageComplete() const = 0;
  // Goes on with those who have answered. REQUIRES: !IsOver().
  virtual void CloseStage() = 0;
  // Abandons the session; one that is over stays as it is.
  virtual void GiveUp() = 0;

  virtual bool IsOver() const = 0;
  // REQUIRES: IsOver(). Aborted with the reason, or the sum.
  virtual const absl::StatusOr<SumOutcome>& outcome() const = 0;

 protected:
  SumServer() = default;
};

}  // namespace flaim::secagg
