#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"

namespace flaim {

// Where a long job says how far it is. What to do with that (a bar, a log line, nothing) is the observer's affair.
// `step` and `detail` may be shown to anybody, so they never hold a private value.
struct Progress {
  std::string step;                    // "reading rows", "round"
  std::uint64_t done = 0;              // in the unit of the step
  std::optional<std::uint64_t> total;  // when it is known
  std::string detail;                  // one short phrase, may be empty
};

class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void Report(const Progress& progress) = 0;
  // Whether the job is to stop, e.g. because of Ctrl-C. Asked where stopping loses nothing.
  virtual bool ShouldStop() { return false; }
};

// Cancelled, if the observer of the job wants it to end.
inline absl::Status StopIfAsked(ProgressSink& progress) {
  return progress.ShouldStop() ? absl::CancelledError("interrupted") : absl::OkStatus();
}

class NoProgress final : public ProgressSink {
 public:
  void Report(const Progress&) override {}
};

}  // namespace flaim
