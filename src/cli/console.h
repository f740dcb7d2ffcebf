#pragma once

#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"

namespace flaim {

// Where a command writes. Results go to `out`, everything that is said about the work goes to `notes`, so that
// `flaim ... > file` captures the result alone.
class Console {
 public:
  Console(std::ostream& out, std::ostream& notes) : out_(out), notes_(notes) {}

  void SetQuiet(bool quiet) { quiet_ = quiet; }
  // Whether somebody watches the notes who did not ask for quiet.
  bool ShowsProgress() const;
  // Whether all results could be written.
  bool Flush();

  void Print(std::string_view line);
  // Left out with --quiet.
  void Note(std::string_view line);
  // Shown also with --quiet.
  void Warn(std::string_view line);

  // Columns aligned under their titles; a column whose entries all look like numbers is right-aligned.
  void PrintTable(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows);

 private:
  std::ostream& out_;
  std::ostream& notes_;
  bool quiet_ = false;
};

// "42 s", "3 min 05 s", "2 h 10 min".
std::string ShortDuration(double seconds);

// A single line on a terminal that rewrites itself a few times a second, with an estimate of the time left; silent when
// the stream is not a terminal. Safe to use from many threads.
class ProgressLine final : public ProgressSink {
 public:
  ProgressLine(std::ostream& stream, bool is_terminal, const Clock& clock);
  ~ProgressLine() override;

  void Report(const Progress& progress) override;
  // Takes the line away, before something else is written.
  void Clear();

 private:
  std::ostream& stream_;
  const bool is_terminal_;
  const Clock& clock_;
  std::mutex mutex_;
  std::chrono::system_clock::time_point started_;
  std::chrono::system_clock::time_point shown_;
  std::uint64_t done_at_start_ = 0;
  std::string step_;
  bool line_is_dirty_ = false;
};

}  // namespace flaim
