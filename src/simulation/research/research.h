#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/loop/insider.h"
#include "algorithms/methods/method.h"
#include "data/table/table.h"
#include "simulation/research/oracle.h"

namespace flaim {

// What of it was asked for beyond what the method itself says.
struct ResearchSettings {
  bool is_published_code = false;  // the method as the published code runs it: published_code.h
};

// What a simulation does with true rows that nobody may do with real ones: the paper's Oracle, and the published code.
struct Research {
  Oracle oracle;
  std::unique_ptr<Insider> insider;  // asks the oracle
};

// Nothing for a method that is private as it is, and not to be run as the published code runs it.
std::unique_ptr<Research> MakeResearch(const Method& method, const ResearchSettings& settings, const Table& everybody);

// Why such a run is NOT private, in words; nothing if it is.
std::vector<std::string> ReasonsNotPrivate(const Method& method, const ResearchSettings& settings);

}  // namespace flaim
