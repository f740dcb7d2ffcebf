#include "runtime/transport/switchboard/switchboard.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/status.h"
#include "runtime/transport/stream/keep_alive.h"
#include "runtime/transport/switchboard/coordinator_service.h"
#include "runtime/transport/switchboard/server_port.h"
#include "runtime/transport/tls/certificate_chain.h"

namespace flaim::runtime {
namespace {

using Connection = std::shared_ptr<SiteConnection>;

FrameLimits LimitsOf(const SwitchboardOptions& options) {
  return {.max_message_bytes = options.max_message_bytes,
          .max_frame_bytes = options.max_frame_bytes,
          .max_queued_bytes = options.max_queued_bytes};
}

// What is kept of a site once it has shown its certificate, connected or not.
struct Site {
  Site(std::string site_name, EventThreads& threads) : name(std::move(site_name)), strand(threads) {}

  const std::string name;
  TrafficCounter traffic;
  Connection announced;  // the one of which OnConnected was the last that was said
  Strand strand;         // on which the site's events are told
};

class GrpcSwitchboard final : public Switchboard, private StreamAcceptor, private ConnectionOwner {
 public:
  GrpcSwitchboard(const SwitchboardOptions& options, EnrolmentService& enrolment, SwitchboardEvents& events)
      : options_(options), events_(events), threads_(EventThreadCount()), service_(enrolment, *this, threads_) {}
  ~GrpcSwitchboard() override { Stop(std::chrono::milliseconds{0}); }

  absl::Status Listen();

  int port() const override { return port_.port; }
  absl::Status Send(const std::string& site, std::string message) override;
  void Disconnect(const std::string& site) override;
  std::vector<std::string> Connected() const override;
  LinkTraffic TrafficOf(const std::string& site) const override;
  void Stop(std::chrono::milliseconds grace) override;

 private:
  static int EventThreadCount() { return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, 8); }

  Connection Accept(grpc::CallbackServerContext& context, Peer peer, std::string instance) override;
  void OnMessage(const Connection& connection, std::string message) override;
  void OnEnded(const Connection& connection) override;

  // On the strand of the site.
  void Welcome(Site& site, const Connection& connection);
  absl::Status CheckOnlyOne(const Connection& old, const SiteConnection& connection);
  void Deliver(Site& site, const Connection& connection, std::string message);
  void Forget(Site& site, const Connection& connection);

  Site& SiteOf(const std::string& name);
  Connection Find(const std::string& site) const;
  void Announce(Site& site, Connection connection);
  std::vector<Connection> AllConnections() const;
  void WatchProgress();

  const SwitchboardOptions options_;
  SwitchboardEvents& events_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::unique_ptr<Site>> sites_;
  std::set<Connection> connections_;  // all that gRPC or a strand still has to do with
  bool is_stopping_ = false;
  bool is_stopped_ = false;

