#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "grpcpp/channel.h"
#include "grpcpp/client_context.h"
#include "runtime/identity/certificate.h"
#include "runtime/transport/link/coordinator_link.h"
#include "runtime/transport/switchboard/switchboard.h"
#include "transport.grpc.pb.h"

namespace flaim::runtime {

// How long a test waits for what must happen. Far longer than it takes: only a failure waits that long.
inline constexpr std::chrono::seconds kPatience{60};

// A study's authority and the identities that it has signed.
class TestStudy {
 public:
  explicit TestStudy(const Clock& clock = SystemClock());

  const CertificateAuthority& authority() const { return authority_; }
  // For 127.0.0.1, localhost and coordinator.test.
  TlsIdentity Coordinator(const Clock& clock = SystemClock()) const;
  TlsIdentity Site(const std::string& name, const Clock& clock = SystemClock()) const;

 private:
  CertificateAuthority authority_;
};

// A clock that showed the time some days ago, or shows that of some days to come.
ManualClock DaysFromNow(int days);

// Writes down what it is told, in order, and lets a test wait for it.
class EventRecord {
 public:
  void Add(const std::string& who, const std::string& what);
  std::vector<std::string> Of(const std::string& who) const;
  // False if it did not happen within kPatience.
  bool WaitFor(const std::string& who, const std::string& what, std::size_t times = 1) const;
  bool WaitUntil(const std::function<bool(const std::map<std::string, std::vector<std::string>>&)>& condition) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::map<std::string, std::vector<std::string>> events_;
};

// The coordinator of a test: records "connected", "disconnected" and summaries of messages.
class RecordingCoordinator : public SwitchboardEvents, public EnrolmentService {
 public:
  absl::Status Admit(const Peer& peer) override;
  void OnConnected(const std::string& site) override;
  void OnMessage(const std::string& site, std::string message) override;
  void OnDisconnected(const std::string& site) override;
  absl::StatusOr<Reception> Enrol(const Application& application) override;
  absl::StatusOr<Collection> Collect(const std::string& invite_secret, const std::string& verifying_key) override;

  EventRecord record;
  // Set before the start.
  std::function<absl::Status(const Peer&)> admit = [](const Peer&) { return absl::OkStatus(); };
  std::function<void(const std::string& site, const std::string& message)> on_message = [](const std::string&,
                                                                                           const std::string&) {};
  std::function<absl::StatusOr<Reception>(const Application&)> enrol;
  std::function<absl::StatusOr<Collection>(const std::string&, const std::string&)> collect;

  // Whether events of one site ever overlapped, or came in an order that makes no sense.
  std::vector<std::string> complaints() const;

 private:
  void Enter(const std::string& site);
  void Leave(const std::string& site);
  void Expect(const std::string& site, bool is_connected);

  mutable std::mutex mutex_;
  std::map<std::string, int> inside_;
  std::map<std::string, bool> connected_;
  std::vector<std::string> complaints_;
};

// The site of a test: records under its name.
class RecordingSite : public LinkEvents {
 public:
  RecordingSite(std::string name, EventRecord& record) : name_(std::move(name)), record_(record) {}
  void OnConnected() override;
  void OnMessage(std::string message) override;
  void OnDisconnected(const absl::Status& reason, std::chrono::milliseconds retry_in) override;

  bool WaitUntilConnected() const { return record_.WaitFor(name_, "connected"); }
  std::vector<absl::Status> reasons() const;
  std::function<void(const std::string& message)> on_message = [](const std::string&) {};

 private:
  const std::string name_;
  EventRecord& record_;
  mutable std::mutex mutex_;
  std::vector<absl::Status> reasons_;
};

// A study with a coordinator that is running.
struct TestExchange {
  // The port is free, the timeout long, unless the options say otherwise.
  explicit TestExchange(SwitchboardOptions options = {});

  // Stops it, and starts it again on the same port.
  void Restart();
  LinkOptions OptionsFor(const std::string& site) const;
  // Returns once both ends know of the connection.
  std::unique_ptr<CoordinatorLink> Connect(const std::string& name, RecordingSite& site) const;

  TestStudy study;
  RecordingCoordinator coordinator;
  SwitchboardOptions options;
  std::unique_ptr<Switchboard> switchboard;
  std::string address;
};

// A peer that speaks gRPC, but not as CoordinatorLink does.
class RawSite {
 public:
  using Stream = grpc::ClientReaderWriter<transport::Frame, transport::Frame>;

  RawSite(const std::string& address, const TlsIdentity& identity, const std::string& instance);

  Stream& stream() { return *stream_; }
  bool Write(const std::string& piece, bool is_last);
  // Until the coordinator ends the call.
  grpc::Status ReadToEnd();
  // Whether it is let in.
  bool IsAdmitted();
  void Cancel() { context_.TryCancel(); }

 private:
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<transport::Coordinator::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<Stream> stream_;
};

// A short message itself, or the length and a hash.
std::string Summary(const std::string& message);

// Of that many bytes, different for each seed.
std::string TestMessage(std::size_t bytes, unsigned seed);

}  // namespace flaim::runtime
