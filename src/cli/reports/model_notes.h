#pragma once

#include "cli/console.h"
#include "model/estimation/fit_report.h"

namespace flaim {

// Loud, also with --quiet, when a model keeps no promise to anybody: seeded noise, or a schema made from private rows.
void WarnIfNotPrivate(const FitReport& report, Console& console);

}  // namespace flaim
