#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/identity/tls_identity.h"

namespace flaim::runtime {

// Who is at the other end, by a certificate that the study's authority has signed.
struct Peer {
  std::string site;      // the certificate's name
  Digest fingerprint{};  // of the certificate
};

// What the coordinator is told about its sites. Called from threads of the transport, for one site never two at once;
// must return soon, and must not call back into the switchboard except Send.
class SwitchboardEvents {
 public:
  virtual ~SwitchboardEvents() = default;
  // Whether the peer may be connected: PermissionDenied, with what to do, if not.
  virtual absl::Status Admit(const Peer& peer) = 0;
  virtual void OnConnected(const std::string& site) = 0;
  virtual void OnMessage(const std::string& site, std::string message) = 0;
  virtual void OnDisconnected(const std::string& site) = 0;
};

// What somebody without a certificate may ask. Called from threads of the transport, several at once.
class EnrolmentService {
 public:
  struct Application {
    std::string invite_secret;
    std::string signing_request;
    std::string verifying_key;
    std::string signature;
  };
  struct Reception {
    std::string site;
    std::string manifest;
    std::string signature;
  };
  struct Collection {
    bool is_pending = true;
    std::string certificate;
    std::string authority;
  };
  virtual ~EnrolmentService() = default;
  virtual absl::StatusOr<Reception> Enrol(const Application& application) = 0;
  virtual absl::StatusOr<Collection> Collect(const std::string& invite_secret, const std::string& verifying_key) = 0;
};

struct SwitchboardOptions {
  std::string listen = "0.0.0.0:7443";  // port 0: any that is free
  TlsIdentity identity;                 // of the coordinator
  std::chrono::milliseconds timeout{30'000};
  std::size_t max_message_bytes = std::size_t{256} << 20;
  std::size_t max_frame_bytes = std::size_t{1} << 20;
  std::size_t max_queued_bytes = std::size_t{512} << 20;  // for one site that does not read
};

// What went over one site's connections since the start: messages and the bytes in them.
struct LinkTraffic {
  std::uint64_t sent_messages = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t received_messages = 0;
  std::uint64_t received_bytes = 0;
};

// The coordinator's end of all connections: one gRPC port over mutual TLS, a long-lived stream for each site. Thread
// safe. A site that is connected already is refused a second time, unless it is the same process that lost its
// connection (CoordinatorLink tells by a number it drew when it started), which replaces the old one. A peer that sends
// too much, or anything that is not a frame, is disconnected.
class Switchboard {
 public:
  // Both must outlive it.
  static absl::StatusOr<std::unique_ptr<Switchboard>> Start(const SwitchboardOptions& options,
                                                            EnrolmentService& enrolment, SwitchboardEvents& events);
  virtual ~Switchboard() = default;

  virtual int port() const = 0;
  // Queues a message. NotFound if the site is not connected, ResourceExhausted if it does not read what it is sent.
  virtual absl::Status Send(const std::string& site, std::string message) = 0;
  virtual void Disconnect(const std::string& site) = 0;
  virtual std::vector<std::string> Connected() const = 0;
  virtual LinkTraffic TrafficOf(const std::string& site) const = 0;
  // Sends what is queued, ends all connections, and calls nothing any more once it returns. Gives up on queues after
  // `grace`.
  virtual void Stop(std::chrono::milliseconds grace) = 0;
};

}  // namespace flaim::runtime
