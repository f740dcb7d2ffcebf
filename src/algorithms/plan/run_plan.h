#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "algorithms/choices/method_changes.h"
#include "algorithms/loop/run.h"
#include "algorithms/spending/spending.h"
#include "federation/availability.h"

namespace flaim {

inline constexpr double kDefaultParticipation = 0.1;
// Of the published code: 80 MB of doubles.
inline constexpr std::int64_t kPaperModelCells = std::int64_t{10} << 20;
// Its mirror descent does 50 iterations a round and 500 at the end. A step of ours, whose size follows the curvature,
// does what about four of these do: with this many, AIM has the published error on the reference rows
// (docs/REPRODUCTION.md). More would fit the noise better, and rows kept apart worse.
inline constexpr int kPaperRoundSteps = 12;
inline constexpr int kPaperLastSteps = 125;

// What to run, in the words of flags, experiment files and manifests.
struct RunRequest {
  MethodChanges method;
  std::optional<double> participation;  // more than 0, at most 1
  std::string availability;             // poisson, turns, all or trace:FILE; if empty, what suits the method
  bool paper_fit = false;
  SumNoise sum_noise = SumNoise::kWhole;
};

// What is wrong with a text for `availability`; empty if nothing.
std::string ExplainBadAvailability(const std::string& text);

// The same, checked and worked out. Nothing here has seen a row.
struct RunPlan {
  Method method;
  std::string title;  // the preset, and what was changed in it
  Availability availability;
  std::string availability_text;
  std::string trace_path;                        // of a Trace, which whoever runs the plan fills from the file
  std::shared_ptr<const SpendingPlan> spending;  // made once: each run takes a copy; none in a draft
  RunOptions options;

  // What each client is asked to agree to. REQUIRES: not a draft.
  ClientTerms terms() const { return spending->client_terms(); }
};

// Refuses a request for what there is not, or that contradicts itself. `options` are those of the fit; a paper fit
// replaces how, not how large. What clients are asked to pay is left open, because it can take long to find out.
absl::StatusOr<RunPlan> DraftRunPlan(const RunRequest& request, const RunOptions& options);

// The same with what clients pay. Also refuses a budget that cannot pay for a round.
absl::StatusOr<RunPlan> MakeRunPlan(const RunRequest& request, const RunOptions& options, int attributes);

}  // namespace flaim
