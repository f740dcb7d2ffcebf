#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <mutex>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"

namespace flaim::runtime {

// Structured logs: one JSON object in a line, {"time":..., "level":..., "event":..., fields}. Nothing that depends on
// private rows may be logged: not a value, not a count of rows, not an error text that quotes one.

enum class LogLevel : std::uint8_t { kInfo, kWarning, kError };

using LogValue = std::variant<std::string, std::int64_t, double, bool>;
using LogField = std::pair<std::string_view, LogValue>;

struct LogLine {
  std::int64_t time_unix_ms = 0;
  LogLevel level = LogLevel::kInfo;
  std::string event;  // a few words that never change: "site connected"
  std::vector<std::pair<std::string, LogValue>> fields;

  bool operator==(const LogLine&) const = default;
};

// How many lines there were since the start, kept or not.
struct LogCounts {
  std::int64_t infos = 0;
  std::int64_t warnings = 0;
  std::int64_t errors = 0;

  bool operator==(const LogCounts&) const = default;
};

std::string ToString(LogLevel level);

// In one line without its end. What is not UTF-8 is replaced, and numbers that JSON does not have become texts.
std::string ToJson(const LogLine& line);
// For a terminal, in one line: time of day (UTC), event and fields. Control characters do nothing there.
std::string ToText(const LogLine& line);

enum class LogFormat : std::uint8_t { kJson, kText };

// Thread-safe. Writes each line at once, and keeps the last ones for whoever shows them.
class Log {
 public:
  static constexpr std::size_t kKeptLines = 200;

  Log(std::ostream& out, LogFormat format, const Clock& clock) : out_(out), format_(format), clock_(clock) {}

  // Fields are not called "time", "level" or "event".
  void Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});
  void Info(std::string_view event, std::initializer_list<LogField> fields = {});
  void Warning(std::string_view event, std::initializer_list<LogField> fields = {});
  void Error(std::string_view event, std::initializer_list<LogField> fields = {});

  std::vector<LogLine> Tail() const;
  LogCounts Counts() const;

 private:
  std::ostream& out_;
  const LogFormat format_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::deque<LogLine> tail_;
  LogCounts counts_;
};

}  // namespace flaim::runtime