  std::mutex stop_mutex_;
  EventThreads threads_;
  CoordinatorService service_;
  ServerPort port_;
  std::thread watch_;
};

absl::Status GrpcSwitchboard::Listen() {
  ASSIGN_OR_RETURN(port_, runtime::Listen(options_, service_));
  watch_ = std::thread([this] { WatchProgress(); });
  return absl::OkStatus();
}

Site& GrpcSwitchboard::SiteOf(const std::string& name) {
  std::unique_ptr<Site>& site = sites_[name];
  if (site == nullptr) site = std::make_unique<Site>(name, threads_);
  return *site;
}

Connection GrpcSwitchboard::Accept(grpc::CallbackServerContext& context, Peer peer, std::string instance) {
  const std::lock_guard lock(mutex_);
  if (is_stopping_) return nullptr;
  Site& site = SiteOf(peer.site);
  Connection connection =
      SiteConnection::Create(context, std::move(peer), std::move(instance), LimitsOf(options_), site.traffic, *this);
  connections_.insert(connection);
  site.strand.Post([this, &site, connection] { Welcome(site, connection); });
  return connection;
}

void GrpcSwitchboard::Welcome(Site& site, const Connection& connection) {
  if (connection->IsClosing()) return;
  const Connection old = Find(site.name);
  absl::Status admission = events_.Admit(connection->peer());
  if (admission.ok()) admission = CheckOnlyOne(old, *connection);
  if (!admission.ok()) {
    connection->Close(admission, false);
    return;
  }
  if (old != nullptr) {
    old->Close(absl::AbortedError("the same process has connected again"), false);
    Announce(site, nullptr);
    events_.OnDisconnected(site.name);
  }
  Announce(site, connection);
  events_.OnConnected(site.name);
  connection->ReadNext();
}

absl::Status GrpcSwitchboard::CheckOnlyOne(const Connection& old, const SiteConnection& connection) {
  if (old == nullptr || old->IsClosing() || old->instance() == connection.instance()) return absl::OkStatus();
  return absl::AlreadyExistsError(
      fmt::format("site {} is connected already, from another program with the same identity: two programs must not "
                  "run with one identity. Stop one of them; if the other has died, this one is let in within {} s",
                  connection.peer().site, std::chrono::ceil<std::chrono::seconds>(options_.timeout).count() + 1));
}

void GrpcSwitchboard::OnMessage(const Connection& connection, std::string message) {
  const std::lock_guard lock(mutex_);
  Site& site = SiteOf(connection->peer().site);
  site.strand.Post([this, &site, connection, message = std::move(message)]() mutable {
    Deliver(site, connection, std::move(message));
  });
}

void GrpcSwitchboard::Deliver(Site& site, const Connection& connection, std::string message) {
  if (Find(site.name) == connection) events_.OnMessage(site.name, std::move(message));
  connection->ReadNext();
}

void GrpcSwitchboard::OnEnded(const Connection& connection) {
  const std::lock_guard lock(mutex_);
  Site& site = SiteOf(connection->peer().site);
  site.strand.Post([this, &site, connection] { Forget(site, connection); });
}

void GrpcSwitchboard::Forget(Site& site, const Connection& connection) {
  if (Find(site.name) == connection) {
    Announce(site, nullptr);
    events_.OnDisconnected(site.name);
  }
  const std::lock_guard lock(mutex_);
  connections_.erase(connection);
  changed_.notify_all();
}

Connection GrpcSwitchboard::Find(const std::string& site) const {
  const std::lock_guard lock(mutex_);
  const auto found = sites_.find(site);
  return found == sites_.end() ? nullptr : found->second->announced;
}

void GrpcSwitchboard::Announce(Site& site, Connection connection) {
  const std::lock_guard lock(mutex_);
  // Whoever sees that the site is let in, the site itself included, finds that it can be sent to.
  if (connection != nullptr) connection->Admit();
  site.announced = std::move(connection);
}

absl::Status GrpcSwitchboard::Send(const std::string& site, std::string message) {
  const Connection connection = Find(site);
  if (connection == nullptr) return NotFound("site {} is not connected", site);
  absl::Status sent = connection->Send(std::move(message));
  if (absl::IsUnavailable(sent)) return NotFound("site {} is being disconnected", site);
  return sent;
}

void GrpcSwitchboard::Disconnect(const std::string& site) {
  const Connection connection = Find(site);
  if (connection != nullptr) connection->Close(absl::AbortedError("the coordinator has hung up"), false);
}

std::vector<std::string> GrpcSwitchboard::Connected() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, site] : sites_) {
    if (site->announced != nullptr) names.push_back(name);
  }
  return names;
}

LinkTraffic GrpcSwitchboard::TrafficOf(const std::string& site) const {
  const std::lock_guard lock(mutex_);
  const auto found = sites_.find(site);
  return found == sites_.end() ? LinkTraffic{} : found->second->traffic.traffic();
}

std::vector<Connection> GrpcSwitchboard::AllConnections() const {
  const std::lock_guard lock(mutex_);
  return {connections_.begin(), connections_.end()};
}

void GrpcSwitchboard::WatchProgress() {
  const KeepAlive keep_alive(options_.timeout);
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, keep_alive.look_every, [this] { return is_stopped_; })) {
    lock.unlock();
    const auto now = std::chrono::steady_clock::now();
    for (const Connection& connection : AllConnections()) connection->CheckProgress(now, options_.timeout);
    lock.lock();
  }
}

void GrpcSwitchboard::Stop(std::chrono::milliseconds grace) {
  const std::lock_guard stop_lock(stop_mutex_);
  if (port_.server == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  for (const Connection& connection : AllConnections()) {
    connection->Close(absl::UnavailableError("the coordinator is stopping"), true);
  }
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, grace, [this] { return connections_.empty(); });
  }
  for (const Connection& connection : AllConnections()) connection->Cancel();
  port_.server->Shutdown(std::chrono::system_clock::now());
  port_.server->Wait();
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return connections_.empty(); });
    is_stopped_ = true;
  }
  changed_.notify_all();
  watch_.join();
  port_.server.reset();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Switchboard>> Switchboard::Start(const SwitchboardOptions& options,
                                                                EnrolmentService& enrolment,
                                                                SwitchboardEvents& events) {
  RETURN_IF_ERROR(CheckIdentity(options.identity));
  RETURN_IF_ERROR(CheckLimits(LimitsOf(options), options.timeout));
  auto switchboard = std::make_unique<GrpcSwitchboard>(options, enrolment, events);
  RETURN_IF_ERROR(switchboard->Listen());
  return switchboard;
}

}  // namespace flaim::runtime
