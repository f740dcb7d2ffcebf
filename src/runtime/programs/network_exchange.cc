#include "runtime/programs/network_exchange.h"

#include <algorithm>

#include "base/status.h"
#include "messages.pb.h"
#include "runtime/messages/digest_bytes.h"
#include "runtime/programs/look_up.h"

namespace flaim::runtime {
namespace {

constexpr std::size_t kMostQueuedBytes = std::size_t{512} << 20;

std::string Farewell() {
  messages::CoordinatorMessage out;
  out.mutable_farewell();
  return out.SerializeAsString();
}

}  // namespace

void NetworkExchange::BeginStudy(const StudyRoster& roster, const secagg::Signature& signature) {
  std::set<std::string> connected;
  {
    const std::lock_guard lock(mutex_);
    roster_ = roster;
    roster_bytes_ = Encode(roster);
    roster_signature_ = signature;
    for (std::size_t i = 0; i < roster.sites.size(); ++i) {
      id_of_[roster.sites[i]] = static_cast<secagg::ParticipantId>(i);
    }
    connected = connected_;
  }
  for (const std::string& site : connected) (void)switchboard_->Send(site, Welcome());
}

std::string NetworkExchange::Welcome() const {
  const std::lock_guard lock(mutex_);
  messages::CoordinatorMessage out;
  messages::Welcome& welcome = *out.mutable_welcome();
  welcome.set_manifest(manifest_.text);
  welcome.set_manifest_signature(manifest_.signature.data(), manifest_.signature.size());
  if (!roster_bytes_.empty()) {
    welcome.set_roster(roster_bytes_);
    welcome.set_roster_signature(roster_signature_.data(), roster_signature_.size());
  }
  return out.SerializeAsString();
}

std::size_t NetworkExchange::Ready() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(consenting_.begin(), consenting_.end(),
                                                [this](const std::string& site) { return id_of_.contains(site); }));
}

void NetworkExchange::SayFarewell() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  for (const std::string& site : switchboard_->Connected()) (void)switchboard_->Send(site, Farewell());
}

void NetworkExchange::Attach(Switchboard& switchboard) {
  const std::lock_guard lock(mutex_);
  switchboard_ = &switchboard;
}

absl::Status NetworkExchange::Admit(const Peer& peer) {
  {
    const std::lock_guard lock(mutex_);
    if (switchboard_ == nullptr) return absl::UnavailableError("the coordinator is starting: try again");
  }
  return gatekeeper_(peer);
}

bool NetworkExchange::IsReady(secagg::ParticipantId site) const {
  const std::lock_guard lock(mutex_);
  return consenting_.contains(roster_.sites[site]);
}

void NetworkExchange::Send(secagg::ParticipantId site, std::string message) {
  std::string name;
  {
    const std::lock_guard lock(mutex_);
    name = roster_.sites[site];
  }
  const absl::Status sent = switchboard_->Send(name, std::move(message));
  if (absl::IsResourceExhausted(sent)) {
    log_.Warning("site does not read", {{"site", name}});
    switchboard_->Disconnect(name);
  }
}

absl::StatusOr<std::optional<SiteEvent>> NetworkExchange::Next(std::chrono::system_clock::time_point until) {
  std::unique_lock lock(mutex_);
  const auto stop = [this]() -> absl::Status {
    return is_stopping_() ? absl::CancelledError("asked to stop; `flaim coordinator run` goes on from here")
                          : absl::OkStatus();
  };
  RETURN_IF_ERROR(stop());
  while (events_.empty()) {
    RETURN_IF_ERROR(stop());
    const auto now = clock_.Now();
    if (now >= until) return std::optional<SiteEvent>();
    something_happened_.wait_for(lock, std::min<std::chrono::system_clock::duration>(kLookUp, until - now));
  }
  SiteEvent event = std::move(events_.front());
  events_.pop_front();
  queued_bytes_[roster_.sites[event.site]] -= event.message.ByteSizeLong();
  return std::optional<SiteEvent>(std::move(event));
}

void NetworkExchange::Push(SiteEvent::Kind kind, const std::string& site, messages::SiteMessage message) {
  const std::lock_guard lock(mutex_);
  const auto id = id_of_.find(site);
  if (id == id_of_.end()) return;
  // A site has one answer under way at a time: one that says much more is not listened to.
  std::size_t& queued = queued_bytes_[site];
  const std::size_t bytes = message.ByteSizeLong();
  if (queued + bytes > kMostQueuedBytes) return;
  queued += bytes;
  events_.push_back({kind, id->second, std::move(message)});
  something_happened_.notify_all();
}

void NetworkExchange::ShowOnline(const std::string& site, bool is_online) {
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::milliseconds>(clock_.Now().time_since_epoch()).count();
  board_.Update([&](StudyStatus& status) {
    for (SiteStatus& shown : status.sites) {
      if (shown.name != site) continue;
      shown.is_online = is_online;
      shown.last_seen_unix_ms = now;
    }
  });
}

void NetworkExchange::OnConnected(const std::string& site) {
  {
    const std::lock_guard lock(mutex_);
    connected_.insert(site);
  }
  log_.Info("site connected", {{"site", site}});
  ShowOnline(site, true);
  (void)switchboard_->Send(site, Welcome());
  const std::lock_guard lock(mutex_);
  if (is_over_) (void)switchboard_->Send(site, Farewell());
}

void NetworkExchange::OnMessage(const std::string& site, std::string message) {
  messages::SiteMessage in;
  if (!in.ParseFromString(message)) {
    log_.Warning("message cannot be read", {{"site", site}});
    return;
  }
  if (!in.has_hello()) return Push(SiteEvent::Kind::kMessage, site, std::move(in));
  if (in.hello().manifest() != BytesOf(manifest_.digest())) {
    log_.Warning("site has not consented to this manifest", {{"site", site}});
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    consenting_.insert(site);
  }
  Push(SiteEvent::Kind::kReady, site);
}

void NetworkExchange::OnDisconnected(const std::string& site) {
  {
    const std::lock_guard lock(mutex_);
    connected_.erase(site);
    consenting_.erase(site);
  }
  log_.Info("site disconnected", {{"site", site}});
  ShowOnline(site, false);
  Push(SiteEvent::Kind::kGone, site);
}

}  // namespace flaim::runtime
