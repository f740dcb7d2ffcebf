#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/identity/tls_identity.h"
#include "runtime/transport/switchboard/switchboard.h"

namespace flaim::runtime {

// What a site is told about its connection. Called from one thread of the link; must return soon.
class LinkEvents {
 public:
  virtual ~LinkEvents() = default;
  virtual void OnConnected() = 0;
  virtual void OnMessage(std::string message) = 0;
  // Lost, refused or never made; the link tries again after `retry_in`, with back-off. The status says what to do:
  // Unavailable for a network that is down or a coordinator that stops; Unauthenticated for a certificate, of either
  // side, that the other does not accept; AlreadyExists if another program is connected with the same identity;
  // ResourceExhausted for a message that was too large; otherwise, PermissionDenied as a rule, the coordinator's own
  // refusal. Not called for Stop.
  virtual void OnDisconnected(const absl::Status& reason, std::chrono::milliseconds retry_in) = 0;
};

struct LinkOptions {
  std::string address;   // host:port
  TlsIdentity identity;  // of the site
  // The name in the coordinator's certificate, if it is not the host of the address.
  std::string server_name{};
  std::chrono::milliseconds timeout{30'000};
  std::chrono::milliseconds first_retry{500};
  std::chrono::milliseconds longest_retry{30'000};
  std::size_t max_message_bytes = std::size_t{256} << 20;
  std::size_t max_frame_bytes = std::size_t{1} << 20;
};

// The site's end: dials out, keeps the connection alive, and dials again whenever it is lost. Honours the proxy that
// https_proxy and no_proxy name (HTTP CONNECT). Thread-safe.
class CoordinatorLink {
 public:
  // `events` must outlive it.
  static absl::StatusOr<std::unique_ptr<CoordinatorLink>> Start(const LinkOptions& options, LinkEvents& events);
  virtual ~CoordinatorLink() = default;

  // Unavailable while there is no connection: what was to be said is said again once there is one.
  virtual absl::Status Send(std::string message) = 0;
  virtual LinkTraffic traffic() const = 0;
  // Sends what is queued and hangs up, or gives up after `grace`; calls nothing any more once it returns. Not to be
  // called by the events.
  virtual void Stop(std::chrono::milliseconds grace) = 0;
};

// The questions of a site that has no certificate yet. It knows of the authority only the fingerprint in its invite
// code: a server whose certificate such an authority did not sign is refused before anything is said to it.
struct UnknownSite {
  std::string address;
  Digest authority_fingerprint{};
  std::chrono::milliseconds timeout{30'000};
};
absl::StatusOr<EnrolmentService::Reception> Enrol(const UnknownSite& site,
                                                  const EnrolmentService::Application& application);
absl::StatusOr<EnrolmentService::Collection> Collect(const UnknownSite& site, const std::string& invite_secret,
                                                     const std::string& verifying_key);

}  // namespace flaim::runtime
