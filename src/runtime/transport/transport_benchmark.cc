#include <benchmark/benchmark.h>

#include <condition_variable>
#include <mutex>

#include "fmt/format.h"
#include "runtime/identity/certificate.h"
#include "runtime/transport/link/coordinator_link.h"
#include "runtime/transport/switchboard/switchboard.h"

// One site and the coordinator over loopback with TLS: the site sends, the coordinator receives.

namespace flaim::runtime {
namespace {

class CountingCoordinator final : public SwitchboardEvents, public EnrolmentService, public LinkEvents {
 public:
  absl::Status Admit(const Peer& /*peer*/) override { return absl::OkStatus(); }
  void OnConnected(const std::string& /*site*/) override {}
  void OnMessage(const std::string& /*site*/, std::string /*message*/) override {
    const std::lock_guard lock(mutex_);
    ++messages_;
    changed_.notify_all();
  }
  void OnDisconnected(const std::string& /*site*/) override {}
  absl::StatusOr<Reception> Enrol(const Application& /*application*/) override { return Reception{}; }
  absl::StatusOr<Collection> Collect(const std::string& /*secret*/, const std::string& /*key*/) override {
    return Collection{};
  }
  void OnConnected() override {
    const std::lock_guard lock(mutex_);
    is_connected_ = true;
    changed_.notify_all();
  }
  void OnMessage(std::string /*message*/) override {}
  void OnDisconnected(const absl::Status& /*reason*/, std::chrono::milliseconds /*retry_in*/) override {}

  void WaitForConnection() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_connected_; });
  }
  void WaitForMessages(std::size_t messages) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return messages_ >= messages; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t messages_ = 0;
  bool is_connected_ = false;
};

void BM_SiteToCoordinator(benchmark::State& state) {
  const SystemClock clock;
  const CertificateAuthority authority = CertificateAuthority::Create("benchmark", clock).value();
  const std::string key = MakePrivateKey().value();
  CountingCoordinator coordinator;
  SwitchboardOptions options;
  options.listen = "127.0.0.1:0";
  options.identity = {.certificate = authority.IssueForServer(key, {"127.0.0.1"}, clock).value(),
                      .private_key = key,
                      .authority = authority.certificate()};
  const auto switchboard = Switchboard::Start(options, coordinator, coordinator).value();
  LinkOptions link_options;
  link_options.address = fmt::format("127.0.0.1:{}", switchboard->port());
  link_options.identity = {
      .certificate = authority.IssueForSite(MakeSigningRequest(key, "a").value(), "a", clock).value(),
      .private_key = key,
      .authority = authority.certificate()};
  const auto link = CoordinatorLink::Start(link_options, coordinator).value();
  coordinator.WaitForConnection();

  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::size_t batch = bytes > 100'000 ? 4 : 200;
  std::size_t sent = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < batch; ++i) {
      if (!link->Send(std::string(bytes, 'x')).ok()) state.SkipWithError("not sent");
    }
    sent += batch;
    coordinator.WaitForMessages(sent);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(sent));
  state.SetBytesProcessed(static_cast<std::int64_t>(sent * bytes));
}
BENCHMARK(BM_SiteToCoordinator)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Arg(20'000'000)->UseRealTime();

}  // namespace
}  // namespace flaim::runtime
