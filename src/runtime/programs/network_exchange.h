#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "runtime/coordinator/site_exchange.h"
#include "runtime/messages/study_roster.h"
#include "runtime/observe/log.h"
#include "runtime/observe/study_status.h"
#include "runtime/study/manifest.h"
#include "runtime/transport/switchboard/switchboard.h"

namespace flaim::runtime {

// The exchange of a real study: takes what the switchboard's threads report and hands it, one event at a time, to the
// thread that runs the study. Greets each site with the manifest and, once the study has begun, the roster; a site is
// ready when it has consented to that very manifest.
class NetworkExchange final : public SiteExchange, public SwitchboardEvents {
 public:
  // Whether a peer is a site that was approved.
  using Gatekeeper = std::function<absl::Status(const Peer& peer)>;

  NetworkExchange(const SignedManifest& manifest, Gatekeeper gatekeeper, std::function<bool()> is_stopping,
                  const Clock& clock, Log& log, StatusBoard& board)
      : manifest_(manifest),
        gatekeeper_(std::move(gatekeeper)),
        is_stopping_(std::move(is_stopping)),
        clock_(clock),
        log_(log),
        board_(board) {}

  // Nobody is admitted before. The switchboard outlives all calls.
  void Attach(Switchboard& switchboard);
  // From now on these sites make up the study, and are told so.
  void BeginStudy(const StudyRoster& roster, const secagg::Signature& signature);
  // How many of the roster are ready.
  std::size_t Ready() const;
  // The study is over: tells all sites, also those that connect later.
  void SayFarewell();

  bool IsReady(secagg::ParticipantId site) const override;
  void Send(secagg::ParticipantId site, std::string message) override;
  absl::StatusOr<std::optional<SiteEvent>> Next(std::chrono::system_clock::time_point until) override;

  absl::Status Admit(const Peer& peer) override;
  void OnConnected(const std::string& site) override;
  void OnMessage(const std::string& site, std::string message) override;
  void OnDisconnected(const std::string& site) override;

 private:
  std::string Welcome() const;
  void Push(SiteEvent::Kind kind, const std::string& site, messages::SiteMessage message = {});
  void ShowOnline(const std::string& site, bool is_online);

  const SignedManifest& manifest_;
  const Gatekeeper gatekeeper_;
  const std::function<bool()> is_stopping_;
  const Clock& clock_;
  Log& log_;
  StatusBoard& board_;
  Switchboard* switchboard_ = nullptr;

  mutable std::mutex mutex_;
  std::condition_variable something_happened_;
  StudyRoster roster_;
  std::string roster_bytes_;
  secagg::Signature roster_signature_{};
  std::map<std::string, secagg::ParticipantId> id_of_;
  std::set<std::string> connected_;
  std::set<std::string> consenting_;  // of those connected
  std::deque<SiteEvent> events_;
  std::map<std::string, std::size_t> queued_bytes_;  // of each site, in events_
  bool is_over_ = false;
};

}  // namespace flaim::runtime
