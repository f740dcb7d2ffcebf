#pragma once

#include "absl/status/status.h"
#include "base/progress.h"

namespace flaim {

// While this exists, Ctrl-C (and SIGTERM, SIGHUP) asks the program to stop instead of ending it: a command looks at
// requested() where stopping loses nothing, in particular where nothing is paid for that was not recorded yet. Asked a
// second time, at least half a second later, the program ends at once, as if it was killed. A signal that the caller
// of the program ignores stays ignored.
//
// One at a time. The handler itself does nothing but what POSIX allows in one.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool requested();
  // Cancelled once it is.
  static absl::Status Check();
};

// Shows the progress of reading, and says when a signal asks for an end.
class InterruptibleProgress final : public ProgressSink {
 public:
  explicit InterruptibleProgress(ProgressSink& shown) : shown_(shown) {}

  void Report(const Progress& progress) override { shown_.Report(progress); }
  bool ShouldStop() override { return Interruption::requested(); }

 private:
  ProgressSink& shown_;
};

}  // namespace flaim
