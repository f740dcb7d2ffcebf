#pragma once

#include <string>

#include "runtime/observe/study_status.h"

namespace flaim::runtime {

inline constexpr const char* kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

// The status for Prometheus: its text format, version 0.0.4. Names of sites are labels, so that each site is a few
// series.
std::string ToMetrics(const StudyStatus& status);

}  // namespace flaim::runtime
