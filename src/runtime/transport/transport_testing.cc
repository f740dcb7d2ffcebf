#include "runtime/transport/transport_testing.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "grpcpp/security/credentials.h"
#include "gtest/gtest.h"
#include "runtime/transport/link/client_channel.h"
#include "runtime/transport/switchboard/site_connection.h"

namespace flaim::runtime {
namespace {

CertificateAuthority MakeAuthority(const Clock& clock) {
  absl::StatusOr<CertificateAuthority> authority = CertificateAuthority::Create("test", clock);
  EXPECT_TRUE(authority.ok()) << authority.status();
  return *std::move(authority);
}

}  // namespace

TestStudy::TestStudy(const Clock& clock) : authority_(MakeAuthority(clock)) {}

TlsIdentity TestStudy::Coordinator(const Clock& clock) const {
  const std::string key = MakePrivateKey().value();
  return {.certificate = authority_.IssueForServer(key, {"127.0.0.1", "localhost", "coordinator.test"}, clock).value(),
          .private_key = key,
          .authority = authority_.certificate()};
}

TlsIdentity TestStudy::Site(const std::string& name, const Clock& clock) const {
  const std::string key = MakePrivateKey().value();
  const std::string request = MakeSigningRequest(key, name).value();
  return {.certificate = authority_.IssueForSite(request, name, clock).value(),
          .private_key = key,
          .authority = authority_.certificate()};
}

ManualClock DaysFromNow(int days) { return ManualClock(std::chrono::system_clock::now() + std::chrono::days(days)); }

void EventRecord::Add(const std::string& who, const std::string& what) {
  const std::lock_guard lock(mutex_);
  events_[who].push_back(what);
  changed_.notify_all();
}

std::vector<std::string> EventRecord::Of(const std::string& who) const {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(who);
  return found == events_.end() ? std::vector<std::string>{} : found->second;
}

bool EventRecord::WaitFor(const std::string& who, const std::string& what, std::size_t times) const {
  return WaitUntil([&](const auto& events) {
    const auto found = events.find(who);
    return found != events.end() &&
           std::count(found->second.begin(), found->second.end(), what) >= static_cast<std::ptrdiff_t>(times);
  });
}

bool EventRecord::WaitUntil(
    const std::function<bool(const std::map<std::string, std::vector<std::string>>&)>& condition) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return condition(events_); });
}

void RecordingCoordinator::Enter(const std::string& site) {
  const std::lock_guard lock(mutex_);
  if (++inside_[site] != 1) complaints_.push_back(fmt::format("two events of {} at once", site));
}

void RecordingCoordinator::Leave(const std::string& site) {
  const std::lock_guard lock(mutex_);
  --inside_[site];
}

void RecordingCoordinator::Expect(const std::string& site, bool is_connected) {
  const std::lock_guard lock(mutex_);
  if (connected_[site] != is_connected) complaints_.push_back(fmt::format("an event of {} out of order", site));
}

std::vector<std::string> RecordingCoordinator::complaints() const {
  const std::lock_guard lock(mutex_);
  return complaints_;
}

absl::Status RecordingCoordinator::Admit(const Peer& peer) { return admit(peer); }

void RecordingCoordinator::OnConnected(const std::string& site) {
  Enter(site);
  Expect(site, false);
  {
    const std::lock_guard lock(mutex_);
    connected_[site] = true;
  }
  record.Add(site, "connected");
  Leave(site);
}

void RecordingCoordinator::OnMessage(const std::string& site, std::string message) {
  Enter(site);
  Expect(site, true);
  record.Add(site, Summary(message));
  on_message(site, message);
  Leave(site);
}

void RecordingCoordinator::OnDisconnected(const std::string& site) {
  Enter(site);
  Expect(site, true);
  {
    const std::lock_guard lock(mutex_);
    connected_[site] = false;
  }
  record.Add(site, "disconnected");
  Leave(site);
}

absl::StatusOr<EnrolmentService::Reception> RecordingCoordinator::Enrol(const Application& application) {
  record.Add("enrolment", application.invite_secret);
  return enrol(application);
}

