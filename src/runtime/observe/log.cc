#include "runtime/observe/log.h"

#include <chrono>
#include <cmath>

#include "base/check.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"
#include "runtime/observe/display.h"

namespace flaim::runtime {
namespace {

using OrderedJson = nlohmann::ordered_json;

struct JsonOfValue {
  OrderedJson operator()(const std::string& text) const { return text; }
  OrderedJson operator()(std::int64_t number) const { return number; }
  OrderedJson operator()(bool truth) const { return truth; }
  OrderedJson operator()(double number) const {
    return std::isfinite(number) ? OrderedJson(number) : OrderedJson(fmt::format("{}", number));
  }
};

struct TextOfValue {
  std::string operator()(const std::string& text) const {
    const bool is_one_word = !text.empty() && text.find_first_of(" \"=") == std::string::npos;
    return is_one_word ? Printable(text) : fmt::format("\"{}\"", Printable(text));
  }
  std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
  std::string operator()(bool truth) const { return truth ? "yes" : "no"; }
  std::string operator()(double number) const { return fmt::format("{:.6g}", number); }
};

// "2030-01-31T12:30:05.042Z"
std::string DateAndTime(std::int64_t unix_ms) {
  constexpr std::int64_t kDay = 86'400'000;
  const std::int64_t ms_of_day = (unix_ms % kDay + kDay) % kDay;
  const std::chrono::sys_days day{std::chrono::days(unix_ms / kDay - (unix_ms % kDay < 0 ? 1 : 0))};
  const std::chrono::year_month_day date(day);
  return fmt::format("{:04}-{:02}-{:02}T{}.{:03}Z", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), TimeOfDay(unix_ms), ms_of_day % 1000);
}

std::int64_t UnixMs(const Clock& clock) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock.Now().time_since_epoch()).count();
}

bool IsReserved(std::string_view field) { return field == "time" || field == "level" || field == "event"; }

std::int64_t& CountOf(LogLevel level, LogCounts& counts) {
  switch (level) {
    case LogLevel::kInfo:
      return counts.infos;
    case LogLevel::kWarning:
      return counts.warnings;
    case LogLevel::kError:
      break;
  }
  return counts.errors;
}

}  // namespace

std::string ToString(LogLevel level) {
  switch (level) {
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      break;
  }
  return "error";
}

std::string ToJson(const LogLine& line) {
  OrderedJson object;
  object["time"] = DateAndTime(line.time_unix_ms);
  object["level"] = ToString(line.level);
  object["event"] = line.event;
  for (const auto& [name, value] : line.fields) object[name] = std::visit(JsonOfValue(), value);
  return object.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string ToText(const LogLine& line) {
  std::string text = TimeOfDay(line.time_unix_ms);
  if (line.level != LogLevel::kInfo) text += fmt::format(" {}:", ToString(line.level));
  text += fmt::format(" {}", Printable(line.event));
  for (const auto& [name, value] : line.fields) {
    text += fmt::format("  {}={}", Printable(name), std::visit(TextOfValue(), value));
  }
  return text;
}

void Log::Write(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  LogLine line{.time_unix_ms = UnixMs(clock_), .level = level, .event = std::string(event), .fields = {}};
  for (const auto& [name, value] : fields) {
    CHECK(!IsReserved(name), "a field of the log is called {}", name);
    line.fields.emplace_back(name, value);
  }
  const std::string shown = format_ == LogFormat::kJson ? ToJson(line) : ToText(line);
  const std::lock_guard lock(mutex_);
  out_ << shown << '\n' << std::flush;
  ++CountOf(level, counts_);
  tail_.push_back(std::move(line));
  if (tail_.size() > kKeptLines) tail_.pop_front();
}

void Log::Info(std::string_view event, std::initializer_list<LogField> fields) {
  Write(LogLevel::kInfo, event, fields);
}

void Log::Warning(std::string_view event, std::initializer_list<LogField> fields) {
  Write(LogLevel::kWarning, event, fields);
}

void Log::Error(std::string_view event, std::initializer_list<LogField> fields) {
  Write(LogLevel::kError, event, fields);
}

std::vector<LogLine> Log::Tail() const {
  const std::lock_guard lock(mutex_);
  return {tail_.begin(), tail_.end()};
}

LogCounts Log::Counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace flaim::runtime
