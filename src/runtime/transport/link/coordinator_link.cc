#include "runtime/transport/link/coordinator_link.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/secure_random_source.h"
#include "base/status.h"
#include "grpcpp/security/credentials.h"
#include "runtime/identity/network_address.h"
#include "runtime/transport/link/client_channel.h"
#include "runtime/transport/link/connection_failure.h"
#include "runtime/transport/link/link_stream.h"
#include "runtime/transport/link/retry_schedule.h"
#include "runtime/transport/stream/keep_alive.h"
#include "runtime/transport/tls/certificate_chain.h"

namespace flaim::runtime {
namespace {

using Time = std::chrono::steady_clock::time_point;

struct Admitted {};
struct Arrived {
  std::string message;
};
struct Ended {
  absl::Status status;
};
FrameLimits LimitsOf(const LinkOptions& options) {
  return {.max_message_bytes = options.max_message_bytes,
          .max_frame_bytes = options.max_frame_bytes,
          .max_queued_bytes = 2 * options.max_message_bytes};
}

using StreamEvent = std::variant<Admitted, Arrived, Ended>;

// gRPC's threads put what happens to the stream into a queue; the link's own thread takes it out, tells the site, and
// keeps the time.
class GrpcLink final : public CoordinatorLink, private LinkStreamOwner {
 public:
  GrpcLink(const LinkOptions& options, LinkEvents& events)
      : options_(options),
        limits_(LimitsOf(options)),
        events_(events),
        schedule_(options.first_retry, options.longest_retry, random_),
        instance_(fmt::format("{:016x}{:016x}", random_.NextU64(), random_.NextU64())),
        thread_([this] { Run(); }) {}
  ~GrpcLink() override { Stop(std::chrono::milliseconds{0}); }

  absl::Status Send(std::string message) override;
  LinkTraffic traffic() const override { return traffic_.traffic(); }
  void Stop(std::chrono::milliseconds grace) override;

 private:
  void Run();
  // One connection, or the attempt at one, from beginning to end.
  absl::Status Connect();
  absl::Status Serve(LinkStream& stream);
  void BeginConnection();
  std::optional<StreamEvent> WaitForEvent();
  // False if the link is to stop instead.
  bool WaitForRetry(std::chrono::milliseconds time);
  void Observe(LinkStream& stream, Time now);

  void Push(StreamEvent event);
  void OnAdmitted() override { Push(Admitted{}); }
  void OnMessage(std::string message) override { Push(Arrived{std::move(message)}); }
  void OnEnded(absl::Status status) override { Push(Ended{std::move(status)}); }

  const LinkOptions options_;
  const FrameLimits limits_;
  LinkEvents& events_;
  TrafficCounter traffic_;
  SecureRandomSource random_;
  RetrySchedule schedule_;
  const std::string instance_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<StreamEvent> queue_;
  std::shared_ptr<LinkStream> stream_;
  std::optional<Time> connected_since_;
  std::optional<Time> stop_by_;

