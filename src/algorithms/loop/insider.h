#pragma once

#include <optional>
#include <vector>

#include "algorithms/loop/released_marginals.h"
#include "algorithms/methods/method.h"
#include "model/estimation/measurement.h"

namespace flaim {

// Somebody who knows what nobody may know, or takes liberties that nobody may take: for methods that are NOT private,
// which only a simulation can run (simulation/research). Without one, a run uses released numbers alone.
class Insider {
 public:
  virtual ~Insider() = default;

  // How many rows all clients have together; nothing if that is estimated as always.
  virtual std::optional<double> Rows() const { return std::nullopt; }
  // What a model of `total` records is fitted to; nothing if the weighting needs no insider.
  virtual std::optional<std::vector<Measurement>> Weighted(const ReleasedMarginals& /*released*/,
                                                           Weighting /*weighting*/, double /*total*/) const {
    return std::nullopt;
  }
  // Whether a round takes in the one-way marginals of its group before it chooses.
  virtual bool LearnsBeforeChoosing() const { return true; }
};

}  // namespace flaim
