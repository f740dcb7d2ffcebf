#include "cli/console.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "fmt/format.h"

namespace flaim {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

bool LooksNumeric(const std::string& text) {
  return text.empty() || text.find_first_not_of("0123456789.,+-e%^/<>") == std::string::npos;
}

// Terminal columns that a UTF-8 text takes, for the characters that this program prints.
std::size_t Width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

}  // namespace

std::string ShortDuration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

bool Console::ShowsProgress() const { return !quiet_ && isatty(STDERR_FILENO) == 1; }

bool Console::Flush() { return static_cast<bool>(out_.flush()); }

void Console::Print(std::string_view line) { out_ << line << '\n'; }

void Console::Note(std::string_view line) {
  if (!quiet_) notes_ << line << '\n';
}

void Console::Warn(std::string_view line) { notes_ << line << '\n'; }

void Console::PrintTable(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(titles.size());
  std::vector<bool> numeric(titles.size(), true);
  for (std::size_t column = 0; column < titles.size(); ++column) {
    widths[column] = Width(titles[column]);
    for (const std::vector<std::string>& row : rows) {
      widths[column] = std::max(widths[column], Width(row[column]));
      numeric[column] = numeric[column] && LooksNumeric(row[column]);
    }
  }
  const auto print_row = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - Width(row[column]), ' ');
      line += "  " + (numeric[column] ? padding + row[column] : row[column] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    Print(line);
  };
  print_row(titles);
  for (const std::vector<std::string>& row : rows) print_row(row);
}

ProgressLine::ProgressLine(std::ostream& stream, bool is_terminal, const Clock& clock)
    : stream_(stream), is_terminal_(is_terminal), clock_(clock), started_(clock.Now()) {}

ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Clear() {
  const std::lock_guard lock(mutex_);
  if (line_is_dirty_) stream_ << "\r\033[K" << std::flush;
  line_is_dirty_ = false;
}

void ProgressLine::Report(const Progress& progress) {
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  const auto now = clock_.Now();
  if (progress.step != step_) {
    step_ = progress.step;
    started_ = now;
    done_at_start_ = progress.done;
  } else if (now - shown_ < milliseconds(100)) {
    return;
  }
  shown_ = now;
  std::string line = fmt::format("{} {}", progress.step, progress.done);
  if (progress.total.has_value() && *progress.total > 0) {
    const double share = static_cast<double>(progress.done) / static_cast<double>(*progress.total);
    line += fmt::format(" of {} ({:.0f}%)", *progress.total, 100 * share);
    const double elapsed = duration<double>(now - started_).count();
    const auto done_since = static_cast<double>(progress.done - std::min(progress.done, done_at_start_));
    const auto to_do = static_cast<double>(*progress.total - std::min(progress.done, *progress.total));
    if (done_since > 0 && elapsed > 2) {
      line += fmt::format(", about {} left", ShortDuration(elapsed / done_since * to_do));
    }
  }
  if (!progress.detail.empty()) line += ", " + progress.detail;
  stream_ << '\r' << line << "\033[K" << std::flush;
  line_is_dirty_ = true;
}

}  // namespace flaim
