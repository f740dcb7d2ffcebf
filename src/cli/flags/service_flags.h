#pragma once

#include <chrono>
#include <string>

#include "runtime/observe/log.h"

namespace CLI {
class App;
}

namespace flaim {

// What `coordinator` and `site` have in common when they run for long.
struct ServiceFlags {
  double timeout_s = 30;
  std::string log = "text";

  std::chrono::milliseconds timeout() const {
    return std::chrono::milliseconds(static_cast<std::int64_t>(timeout_s * 1000));
  }
  runtime::LogFormat log_format() const {
    return log == "json" ? runtime::LogFormat::kJson : runtime::LogFormat::kText;
  }
};

void AddTimeoutFlag(CLI::App& command, ServiceFlags& flags);
// The timeout, and how to log.
void AddServiceFlags(CLI::App& command, ServiceFlags& flags);

// Programs that hold keys and private rows should not run as the one user who may do everything.
void WarnIfRoot(runtime::Log& log);

}  // namespace flaim
