#pragma once

#include <string>
#include <vector>

#include "audit/audit.h"
#include "nlohmann/json.hpp"

namespace flaim {

// What an audit found, for the terminal, for programs and as a page with a picture of each trade-off curve.

std::vector<std::string> AuditTitles();
std::vector<std::string> AuditRow(const AuditResult& result);

nlohmann::json ToJson(const AuditResult& result);

struct AuditPage {
  double epsilon = 0;
  double delta = 0;
  std::vector<AuditResult> results;
};
// HTML that needs nothing from elsewhere.
std::string RenderAudit(const AuditPage& page);

}  // namespace flaim
