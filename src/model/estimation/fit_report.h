#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/provenance.h"
#include "model/estimation/measurement.h"

namespace flaim {

// With probability at least FitReport::confidence, the counts of `clique` in the private table and in the model differ
// by at most `distance_records` in L1 norm. Computed from released numbers only.
struct ErrorBound {
  Clique clique;
  bool is_measured = false;
  double distance_records = 0;

  bool operator==(const ErrorBound&) const = default;
};

// How well the model fits the measurements (estimation.h).
struct FitQuality {
  std::int64_t iterations = 0;
  double loss = 0;  // of what was minimised: with a prior (EstimationOptions), what that adds, too
  double gap = 0;   // certified: no model of the same cliques has a loss below loss - gap

  bool operator==(const FitQuality&) const = default;
};

// How a model came about: what was promised, paid and measured. Kept with the model, because whoever uses the model
// should know. Plain public values; this module does not interpret the budget.
struct FitReport {
  std::string algorithm;  // "aim"
  double epsilon = 0;
  double delta = 0;
  double rho = 0;        // zCDP allowance that (epsilon, delta) buys
  double rho_spent = 0;  // of it
  std::string adjacency;
  std::string noise;                       // "secure", or the stamp of seeded noise: then nothing is promised
  bool derived_from_private_rows = false;  // the schema was: then nothing is promised either
  std::int64_t rounds = 0;
  FitQuality quality;
  double confidence = 0;
  std::vector<Measurement> measurements;  // merged, one for each measured clique
  std::vector<ErrorBound> bounds;

  // Whether (epsilon, delta) is promised.
  bool IsPrivate() const { return IsSecureProvenance(noise) && !derived_from_private_rows; }

  bool operator==(const FitReport&) const = default;
};

}  // namespace flaim