absl::StatusOr<EnrolmentService::Collection> RecordingCoordinator::Collect(const std::string& invite_secret,
                                                                           const std::string& verifying_key) {
  return collect(invite_secret, verifying_key);
}

void RecordingSite::OnConnected() { record_.Add(name_, "connected"); }

void RecordingSite::OnMessage(std::string message) {
  record_.Add(name_, Summary(message));
  on_message(message);
}

void RecordingSite::OnDisconnected(const absl::Status& reason, std::chrono::milliseconds /*retry_in*/) {
  {
    const std::lock_guard lock(mutex_);
    reasons_.push_back(reason);
  }
  record_.Add(name_, "disconnected");
}

std::vector<absl::Status> RecordingSite::reasons() const {
  const std::lock_guard lock(mutex_);
  return reasons_;
}

TestExchange::TestExchange(SwitchboardOptions given) : options(std::move(given)) {
  options.listen = "127.0.0.1:0";
  options.identity = study.Coordinator();
  Restart();
}

void TestExchange::Restart() {
  switchboard.reset();
  absl::StatusOr<std::unique_ptr<Switchboard>> started = Switchboard::Start(options, coordinator, coordinator);
  if (!started.ok()) {
    ADD_FAILURE() << started.status();
    return;
  }
  switchboard = *std::move(started);
  address = fmt::format("127.0.0.1:{}", switchboard->port());
  options.listen = address;
}

LinkOptions TestExchange::OptionsFor(const std::string& site) const {
  LinkOptions result;
  result.address = address;
  result.identity = study.Site(site);
  result.first_retry = std::chrono::milliseconds(20);
  result.longest_retry = std::chrono::milliseconds(200);
  return result;
}

std::unique_ptr<CoordinatorLink> TestExchange::Connect(const std::string& name, RecordingSite& site) const {
  absl::StatusOr<std::unique_ptr<CoordinatorLink>> link = CoordinatorLink::Start(OptionsFor(name), site);
  EXPECT_TRUE(link.ok()) << link.status();
  EXPECT_TRUE(coordinator.record.WaitFor(name, "connected"));
  EXPECT_TRUE(site.WaitUntilConnected());
  return link.ok() ? *std::move(link) : nullptr;
}

RawSite::RawSite(const std::string& address, const TlsIdentity& identity, const std::string& instance) {
  const grpc::SslCredentialsOptions tls{.pem_root_certs = identity.authority,
                                        .pem_private_key = identity.private_key,
                                        .pem_cert_chain = identity.certificate};
  channel_ = Dial({.address = address,
                   .server_name = "",
                   .timeout = std::chrono::seconds(30),
                   .max_frame_bytes = std::size_t{1} << 20},
                  grpc::SslCredentials(tls));
  stub_ = transport::Coordinator::NewStub(channel_);
  if (!instance.empty()) context_.AddMetadata(kInstanceKey, instance);
  stream_ = stub_->Serve(&context_);
}

bool RawSite::Write(const std::string& piece, bool is_last) {
  transport::Frame frame;
  frame.set_piece(piece);
  frame.set_is_last(is_last);
  return stream_->Write(frame);
}

grpc::Status RawSite::ReadToEnd() {
  transport::Frame frame;
  while (stream_->Read(&frame)) {
  }
  return stream_->Finish();
}

bool RawSite::IsAdmitted() {
  stream_->WaitForInitialMetadata();
  return context_.GetServerInitialMetadata().contains(kAdmittedKey);
}

std::string Summary(const std::string& message) {
  if (message.size() <= 32) return message;
  return fmt::format("{} bytes {:x}", message.size(), std::hash<std::string>()(message));
}

std::string TestMessage(std::size_t bytes, unsigned seed) {
  std::string message(bytes, '\0');
  std::uint32_t state = seed * 2654435761U + 1;
  for (char& byte : message) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24);
  }
  return message;
}

}  // namespace flaim::runtime
