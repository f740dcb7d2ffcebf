#pragma once

#include <memory>

#include "data/schema/schema.h"
#include "model/estimation/fit_report.h"
#include "model/inference/model.h"

namespace flaim::python {

// A model as Python holds it: immutable, so copies share it. flaim._flaim.Model.
struct BoundModel {
  std::shared_ptr<const Model> model;
};

// A model with the schema of its rows and the report of how it came about: what a model file holds. Bound as
// flaim._flaim.FittedModel.
struct BoundFit {
  std::shared_ptr<const Model> model;
  Schema schema;
  FitReport report;
};

}  // namespace flaim::python
