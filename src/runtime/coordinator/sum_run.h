#pragma once

#include <chrono>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "runtime/coordinator/site_exchange.h"
#include "runtime/coordinator/sum_events.h"
#include "runtime/coordinator/sum_watch.h"
#include "secagg/protocol/sum_protocol.h"

namespace flaim::runtime {

// How long a stage waits for sites that are connected but silent, and for sites that are not connected.
struct Patience {
  std::chrono::milliseconds connected{30'000};
  std::chrono::milliseconds disconnected{5'000};
};

// One secure sum on its way.
struct SumOnTheWay {
  secagg::SessionId session{};
  EncodedRequest request;
  secagg::SumServer& server;
  SumEvents& events;
};

// Carries the messages of a sum between its server and the sites until it is over, from wherever the server is. A site
// that comes back is asked again; one that refuses is not waited for. Returns the sum, Aborted if there is none, or the
// error of the exchange or the disk, after which the sum can be taken up again.
class SumRun {
 public:
  SumRun(SumOnTheWay sum, SiteExchange& exchange, const Patience& patience, const Clock& clock, CoordinatorWatch& watch)
      : sum_(std::move(sum)), exchange_(exchange), patience_(patience), clock_(clock), watch_(watch) {}

  absl::StatusOr<secagg::SumOutcome> Run();

  // Sites whose own account does not allow it: another attempt is no use to them.
  const std::set<secagg::ParticipantId>& declined() const { return declined_; }

 private:
  using Time = std::chrono::system_clock::time_point;

  absl::Status RunStage();
  void Ask(secagg::ParticipantId site);
  void TellTheEnd();
  absl::Status Take(const SiteEvent& event);
  absl::Status TakeAnswer(secagg::ParticipantId from, const std::string& message);
  // When to stop waiting for those who have not answered.
  Time WaitUntil(Time begun) const;
  bool IsAwaited(secagg::ParticipantId site) const;
  void Report() const;

  SumOnTheWay sum_;
  SiteExchange& exchange_;
  Patience patience_;
  const Clock& clock_;
  CoordinatorWatch& watch_;
  int stage_ = 0;
  std::vector<secagg::ParticipantId> recipients_;
  std::set<secagg::ParticipantId> answered_;  // in this stage
  std::set<secagg::ParticipantId> refused_;   // in this sum
  std::set<secagg::ParticipantId> declined_;  // of those
  Time last_change_{};                        // somebody came, went or answered
};

}  // namespace flaim::runtime
