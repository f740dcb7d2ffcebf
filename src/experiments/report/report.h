#pragma once

#include <span>
#include <string>

#include "experiments/result_log.h"

namespace flaim {

struct ReportOptions {
  std::string title = "FLAIM: the paper, reproduced";
  std::string version;  // of FLAIM
  std::string made;     // when, as text
};

// One HTML page that needs nothing from elsewhere: each table and plot of each experiment beside the numbers that the
// paper prints, with intervals over seeds. The same results and options give the same page. Experiments that are not
// finished say what is missing.
std::string RenderReport(std::span<const ExperimentResults> experiments, const ReportOptions& options);

}  // namespace flaim
