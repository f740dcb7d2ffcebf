#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/table/domain.h"
#include "marginal/clique.h"

namespace flaim {

// Small random models, of every kind that has ever broken a junction tree, and inference by listing all records.

struct RandomModelOptions {
  double magnitude = 1;         // potentials are uniform in [-magnitude, magnitude]
  double zero_probability = 0;  // share of cells that are -infinity
};

struct RandomModel {
  Domain domain;
  std::vector<Clique> cliques;
  std::vector<double> potentials;  // in the order of CliqueLayout

  std::string Describe() const;
};

struct BruteForceInference {
  double log_partition;
  double best_score;
  std::vector<double> marginals;
};

// At most 6 attributes of at most 4 values. The cliques may form loops, several components, repeat, nest, be singletons
// or empty, and leave attributes out; an attribute may have one value only.
RandomModel MakeRandomModel(std::uint64_t seed, const RandomModelOptions& options);

BruteForceInference InferByBruteForce(const RandomModel& model);

// P(clique), row-major in sorted attribute order.
std::vector<double> MarginalByBruteForce(const RandomModel& model, const Clique& clique);

}  // namespace flaim