  std::mutex stop_mutex_;
  std::thread thread_;
};

absl::Status GrpcLink::Send(std::string message) {
  std::shared_ptr<LinkStream> stream;
  {
    const std::lock_guard lock(mutex_);
    if (!connected_since_ || stop_by_) return absl::UnavailableError("there is no connection to the coordinator");
    stream = stream_;
  }
  return stream->Send(std::move(message));
}

void GrpcLink::Stop(std::chrono::milliseconds grace) {
  const std::lock_guard stop_lock(stop_mutex_);
  if (!thread_.joinable()) return;
  CHECK(thread_.get_id() != std::this_thread::get_id(), "a link cannot be stopped by the events it calls");
  {
    const std::lock_guard lock(mutex_);
    stop_by_ = std::chrono::steady_clock::now() + grace;
  }
  changed_.notify_all();
  thread_.join();
}

void GrpcLink::Push(StreamEvent event) {
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(event));
  changed_.notify_all();
}

void GrpcLink::Run() {
  for (;;) {
    const absl::Status reason = Connect();
    {
      const std::lock_guard lock(mutex_);
      if (stop_by_) return;
    }
    const std::chrono::milliseconds retry_in = schedule_.Next();
    events_.OnDisconnected(reason, retry_in);
    if (!WaitForRetry(retry_in)) return;
  }
}

absl::Status GrpcLink::Connect() {
  grpc::SslCredentialsOptions tls{.pem_root_certs = options_.identity.authority,
                                  .pem_private_key = options_.identity.private_key,
                                  .pem_cert_chain = options_.identity.certificate};
  const std::shared_ptr<grpc::Channel> channel = Dial({.address = options_.address,
                                                       .server_name = options_.server_name,
                                                       .timeout = options_.timeout,
                                                       .max_frame_bytes = options_.max_frame_bytes},
                                                      grpc::SslCredentials(tls));
  const auto stream =
      std::make_shared<LinkStream>(channel, instance_, limits_, traffic_, static_cast<LinkStreamOwner&>(*this));
  {
    const std::lock_guard lock(mutex_);
    stream_ = stream;
  }
  absl::Status status = Serve(*stream);
  const Time now = std::chrono::steady_clock::now();
  std::optional<Time> connected_since;
  bool is_stopping;
  {
    const std::lock_guard lock(mutex_);
    stream_ = nullptr;
    connected_since = std::exchange(connected_since_, std::nullopt);
    is_stopping = stop_by_.has_value();
  }
  if (connected_since && now - *connected_since >= options_.first_retry) schedule_.Reset();
  if (connected_since || is_stopping) return ExplainLoss(status);
  return ExplainFailure(status, options_);
}

absl::Status GrpcLink::Serve(LinkStream& stream) {
  for (;;) {
    std::optional<StreamEvent> event = WaitForEvent();
    Observe(stream, std::chrono::steady_clock::now());
    if (!event) continue;
    if (const Ended* ended = std::get_if<Ended>(&*event)) return ended->status;
    if (Arrived* arrived = std::get_if<Arrived>(&*event)) {
      events_.OnMessage(std::move(arrived->message));
    } else {
      BeginConnection();
    }
    stream.ReadNext();
  }
}

void GrpcLink::BeginConnection() {
  {
    const std::lock_guard lock(mutex_);
    if (stop_by_) return;
    connected_since_ = std::chrono::steady_clock::now();
  }
  events_.OnConnected();
}

std::optional<StreamEvent> GrpcLink::WaitForEvent() {
  const KeepAlive keep_alive(options_.timeout);
  std::unique_lock lock(mutex_);
  const Time now = std::chrono::steady_clock::now();
  const bool was_stopping = stop_by_.has_value();
  Time until = now + keep_alive.look_every;
  if (stop_by_ && *stop_by_ > now) until = std::min(until, *stop_by_);
  changed_.wait_until(lock, until, [&] { return !queue_.empty() || (stop_by_.has_value() && !was_stopping); });
  if (queue_.empty()) return std::nullopt;
  StreamEvent event = std::move(queue_.front());
  queue_.pop_front();
  return event;
}

void GrpcLink::Observe(LinkStream& stream, Time now) {
  std::optional<Time> stop_by;
  bool is_connected;
  {
    const std::lock_guard lock(mutex_);
    stop_by = stop_by_;
    is_connected = connected_since_.has_value();
  }
  if (stop_by && (!is_connected || now >= *stop_by)) {
    stream.Abort(absl::CancelledError("the link was stopped"));
  } else if (stop_by) {
    stream.HangUp();
  }
  stream.CheckProgress(now, options_.timeout);
}

bool GrpcLink::WaitForRetry(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return stop_by_.has_value(); });
}

}  // namespace

absl::StatusOr<std::unique_ptr<CoordinatorLink>> CoordinatorLink::Start(const LinkOptions& options,
                                                                        LinkEvents& events) {
  RETURN_IF_ERROR(ParseNetworkAddress(options.address).status());
  RETURN_IF_ERROR(CheckIdentity(options.identity));
  RETURN_IF_ERROR(CheckLimits(LimitsOf(options), options.timeout));
  return std::make_unique<GrpcLink>(options, events);
}

}  // namespace flaim::runtime
