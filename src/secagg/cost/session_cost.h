#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "privacy/numbers/rational.h"
#include "secagg/graph/graph_parameters.h"
#include "secagg/messages/terms.h"

namespace flaim::secagg {

// What a sum costs those who make it: whole sessions run in this process, by the real machines over encoded bytes, with
// fresh keys from the operating system. Nothing is extrapolated. What is not in it: the network, and counting.

enum class SumKind {
  kSecure,  // secure_client.h and secure_server.h
  kPlain,   // its twin in the clear, clear_sum.h: what the sum would cost anyway
};

struct SessionSetting {
  SumKind kind = SumKind::kSecure;
  ParticipantBounds bounds;
  int vanishing = 0;  // so many leave, spread evenly, just before they would send their vectors: the costly moment
  std::uint32_t entries = 0;
  Rational sigma_squared{0, 1};  // of the noise in the sum; 0: none
  int ring_bits = 0;             // 0: as few as will do
  MaskCipher cipher = MaskCipher::kAes128Ctr;
};

// The terms of such a session, for a roster that is still to be made. InvalidArgument if there can be none.
absl::StatusOr<SessionTerms> TermsOf(const SessionSetting& setting);

// Processor seconds of one participant.
struct ClientSeconds {
  double keys = 0;        // making and checking keys, sharing secrets out
  double noise = 0;       // which a plain sum needs as well
  double masking = 0;     // opening shares, masking, packing
  double confirming = 0;  // survivors, and giving shares back

  double Total() const { return keys + noise + masking + confirming; }
};

// Core seconds of the server, over all its threads.
struct ServerSeconds {
  double receiving = 0;  // reading vectors and adding them up
  double unmasking = 0;  // recovering secrets, taking masks out, reading the sum
  double rest = 0;       // everything before: keys and shares handed on

  double Total() const { return receiving + unmasking + rest; }
};

struct SessionCost {
  SessionTerms terms;
  int contributors = 0;
  int rounds = 0;                 // messages that each client sends
  ClientSeconds client;           // of the contributor whose total is the median
  double client_seconds_max = 0;  // of the slowest contributor
  ServerSeconds server;
  std::uint64_t vector_bytes = 0;  // of a vector alone, packed
  // Of a contributor, all its messages together: medians.
  std::uint64_t upload_bytes = 0;
  std::uint64_t download_bytes = 0;
  double noise_sigma = 0;           // as found in the sum
  double noise_sigma_expected = 0;  // of so many contributors, before rounding to counts
  double wall_seconds = 0;          // with everybody on this machine
};

// Who watches.
struct SessionWatch {
  ProgressSink& progress;
  // Asked between participants; its error ends the session.
  std::function<absl::Status()> may_go_on = [] { return absl::OkStatus(); };
};

// Runs one session. Clients run on the team, each on one thread at a time, the server's sum after them on all of it.
// Memory: what the machines keep between stages and two vectors for each thread, never everybody's vectors.
//
// The sum is compared with the one of the exact counts, which are kept for that: it must be equal, or with noise within
// 8 standard deviations everywhere (which chance misses once in 10^9 sums of a million entries). Internal if it is not.
absl::StatusOr<SessionCost> MeasureSession(const SessionSetting& setting, Parallel& parallel,
                                           const SessionWatch& watch);

}  // namespace flaim::secagg
