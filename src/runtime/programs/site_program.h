#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "runtime/observe/log.h"
#include "runtime/programs/site_folder.h"
#include "runtime/site/sum_answer.h"

namespace flaim::runtime {

// What comes from outside the program.
struct SiteWorld {
  std::string software;  // the version of this program
  const Clock& clock;
  Log& log;
  Parallel& parallel;
  ProgressSink& progress;
  std::function<bool()> is_stopping;
  // Noise of research, from the manifest's seed; in earnest the secure source is used, whatever this says.
  std::function<NoiseByLabel(std::uint64_t seed)> research_noise;
};

// The site: opens its rows and its ledger, dials the coordinator, and serves until the study is over or it is asked to
// stop. Refuses to begin without the steward's consent to the very manifest.
absl::Status RunSite(const SiteFolder& folder, std::chrono::milliseconds timeout, const SiteWorld& world);

}  // namespace flaim::runtime
