#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "base/clock.h"
#include "runtime/transport/link/coordinator_link.h"

namespace flaim::runtime {

// One thing that was looked at, and what was found.
struct ProbeStep {
  std::string name;     // "name resolution"
  absl::Status status;  // if not OK, with what to do
  std::string found{};  // if OK: "coordinator.example.org is 192.0.2.7"
};

struct ProbeReport {
  std::vector<ProbeStep> steps;  // in order, up to the first that failed

  absl::Status status() const { return steps.empty() ? absl::OkStatus() : steps.back().status; }
};

// Walks the way that a link takes, one step after the other: the site's own certificate, name resolution, TCP, TLS, the
// coordinator's certificate, and whether the coordinator accepts the site's. For people who look for a fault; takes at
// most about the timeout for each step, plus what the system's name resolution takes. Says nothing to the coordinator
// but what a handshake says. Where there is no way but through a proxy, gRPC, which knows of it, is asked to find it.
ProbeReport Probe(const LinkOptions& options, const Clock& clock);

// OK, or the status of the step that failed.
absl::Status ProbeConnection(const LinkOptions& options);

}  // namespace flaim::runtime
