#pragma once

#include <string>

#include "data/schema/schema.h"
#include "model/estimation/fit_report.h"
#include "model/inference/model.h"

namespace flaim {

// Values to put into model files, for tests.

// A categorical column for each attribute.
Schema SchemaOver(const Domain& domain);

// A report with something in every field, measurements and bounds of random cliques of at most max_cells cells. Given
// levels, half of the measurements are over bins.
FitReport RandomReport(const Schema& schema, std::int64_t max_cells, RandomSource& random,
                       const Levels* levels = nullptr);

// Two columns, two cliques, one structural zero: small enough to damage every byte of.
struct SmallModel {
  SmallModel();

  Schema schema;
  FitReport report;
  Parallel parallel{1};
  Model model;
};

// The same model over bins: two of the five ages are one bin, and two another. Of the measurements, one is over bins.
struct SmallModelWithLevels {
  SmallModelWithLevels();

  Schema schema;
  FitReport report;
  Parallel parallel{1};
  Model model;
};

// The bytes of the file.
std::string Written(const Schema& schema, const FitReport& report, const Model& model);

}  // namespace flaim
