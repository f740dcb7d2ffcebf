#pragma once

#include <cstdint>
#include <vector>

#include "io/digest.h"

namespace flaim::secagg {

// The ranks 0 .. participants - 1 in an order that anybody who knows the seed computes alike, uniform over all orders
// if the seed is random.
std::vector<int> RandomOrder(int participants, const Digest& seed);

// Who masks with whom. Participants stand on a circle in an order drawn from the seed, and each is joined to the
// degree / 2 nearest on either side (a Harary graph; Bell et al. 2020). Anybody who knows the seed computes the same
// graph, on every machine; the order depends on the seed and the number of participants alone. The complete graph
// (Bonawitz et al. 2017) is the case degree == participants - 1.
//
// Participants are ranks 0 .. participants - 1: their places in the list of those who advertised.
class NeighbourGraph {
 public:
  // REQUIRES: participants >= 1; 0 <= degree < participants; degree even, or participants - 1.
  NeighbourGraph(int participants, int degree, const Digest& seed);

  int participants() const { return static_cast<int>(place_of_.size()); }
  int degree() const { return degree_; }

  // In ascending order.
  std::vector<int> NeighboursOf(int rank) const;

 private:
  int degree_;
  std::vector<int> at_place_;  // the rank that stands at a place of the circle
  std::vector<int> place_of_;  // and the place of a rank
};

}  // namespace flaim::secagg
